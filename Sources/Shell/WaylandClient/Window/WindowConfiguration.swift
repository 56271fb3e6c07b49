import Geometry
import Motion
import WaylandProtocol

/// What the compositor requests of a window, and what the window chooses where the compositor leaves the
/// choice.
struct WindowConfiguration {
    /// Nil before the first configure.
    private(set) var latest: Configure?
    /// The state that the compositor requests; nil before the first configure.
    private(set) var state: WindowState?
    /// The logical size to use when the compositor leaves the choice: that of the floating window.
    private(set) var ownSize: Size
    /// Whether the window is maximised, or was before it became fullscreen.
    private(set) var wasMaximized = false
    /// When the window asked to be restored; nil if it did not, or has found out what came of that.
    private var restoreRequest: Moment?
    /// Whether the compositor does not restore the window.
    private var staysMaximized = false

    /// A window that is still maximised that long after a request to be restored stays so, in seconds.
    private static let longestRestore = 0.5
    /// The largest frame in pixels, which takes a gibibyte; a pool can hold no more than two.
    private static let mostPixels = 16384.0 * 16384

    init(ownSize: Size) { self.ownSize = ownSize }

    /// Takes a configure, and returns the state that it requests.
    ///
    /// `whole` is the logical size for a window that opens fullscreen; nil for any other.
    mutating func receive(_ configure: Configure, scale: Double, whole: Size?) -> WindowState {
        latest = configure
        if !configure.states.contains(.maximized) {
            (restoreRequest, staysMaximized) = (nil, false)
        }
        let new = state(for: configure, scale: scale, whole: whole)
        state = new
        if !new.isFullscreen { wasMaximized = new.isMaximized }
        if !configure.isConstrained, configure.width > 0, configure.height > 0 {
            ownSize = new.size
        }
        return new
    }

    /// Chooses the window's own size; returns the new state if that changes the state.
    mutating func choose(_ size: Size, scale: Double, whole: Size?) -> WindowState? {
        ownSize = size
        guard let latest, !latest.isConstrained else { return nil }
        let new = state(for: latest, scale: scale, whole: whole)
        guard new != state else { return nil }
        state = new
        return new
    }

    /// Sets the device pixels per logical pixel, which limit the size.
    mutating func setScale(_ scale: Double) {
        guard let size = state?.size else { return }
        state?.scale = scale
        state?.size = Self.limited(size, scale: scale)
    }

    /// Notes a request to be maximised or restored.
    mutating func request(isMaximized: Bool, at moment: Moment) {
        restoreRequest = !isMaximized && state?.isMaximized == true ? moment : nil
    }

    /// Notes whether the compositor has answered the last request to be restored; returns the new state if
    /// it has not.
    ///
    /// Cage keeps its window maximised although it says that it can do otherwise; the window then has no
    /// button that has no effect.
    mutating func checkRestored(at moment: Moment) -> WindowState? {
        guard let restoreRequest, let state,
            moment.seconds(since: restoreRequest) > Self.longestRestore
        else { return nil }
        self.restoreRequest = nil
        guard state.isMaximized, !staysMaximized else { return nil }
        staysMaximized = true
        self.state?.capabilities.remove(.maximize)
        return self.state
    }

    private func state(for configure: Configure, scale: Double, whole: Size?) -> WindowState {
        var capabilities = configure.capabilities
        if staysMaximized { capabilities.remove(.maximize) }
        return WindowState(
            size: size(for: configure, scale: scale, whole: whole), scale: scale,
            isFullscreen: configure.states.contains(.fullscreen),
            isMaximized: configure.states.contains(.maximized),
            isActivated: configure.states.contains(.activated),
            isResizing: configure.states.contains(.resizing),
            isSuspended: configure.states.contains(.suspended),
            tiledEdges: configure.tiledEdges, constrainedEdges: configure.constrainedEdges,
            drawsOwnDecorations: !configure.isServerDecorated, capabilities: capabilities)
    }

    /// The size that the compositor requests, else the window's own choice.
    private func size(for configure: Configure, scale: Double, whole: Size?) -> Size {
        var own = whole ?? ownSize
        if whole == nil, configure.bounds.width > 0, configure.bounds.height > 0 {
            own.width = min(own.width, configure.bounds.width)
            own.height = min(own.height, configure.bounds.height)
        }
        func rounded(_ length: Double) -> Double { min(max(length.rounded(), 1), 32767) }
        return Self.limited(
            Size(
                width: configure.width > 0 ? configure.width : rounded(own.width),
                height: configure.height > 0 ? configure.height : rounded(own.height)),
            scale: scale)
    }

    /// Reduces a size whose frames would take too much memory, whatever the compositor requests.
    private static func limited(_ requested: Size, scale: Double) -> Size {
        let size = Size(width: min(requested.width, 32767), height: min(requested.height, 32767))
        let pixels = size.width * size.height * scale * scale
        guard pixels > mostPixels else { return size }
        let factor = (mostPixels / pixels).squareRoot()
        return Size(
            width: max((size.width * factor).rounded(.down), 1),
            height: max((size.height * factor).rounded(.down), 1))
    }
}
