package import EventLoop
package import ImageTypes
package import Motion

/// What the decode sessions of one thread have in common.
package final class DecoderEnvironment {
    /// The path of the decoder program.
    package let decoderPath: String
    package let limits: DecodeLimits
    /// The display whose colours decoded pixels have; sRGB if nil.
    package let screen: ScreenProfile?
    /// Where sessions register their sockets and deadlines.
    package let sources: EventSources
    /// The real clock, which measures the time limits of decoders.
    package let clock: () -> Moment
    let launcher: DecoderLauncher
    private let source: EventSources.Source

    /// Starts the decoder program; throws if it cannot be started.
    package init(
        decoderPath: String, limits: DecodeLimits, screen: ScreenProfile?, sources: EventSources,
        clock: @escaping () -> Moment
    ) throws(DecodeClientError) {
        self.decoderPath = decoderPath
        self.limits = limits
        self.screen = screen
        self.sources = sources
        self.clock = clock
        let launcher = try DecoderLauncher(decoderPath, limits: limits, screen: screen)
        self.launcher = launcher
        let source = sources.add(descriptor: launcher.socket) { launcher.handleReadable() }
        self.source = source
        launcher.onNewSocket = { [unowned sources] in sources.setDescriptor($0, of: source) }
    }

    deinit { sources.remove(source) }
}
