/// How bright a screen can be.
package struct ScreenLight: Hashable, Sendable {
    /// The luminances of ordinary white and of the brightest pixel, in cd/m².
    package let white: Double
    package let brightest: Double
    /// Whether the compositor knows the screen; else its brightest pixel is assumed.
    package let isKnown: Bool

    /// The luminance of a transfer function's brightest value, which compositors report where they do not know the
    /// screen.
    private static let unknown = 10_000.0
    /// What is assumed of such a screen, in multiples of white.
    private static let assumed = 4.0
    private static let luminances = 1.0...10_000

    /// Nil for luminances that no screen has.
    init?(white: UInt32, brightest: UInt32) {
        let (white, brightest) = (Double(white), Double(brightest))
        guard Self.luminances.contains(white), Self.luminances.contains(brightest),
            brightest >= white
        else { return nil }
        self.white = white
        isKnown = brightest != Self.unknown
        self.brightest = brightest == Self.unknown ? white * Self.assumed : brightest
    }

    /// How many times as bright as white the brightest pixel is.
    package var headroom: Double { brightest / white }
}
