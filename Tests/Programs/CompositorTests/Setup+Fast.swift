import CompositorKit
import Geometry

extension Setup {
    /// A screen that the window fills, and that is too fast and too large for any machine.
    static func fast(
        _ screen: PixelSize, hertz: Double, scale: Int32 = 1, offer: Offer = .everything,
        looksAtPixels: Bool = true
    ) -> Setup {
        var setup = Setup(offer: offer)
        setup.frames = .paced(hertz: hertz)
        setup.outputSize = screen
        setup.outputScale = scale
        setup.windowSize = screen.size * (1 / Double(scale))
        setup.looksAtPixels = looksAtPixels
        return setup
    }
}

extension Offer {
    /// That of a compositor which enlarges no buffers.
    static let withoutViewporter = everything.without(
        "wp_viewporter", "wp_fractional_scale_manager_v1")
}
