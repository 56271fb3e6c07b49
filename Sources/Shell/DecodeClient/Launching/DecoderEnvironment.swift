package import EventLoop
package import FileAccess
package import ImageTypes
package import Motion

/// What the decode sessions of one thread have in common.
package final class DecoderEnvironment {
    package let program: DecoderProgram
    package let limits: DecodeLimits
    /// The display whose colours decoded pixels have; sRGB if nil.
    package let screen: ScreenProfile?
    /// Where sessions register their sockets and deadlines.
    package let sources: EventSources
    /// The real clock, which measures the time limits of decoders.
    package let clock: () -> Moment
    /// How many sessions share the memory for pixels.
    package var sharers = 1
    let launcher: DecoderLauncher
    /// Opens files; nil if all files are in memory.
    package let files: FileClient?
    private let registered: [EventSources.Source]

    /// Starts the decoder program; throws if it cannot be started.
    package init(
        program: DecoderProgram, limits: DecodeLimits, screen: ScreenProfile?,
        sources: EventSources,
        files: FileClient? = nil, clock: @escaping () -> Moment
    ) throws(DecodeClientError) {
        self.program = program
        self.limits = limits
        self.screen = screen
        self.sources = sources
        self.clock = clock
        let launcher = try DecoderLauncher(program, limits: limits, screen: screen)
        self.launcher = launcher
        let source = sources.add(descriptor: launcher.socket) { launcher.handleReadable() }
        self.files = files
        var registered = [source]
        if let files {
            let source = sources.add(descriptor: files.socket) { files.handleReadable() }
            files.onNewSocket = { [unowned sources] in sources.setDescriptor($0, of: source) }
            registered.append(source)
        }
        self.registered = registered
        launcher.onNewSocket = { [unowned sources] in sources.setDescriptor($0, of: source) }
    }

    /// Prepares for the thumbnails of many files.
    package func warmUp() { launcher.warmUp() }

    /// The memory for the pixels of one session, in bytes.
    package var memory: Int { limits.memory / max(sharers, 1) }

    deinit {
        for source in registered { sources.remove(source) }
    }
}
