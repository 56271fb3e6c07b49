package import Geometry

/// The size of the window where the compositor leaves the choice.
extension Window {
    /// The logical size of the floating window.
    package var ownSize: Size { configuration.ownSize }

    /// Whether the window is maximised, or was before it became fullscreen.
    package var wasMaximized: Bool { configuration.wasMaximized }

    /// The room for a floating window in logical pixels: what the compositor recommends, else the
    /// screen; nil while unknown, and with several screens of which any may be the window's.
    package var screenSize: Size? {
        if let bounds = configuration.latest?.bounds, bounds.width > 0, bounds.height > 0 {
            return bounds
        }
        guard connection.outputs.count == 1, let size = connection.outputs.first?.logicalSize,
            size.width > 0, size.height > 0
        else { return nil }
        return size
    }

    /// Chooses the size of a window that has not appeared yet, where the compositor leaves the choice.
    package func chooseSize(_ size: Size) {
        guard !isMapped else { return }
        if let new = configuration.choose(size, scale: scale, whole: wholeScreen) {
            handler?(.configured(new))
        }
    }

    /// The logical size of the screen of a window that opens fullscreen; nil for any other.
    ///
    /// A fullscreen window that has not appeared yet chooses the whole screen, since sway sends the
    /// size only when the window appears.
    var wholeScreen: Size? {
        let only = connection.outputs.count == 1 ? connection.outputs.first : nil
        guard let screen = output ?? only, options.isFullscreen, !isMapped,
            !screen.pixelSize.isEmpty
        else { return nil }
        return screen.pixelSize.size * (1 / scale)
    }
}
