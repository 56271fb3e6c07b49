package import Geometry
package import WaylandProtocol

/// How a test compositor is made and behaves at first.
package struct Setup {
    /// When the compositor gives a buffer back.
    package enum Release: Hashable, Sendable {
        /// Inside the commit, as mutter does: it has copied the pixels.
        case immediately
        /// When another buffer takes its place, as wlroots and weston do.
        case atNextCommit
        /// Only when the test says so, by `TestSurface.releaseAll`.
        case never
    }

    /// When the compositor asks for the next frame.
    package enum Frames: Hashable, Sendable {
        /// At the ticks of a screen, so many times a second.
        case paced(hertz: Double)
        /// Only when the test says so, by `TestSurface.finishFrame`; so a hidden window's.
        case never
    }

    /// What the compositor says of the moments at which frames were on the screen.
    package enum Presentation: Hashable, Sendable {
        /// With the screen's period.
        case fixed
        /// Of a screen whose period varies.
        case variable
        /// Nothing, as wlroots without a screen.
        case silent
    }

    package var offer = Offer.everything
    /// The mode of the one output, in device pixels, and its whole scale.
    package var outputSize = PixelSize(width: 1280, height: 800)
    package var outputScale: Int32 = 1
    /// The logical size that a window gets that is not fullscreen; nil leaves the choice to it.
    package var windowSize: Size? = Size(width: 640, height: 400)
    /// The devices of the one seat.
    package var capabilities: WlSeat.Capability = [.touch, .pointer, .keyboard]
    package var release = Release.atNextCommit
    package var frames = Frames.paced(hertz: 60)
    /// How long before a tick of the screen a commit has to be there to be shown at it, in
    /// milliseconds.
    package var latch = 0.0
    package var presentation = Presentation.fixed
    /// Whether every frame's pixels are copied, and compared with the frame before and with what
    /// its damage leaves; it takes about as long as painting them.
    package var looksAtPixels = true
    /// Whether the first commit of a window is answered by a configure.
    package var configuresByItself = true
    package var decoration = ZxdgToplevelDecorationV1.Mode.serverSide

    package init() {}

    package init(offer: Offer) {
        self.offer = offer
    }
}
