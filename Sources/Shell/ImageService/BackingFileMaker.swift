import EventLoop
import ImageTypes
import Localization
import Threads

/// Makes the backing file of one picture at a time on a thread: a disk may take long to answer.
final class BackingFileMaker {
    private let backgroundJobs: BackgroundJobs
    /// Counts the requests; only the file of the newest one is delivered.
    private var lastNumber = 0

    /// Whether a file is being made that somebody waits for.
    private(set) var isMaking = false

    init(_ sources: EventSources) { backgroundJobs = BackgroundJobs(sources) }

    /// Makes a file as `BackingFile.make`, then calls `handler` in the loop.
    ///
    /// The handler owns the descriptor. A file that is requested later replaces this one.
    func make(
        bytes: Int, limit: Int, then handler: @escaping (Result<Int32, DecodeFailure>) -> Void
    ) {
        lastNumber += 1
        isMaking = true
        let isRunning = backgroundJobs.run({
            Result { () throws(DecodeFailure) in
                try BackingFile.make(bytes: bytes, limit: limit)
            }
        }) { [unowned self, lastNumber] file in
            guard isMaking, lastNumber == self.lastNumber else {
                if case .success(let descriptor) = file { Thread.close(descriptor) }
                return
            }
            isMaking = false
            handler(file)
        }
        if !isRunning {
            isMaking = false
            handler(.failure(.unreadable(reason: localized("no thread can be started"))))
        }
    }

    /// Nobody waits for the file any more.
    func cancel() { isMaking = false }
}
