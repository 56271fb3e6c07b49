import CompositorKit
import Geometry

extension Setup {
    /// A screen that the window fills, with a refresh rate and size that no machine can keep up with.
    static func fast(
        _ screen: PixelSize, hertz: Double, scale: Int32 = 1, offer: OfferedGlobals = .everything,
        checksPixels: Bool = true
    ) -> Setup {
        var setup = Setup(offer: offer)
        setup.frames = .paced(hertz: hertz)
        setup.outputSize = screen
        setup.outputScale = scale
        setup.windowSize = screen.size * (1 / Double(scale))
        setup.checksPixels = checksPixels
        return setup
    }
}

extension OfferedGlobals {
    /// The globals of a compositor that cannot enlarge buffers.
    static let withoutViewporter = everything.without(
        "wp_viewporter", "wp_fractional_scale_manager_v1")
}
