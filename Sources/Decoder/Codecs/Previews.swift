import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import Synchronization
import Threads

/// Delivers previews from a second thread while the picture is decoded, and none after the picture.
///
/// `@unchecked Sendable`: the sink is used only with the lock held. The decoder of the previews is
/// used only by the second thread, which has ended when `end` returns. `isRunning` is used only by
/// the thread that calls `start` and `end`.
final class Previews<Sink: DecodeSink>: DecodeSink, @unchecked Sendable {
    private let sink: Sink
    private let isOver = Mutex(false)
    private let done = Signal()
    /// Raised once all previews are delivered.
    let areDelivered = Signal()
    private var isRunning = false

    init(_ sink: Sink) { self.sink = sink }

    /// Runs `show` on the second thread, with a sink that stops it once the picture is delivered.
    ///
    /// `secondsLeft` predicts the time until the picture is complete, if all threads decode after a delay, both
    /// in seconds; nil where nothing can be predicted. If no thread can be started there are no previews.
    func start(
        secondsLeft: @escaping (Double) -> Double? = { _ in nil },
        _ show: @escaping (PreviewSink<Sink>) -> Void
    ) {
        let body = Body(secondsLeft: secondsLeft, show: show)
        isRunning = Thread.start { [self] in
            body.show(PreviewSink(previews: self, secondsLeft: body.secondsLeft))
            areDelivered.raise()
            done.raise()
        }
        if !isRunning { areDelivered.raise() }
    }

    /// Stops the previews; returns when the second thread has ended.
    func end() {
        isOver.withLock { $0 = true }
        if isRunning { done.wait() }
        isRunning = false
    }

    var acceptsPlanes: Bool { isOver.withLock { _ in sink.acceptsPlanes } }

    func shouldContinue() -> Bool { isOver.withLock { _ in sink.shouldContinue() } }

    func deliver(_ memory: Int32, isFinal: Bool) {
        isOver.withLock { isOver in
            if isFinal { isOver = true }
            sink.deliver(memory, isFinal: isFinal)
        }
    }

    fileprivate var isWanted: Bool { isOver.withLock { !$0 } }

    fileprivate func deliverPreview(_ memory: Int32) {
        isOver.withLock { isOver in
            if isOver { close(memory) } else { sink.deliver(memory, isFinal: false) }
        }
    }

    /// `@unchecked Sendable`: the closures are created before the second thread starts, and only that
    /// thread calls them.
    private struct Body: @unchecked Sendable {
        let secondsLeft: (Double) -> Double?
        let show: (PreviewSink<Sink>) -> Void
    }
}

/// The sink that the second thread delivers to.
struct PreviewSink<Sink: DecodeSink>: DecodeSink {
    fileprivate let previews: Previews<Sink>
    fileprivate let secondsLeft: (Double) -> Double?

    /// How long a period of 60 Hz is, in seconds.
    private static var period: Double { 1.0 / 60 }

    /// Whether the picture is predicted to be further away than a preview is worth, if all threads begin to decode
    /// after `delay` seconds.
    ///
    /// A preview takes a period to be painted and another one to be composed. With `delaysPicture` it delays the
    /// picture by nearly one more, so that it would be seen for less than two of four periods.
    func isWorthwhile(in delay: Double = 0, delaysPicture: Bool) -> Bool {
        secondsLeft(delay).map { $0 > Self.period * (delaysPicture ? 4 : 2) } ?? true
    }

    func shouldContinue() -> Bool { previews.isWanted }

    func deliver(_ memory: Int32, isFinal: Bool) { previews.deliverPreview(memory) }
}
