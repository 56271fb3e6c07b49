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

    /// The least time in seconds between a preview and the picture: four periods of 60 Hz.
    ///
    /// A preview takes one of them to be painted and another one to be composed, and it delays the picture by
    /// nearly one: without a preview only half of the rows are indexed. So the preview would be seen for one.
    private static var worthwhile: Double { 4.0 / 60 }

    /// Whether the picture is predicted to be further away than that, if all threads begin to decode after
    /// `delay` seconds.
    func isWorthwhile(in delay: Double = 0) -> Bool {
        secondsLeft(delay).map { $0 > Self.worthwhile } ?? true
    }

    func shouldContinue() -> Bool { previews.isWanted }

    func deliver(_ memory: Int32, isFinal: Bool) { previews.deliverPreview(memory) }
}
