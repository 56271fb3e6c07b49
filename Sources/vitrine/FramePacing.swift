import Collection
import GalleryCore
import Geometry
import Motion
import Painting
import SceneModel
import ViewerCore
import WaylandClient

/// Decides when a frame is painted, paints it, and keeps what the trace wants to know of it.
struct FramePacing: ~Copyable {
    /// A frame that was painted and is about to be committed.
    struct Painted {
        var frame: GalleryFrame
        var moment: Moment
        /// What differs from the frame before, in device pixels.
        var damage: [PixelRect]
        var paintTime: Double
    }

    private var trace: OutputFile?
    private var needsFrame = true
    private var lastScene: Scene?
    /// What is about to be painted.
    private var next: GalleryFrame?
    /// When the surface's size was first known.
    private var configuredAt: Moment?
    /// Time 0 of the trace.
    private var start: Moment?
    /// When the oldest input that is not on the surface yet arrived.
    private var oldestInput: Moment?
    private var commits: [(number: Int, moment: Moment)] = []
    private var lastLatency: Double?

    /// How long a window waits for its first picture before it shows itself without, in
    /// milliseconds: an empty frame that is replaced at once is a flash.
    private static let patience = 100.0

    init(trace path: FilePath?) throws(RunFailure) {
        guard let path else { return }
        do throws(SystemError) {
            trace = try OutputFile(path)
        } catch { throw RunFailure(path, "cannot be written: \(error)") }
    }

    /// Something changed: the next frame is to be painted.
    mutating func invalidate() { needsFrame = true }

    mutating func inputArrived(at moment: Moment) {
        needsFrame = true
        if oldestInput == nil { oldestInput = moment }
    }

    mutating func surfaceIsKnown(at moment: Moment) {
        if configuredAt == nil { configuredAt = moment }
        needsFrame = true
    }

    /// When the first frame is painted even without a picture.
    var firstFrameDeadline: Moment? {
        lastScene == nil ? configuredAt?.advanced(byMilliseconds: Self.patience) : nil
    }

    /// Whether the frame on the surface is one of a motion, so that another has to follow: the last
    /// one of all shows the rest.
    private(set) var showsMotion = false

    /// Whether a frame is to be painted now, if the compositor is ready for one.
    func isDue(hasContent: Bool, at now: Moment) -> Bool {
        guard needsFrame else { return false }
        guard lastScene == nil, !hasContent else { return true }
        return firstFrameDeadline.map { now >= $0 } ?? false
    }

    /// Looks at what the frame would show; false when it is what is on the surface already.
    ///
    /// Then nothing is to be painted, but the trace hears of it all the same.
    mutating func hasChanges(
        _ session: Session, at now: Moment
    ) -> Bool {
        if start == nil { start = now }
        let frame = session.frame(at: now)
        next = frame
        showsMotion = session.isAnimating(at: now)
        if frame.scene != lastScene || session.isAnimating(at: now) {
            return true
        }
        needsFrame = false
        write(frame, at: now, damage: [], path: session.path(at:), timings: .init())
        return false
    }

    /// Paints the frame that `hasChanges` has looked at.
    mutating func paint(_ session: Session, into buffer: FrameBuffer, at now: Moment) -> Painted {
        needsFrame = false
        let frame = next ?? session.frame(at: now)
        next = nil
        var damage = frame.scene.damage(since: lastScene)
        // A commit that changes nothing need not lead to a frame callback, and a motion that happens
        // to stand still for a moment waits for one.
        if damage.isEmpty { damage = [PixelRect(x: 0, y: 0, width: 1, height: 1)] }
        var stale: [PixelRect]
        switch buffer.stale {
        case .everything: stale = [PixelRect(buffer.size)]
        case .rects(let rects): stale = rects
        }
        stale = PixelRect.merged(stale + damage)
        buffer.withMemory { memory in
            session.paint(
                frame.scene,
                into: Canvas(memory: memory, size: buffer.size, stride: buffer.stride),
                damage: stale)
        }
        lastScene = frame.scene
        let paintTime = MonotonicClock.now().seconds(since: now) * 1000
        return Painted(frame: frame, moment: now, damage: damage, paintTime: paintTime)
    }

    mutating func committed(_ painted: Painted, _ commit: Int, path: (Int) -> String) {
        let now = MonotonicClock.now()
        let timings = TraceLine.Timings(
            paint: painted.paintTime,
            inputToCommit: oldestInput.map { now.seconds(since: $0) * 1000 },
            commitToPresent: lastLatency)
        oldestInput = nil
        commits.append((commit, now))
        if commits.count > 16 { commits.removeFirst() }
        write(
            painted.frame, at: painted.moment, damage: painted.damage, path: path,
            timings: timings)
    }

    private mutating func write(
        _ frame: GalleryFrame, at moment: Moment, damage: [PixelRect], path: (Int) -> String,
        timings: TraceLine.Timings
    ) {
        guard trace != nil else { return }
        let line = TraceLine.text(
            frame, path: path, at: moment.seconds(since: start ?? moment) * 1000,
            damage: damage, timings: timings)
        // A line at a time: others watch the trace while it grows.
        if trace?.write(line) == false || trace?.flush() == false {
            Diagnostics.error("the trace cannot be written any more")
            trace = nil
        }
    }

    mutating func presented(_ commit: Int, at moment: Moment) {
        guard let index = commits.firstIndex(where: { $0.number == commit }) else { return }
        lastLatency = moment.seconds(since: commits[index].moment) * 1000
        commits.removeSubrange(...index)
    }

    mutating func finish() {
        _ = trace?.flush()
    }
}
