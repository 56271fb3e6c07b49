import Geometry
import Glibc
import ImageTypes
import Synchronization
import Threads

/// Shows smaller pictures from a thread of their own while the picture itself is decoded, one after the
/// other and none after it.
///
/// `@unchecked Sendable`: the sink is used with the lock held, what makes the pictures by the second
/// thread alone, and that is over before `end` returns; `isRunning` belongs to the thread that calls
/// `start` and `end`.
final class Previews<Sink: DecodeSink>: DecodeSink, @unchecked Sendable {
    private let sink: Sink
    private let isOver = Mutex(false)
    private let done = Signal()
    /// Raised once all are shown.
    let areShown = Signal()
    private var isRunning = false

    init(_ sink: Sink) { self.sink = sink }

    /// Runs `show` with a sink that stops it once the picture itself is there; where no thread can be had
    /// nothing is shown early.
    func start(_ show: @escaping (PreviewSink<Sink>) -> Void) {
        let body = Body(show: show)
        isRunning = Thread.start { [self] in
            body.show(PreviewSink(pictures: self))
            areShown.raise()
            done.raise()
        }
        if !isRunning { areShown.raise() }
    }

    /// No more is shown; returns when the thread has come to its end.
    func end() {
        isOver.withLock { $0 = true }
        if isRunning { done.wait() }
        isRunning = false
    }

    func shouldContinue() -> Bool { isOver.withLock { _ in sink.shouldContinue() } }

    func deliver(_ memory: Int32, isFinal: Bool) {
        isOver.withLock { isOver in
            if isFinal { isOver = true }
            sink.deliver(memory, isFinal: isFinal)
        }
    }

    fileprivate var isWanted: Bool { isOver.withLock { !$0 } }

    fileprivate func deliverEarly(_ memory: Int32) {
        isOver.withLock { isOver in
            if isOver { close(memory) } else { sink.deliver(memory, isFinal: false) }
        }
    }

    /// `@unchecked Sendable`: called once, by the thread that it is given to.
    private struct Body: @unchecked Sendable {
        let show: (PreviewSink<Sink>) -> Void
    }
}

/// The second thread's end.
struct PreviewSink<Sink: DecodeSink>: DecodeSink {
    fileprivate let pictures: Previews<Sink>

    func shouldContinue() -> Bool { pictures.isWanted }

    func deliver(_ memory: Int32, isFinal: Bool) { pictures.deliverEarly(memory) }
}
