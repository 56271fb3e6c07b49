package import EventLoop
package import ImageTypes
package import Motion

/// What the decode sessions of one thread have in common.
package struct DecoderEnvironment {
    /// The path of the decoder program.
    package let decoderPath: String
    package let limits: DecodeLimits
    /// The display whose colours decoded pixels have; sRGB if nil.
    package let screen: ScreenProfile?
    /// Where sessions register their sockets and deadlines.
    package let sources: EventSources
    /// The real clock, which measures the time limits of decoders.
    package let clock: () -> Moment

    package init(
        decoderPath: String, limits: DecodeLimits, screen: ScreenProfile?, sources: EventSources,
        clock: @escaping () -> Moment
    ) {
        self.decoderPath = decoderPath
        self.limits = limits
        self.screen = screen
        self.sources = sources
        self.clock = clock
    }

    /// The same environment without a display, for sessions that decode no pixels.
    package var withoutScreen: DecoderEnvironment {
        DecoderEnvironment(
            decoderPath: decoderPath, limits: limits, screen: nil, sources: sources, clock: clock)
    }
}
