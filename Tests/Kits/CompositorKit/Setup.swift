package import Geometry
package import WaylandProtocol

/// The configuration and the initial behaviour of a test compositor.
package struct Setup {
    /// When the compositor releases a buffer.
    package enum Release: Hashable, Sendable {
        /// During the commit, as mutter does after copying the pixels.
        case immediately
        /// When another buffer is committed, as wlroots and weston do.
        case atNextCommit
        /// Only when the test calls `TestSurface.releaseAll`.
        case never
    }

    /// When the compositor sends frame callbacks.
    package enum Frames: Hashable, Sendable {
        /// At the refresh rate of a screen.
        case paced(hertz: Double)
        /// Only when the test calls `TestSurface.finishFrame`, as for a hidden window.
        case never
    }

    /// The presentation feedback of the compositor.
    package enum Presentation: Hashable, Sendable {
        /// With a fixed refresh period.
        case fixed
        /// With a variable refresh rate.
        case variable
        /// No feedback, as from wlroots without a screen.
        case silent
    }

    package var offer = OfferedGlobals.everything
    /// What `wp_color_manager_v1` tells, where it is offered.
    package var light = TestLight.bright
    /// The mode of the single output, in device pixels, and its integer scale.
    package var outputSize = PixelSize(width: 1280, height: 800)
    package var outputScale: Int32 = 1
    /// The logical size of a window that is not fullscreen; nil leaves the size to the client.
    package var windowSize: Size? = Size(width: 640, height: 400)
    /// The devices of the single seat.
    package var capabilities: WlSeat.Capability = [.touch, .pointer, .keyboard]
    package var release = Release.atNextCommit
    package var frames = Frames.paced(hertz: 60)
    /// The time between the last commit that a refresh can show and that refresh, in milliseconds.
    package var latch = 0.0
    package var presentation = Presentation.fixed
    /// Whether each frame is copied and compared with the previous one outside the damage.
    ///
    /// The comparison takes about as long as painting.
    package var checksPixels = true
    /// Whether the compositor answers the first commit of a window with a configure.
    package var configuresByItself = true
    package var decoration = ZxdgToplevelDecorationV1.Mode.serverSide
    /// What the compositor says that it can do with a window; nil if it does not say.
    package var windowCapabilities: [XdgToplevel.WmCapabilities]?
    /// The token that the compositor hands out; nil if it does not answer.
    package var activationToken: String? = "token"
    /// The identifiers of the sessions that the compositor has kept from former runs.
    package var knownSessions: Set<String> = []
    /// The identifier of a session that the compositor makes.
    package var newSession = "session-of-the-test"
    /// Whether the compositor repeats keys, from version 10 of seats on, and not the client.
    package var repeatsKeys = false

    package init() {}

    package init(offer: OfferedGlobals) {
        self.offer = offer
    }
}
