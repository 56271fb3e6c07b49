package import Geometry
import WaylandProtocol

/// The state that a configure requests, and the size of the window in it.
extension Window {
    /// The room for a floating window in logical pixels: what the compositor recommends, else the
    /// screen; nil while unknown, and with several screens of which any may be the window's.
    package var screenSize: Size? {
        if let bounds = latestConfigure?.bounds, bounds.width > 0, bounds.height > 0 {
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
        ownSize = size
        guard let configure = latestConfigure, !configure.isConstrained else { return }
        let new = state(for: configure)
        guard new != state else { return }
        state = new
        handler?(.configured(new))
    }

    func state(for configure: Configure) -> WindowState {
        var capabilities = configure.capabilities
        if staysMaximized { capabilities.remove(.maximize) }
        return WindowState(
            size: size(for: configure), scale: scale,
            isFullscreen: configure.states.contains(.fullscreen),
            isMaximized: configure.states.contains(.maximized),
            isActivated: configure.states.contains(.activated),
            isResizing: configure.states.contains(.resizing),
            isSuspended: configure.states.contains(.suspended),
            tiledEdges: configure.tiledEdges, constrainedEdges: configure.constrainedEdges,
            drawsOwnDecorations: !configure.isServerDecorated, capabilities: capabilities)
    }

    /// The size that the compositor requests, else the window's own choice.
    ///
    /// A fullscreen window that has not appeared yet chooses the whole screen, since sway sends the
    /// size only when the window appears. Any other window chooses its last own size.
    private func size(for configure: Configure) -> Size {
        var own = ownSize
        let only = connection.outputs.count == 1 ? connection.outputs.first : nil
        if let screen = output ?? only,
            options.isFullscreen, !isMapped, !screen.pixelSize.isEmpty
        {
            own = screen.pixelSize.size * (1 / scale)
        } else if configure.bounds.width > 0, configure.bounds.height > 0 {
            own.width = min(own.width, configure.bounds.width)
            own.height = min(own.height, configure.bounds.height)
        }
        func whole(_ length: Double) -> Double { min(max(length.rounded(), 1), 32767) }
        return limited(
            Size(
                width: configure.width > 0 ? configure.width : whole(own.width),
                height: configure.height > 0 ? configure.height : whole(own.height)))
    }

    /// The largest frame in pixels, which takes a gibibyte; a pool can hold no more than two.
    private static let mostPixels = 16384.0 * 16384

    /// Reduces a size whose frames would take too much memory, whatever the compositor requests.
    func limited(_ requested: Size) -> Size {
        let size = Size(width: min(requested.width, 32767), height: min(requested.height, 32767))
        let pixels = size.width * size.height * scale * scale
        guard pixels > Self.mostPixels else { return size }
        let factor = (Self.mostPixels / pixels).squareRoot()
        return Size(
            width: max((size.width * factor).rounded(.down), 1),
            height: max((size.height * factor).rounded(.down), 1))
    }
}
