import Painting
import ImageTypes
import Synchronization
import Threads

/// Pixels that are painted beside everything else, on a thread that nobody waits for.
final class BackgroundPainting: Sendable {
    /// How far such threads stand back behind what moves and what is asked for.
    static let niceness: Int32 = 10

    private let cancellation = PaintingCancellation()
    private let result = Mutex<Result>(.none)

    private enum Result {
        case none
        case ended(Bitmap?)
    }

    /// Nil where no thread can be had; `wakeup` is raised when it has ended, also when it was cancelled.
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

    /// What came of it; nothing before it has ended, or when it was cancelled.
    var bitmap: Bitmap? {
        guard !isCancelled, case .ended(let bitmap) = result.withLock({ $0 }) else { return nil }
        return bitmap
    }

    /// Lets go of pixels, which takes milliseconds for some tens of megabytes, without waiting for it.
    static func release(_ bitmap: consuming Bitmap?) {
        guard let bitmap else { return }
        Thread.start { withExtendedLifetime(bitmap) {} }
    }
}
