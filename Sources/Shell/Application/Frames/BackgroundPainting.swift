import Painting
import ImageTypes
import Synchronization
import Threads

/// A bitmap that is painted on a background thread.
final class BackgroundPainting: Sendable {
    /// The nice value of background threads, below painting of frames and decoding.
    static let niceness: Int32 = 10

    private let cancellation = PaintingCancellation()
    private let result = Mutex<Result>(.none)

    private enum Result {
        case none
        case ended(Bitmap?)
    }

    /// Starts the job on a new thread; nil if no thread can be created.
    ///
    /// `wakeup` is raised when the job has ended, even if it was cancelled.
    init?(
        on workers: WorkerPool, wakeup: Wakeup,
        _ make: @escaping @Sendable (Painter.Concurrency, PaintingCancellation) -> Bitmap?
    ) {
        let hasStarted = Thread.start(niceness: Self.niceness) { [self] in
            let bitmap = make({ workers.run($0, $1) }, cancellation)
            result.withLock { $0 = .ended(bitmap) }
            wakeup.raise()
        }
        guard hasStarted else { return nil }
    }

    func cancel() { cancellation.cancel() }
    var isCancelled: Bool { cancellation.isCancelled }

    var hasEnded: Bool {
        result.withLock { if case .ended = $0 { true } else { false } }
    }

    /// The result; nil before the job has ended, if it was cancelled, or if it failed.
    var bitmap: Bitmap? {
        guard !isCancelled, case .ended(let bitmap) = result.withLock({ $0 }) else { return nil }
        return bitmap
    }

    /// Frees a bitmap on another thread, because freeing tens of megabytes takes milliseconds.
    static func release(_ bitmap: consuming Bitmap?) {
        guard let bitmap else { return }
        Thread.start { withExtendedLifetime(bitmap) {} }
    }
}
