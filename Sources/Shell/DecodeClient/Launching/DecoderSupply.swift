import Glibc
import ImageTypes
import ImageWire
import Localization
import SystemCalls

/// A decoder process, and how it has ended.
final class StartedDecoder {
    fileprivate(set) var process: DecoderProcess?
    /// Nil while the process runs, and for an unknown end.
    fileprivate(set) var ending: DecoderEnding?

    /// Why the decoder has ended before the end of its request.
    ///
    /// A decoder that is killed after `processorLimit` seconds of processor time has reached its limit
    /// of processor time.
    func failure(processorLimit: Int) -> DecodeFailure {
        switch ending {
        case .signalled(let signal, let seconds):
            guard signal == Int(SIGKILL) else { return .crashed }
            return seconds >= processorLimit ? .cpuLimitReached : .killed
        case .notStarted(let code):
            let reason =
                process?.startError?.description ?? SystemError(code: Int32(code)).description
            return .unreadable(reason: localized("the decoder cannot be started: \(reason)"))
        // A decoder that is cut off is no fault of the file, and ends by itself.
        case .exited, nil: return process?.isCutOff == true ? .killed : .crashed
        }
    }
}

/// Starts the decoders of a client: the next one is started ahead of its request.
final class DecoderSupply {
    let launcher: DecoderLauncher
    /// The niceness of the decoder processes, as in nice(2).
    private let niceness: Int32
    private let usesScreen: Bool
    /// The decoder for the next request; nil if it has ended by itself.
    private var next: StartedDecoder?

    /// Starts the first decoder; throws if it cannot be started.
    init(
        _ launcher: DecoderLauncher, niceness: Int32, usesScreen: Bool
    ) throws(DecodeClientError) {
        self.launcher = launcher
        self.niceness = niceness
        self.usesScreen = usesScreen
        next = try start()
    }

    /// The decoder for a request; throws if it cannot be started.
    func take() throws(DecodeClientError) -> StartedDecoder {
        // The next decoder may have ended since it was started.
        launcher.handleReadable()
        let decoder: StartedDecoder
        if let next { decoder = next } else { decoder = try start() }
        next = nil
        return decoder
    }

    /// Starts the decoder for the next request, unless it runs.
    func prepare() {
        // A decoder that cannot be started is a failure of the next request.
        if next == nil { next = try? start() }
    }

    private func start() throws(DecodeClientError) -> StartedDecoder {
        let decoder = StartedDecoder()
        decoder.process = try launcher.start(niceness: niceness, usesScreen: usesScreen) {
            [weak self, weak decoder] ending in
            guard let decoder else { return }
            decoder.ending = ending
            // A decoder that ends while it waits might do so again at once, so the next one is started
            // only when there is a file for it.
            if self?.next === decoder { self?.next = nil }
        }
        return decoder
    }
}
