import Geometry
import WaylandProtocol

/// The window's role in the desktop shell (xdg_toplevel), and its requests and events.
///
/// The events of a configure sequence are collected, and reported when `xdg_surface.configure` ends
/// the sequence.
final class Toplevel {
    enum Event {
        case configured(Configure)
        case closeRequested
    }

    private let surface: XdgSurface
    let raw: XdgToplevel
    private let decoration: ZxdgToplevelDecorationV1?
    private let handler: (Event) -> Void
    /// The number of the last configure that was acknowledged.
    private var acknowledged = 0
    /// The size of the last geometry; nil while the geometry follows the surfaces.
    private var geometry: Size?

    private var pending = Configure(
        number: 0, serial: 0, width: 0, height: 0, bounds: .zero, states: [],
        isServerDecorated: false)

    init(
        surface: WlSurface, shell: XdgWmBase, decorations: ZxdgDecorationManagerV1?,
        options: WindowOptions, output: WlOutput?, handler: @escaping (Event) -> Void
    ) {
        self.handler = handler
        self.surface = shell.getXdgSurface(surface: surface)
        raw = self.surface.getToplevel()
        // Before the first commit, as the protocol requires.
        decoration = decorations?.getToplevelDecoration(toplevel: raw)
        decoration?.setMode(mode: .serverSide)
        raw.setAppId(appId: Self.sendable(options.appID))
        setTitle(options.title)
        if options.minimumSize != .zero {
            raw.setMinSize(
                width: Int32(options.minimumSize.width), height: Int32(options.minimumSize.height))
        }
        if options.isMaximized { setMaximized(true) }
        if options.isFullscreen { setFullscreen(true, on: output) }
        decoration?.onEvent = { [weak self] in
            guard case .configure(let mode) = $0 else { return }
            self?.pending.isServerDecorated = mode == .serverSide
        }
        raw.onEvent = { [weak self] in self?.receive($0) }
        self.surface.onEvent = { [weak self] in
            if case .configure(let serial) = $0 { self?.finish(serial) }
        }
    }

    /// Destroys the role, outer objects first; the surface must still exist.
    func destroy() {
        decoration?.destroy()
        raw.destroy()
        surface.destroy()
    }

    /// Sets the visible part of the surfaces of the window: its main surface.
    ///
    /// The next commit of the main surface applies the geometry.
    func setGeometry(_ size: Size) {
        guard size != geometry else { return }
        geometry = size
        surface.setWindowGeometry(
            x: 0, y: 0, width: max(1, Int32(clamping: size.width)),
            height: max(1, Int32(clamping: size.height)))
    }

    /// Acknowledges the configure for the next commit, and with it all older ones.
    ///
    /// Returns false if it was acknowledged already.
    @discardableResult
    func acknowledge(_ configure: Configure) -> Bool {
        guard configure.number > acknowledged else { return false }
        acknowledged = configure.number
        surface.ackConfigure(serial: configure.serial)
        return true
    }

    func setTitle(_ title: String) {
        raw.setTitle(title: Self.sendable(title))
    }

    /// Requests fullscreen on an output, or on one of the compositor's choice.
    func setFullscreen(_ isFullscreen: Bool, on output: WlOutput?) {
        if isFullscreen { raw.setFullscreen(output: output) } else { raw.unsetFullscreen() }
    }

    func setMaximized(_ isMaximized: Bool) {
        if isMaximized { raw.setMaximized() } else { raw.unsetMaximized() }
    }

    /// The string without NUL, cut to 1024 bytes.
    ///
    /// libwayland aborts the program on a message of more than 4 KiB.
    static func sendable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var length = 0
        for scalar in text.unicodeScalars where scalar != "\0" {
            length += UTF8.width(scalar)
            if length > 1024 { break }
            result.append(scalar)
        }
        return String(result)
    }

    private func receive(_ event: XdgToplevel.Event) {
        switch event {
        case .configure(let width, let height, let states):
            pending.width = Double(max(0, width))
            pending.height = Double(max(0, height))
            pending.states = Set(states.words.map(XdgToplevel.State.init(rawValue:)))
        case .configureBounds(let width, let height):
            pending.bounds = Size(width: Double(max(0, width)), height: Double(max(0, height)))
        case .close: handler(.closeRequested)
        case .wmCapabilities(let words):
            pending.capabilities = WindowCapabilities(words: words.words)
        }
    }

    private func finish(_ serial: UInt32) {
        pending.number += 1
        pending.serial = serial
        handler(.configured(pending))
    }
}
