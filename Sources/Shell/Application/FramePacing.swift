import Browser
import Geometry
import Motion
import Pacing
import Painting
import SceneModel
import WaylandClient

/// Decides when a frame is painted and how finely, paints it, and keeps what the trace wants to
/// know of it.
struct FramePacing: ~Copyable {
    /// A frame as it is to be painted.
    struct Plan {
        var frame: BrowserFrame
        /// What it shows the state of.
        var moment: Moment
        /// When it was to be begun.
        var start: Moment
        /// Whether it is one of a motion.
        var isMoving: Bool
        /// Pixels that are sampled per device pixel, along each side.
        var resolution: Double
        /// Buffer pixels per device pixel, along each side.
        var bufferResolution: Double
    }

    /// A frame that was painted and is about to be committed.
    struct Painted {
        var plan: Plan
        /// When it was begun.
        var begun: Moment
        var buffer: PixelSize
        /// What differs from the frame before, in pixels of the buffer.
        var damage: [PixelRect]
        /// Whether most of the buffer was painted.
        var isWhole: Bool
        var paintTime: Double
    }

    private let settings: FrameSettings
    private let clock: () -> Moment
    private var trace: FrameTrace
    /// What sees every frame of which the trace hears.
    var onFrame: ((BrowserFrame, Moment) -> Void)?
    private var schedule = FrameClock()
    private let enlarger: Enlarger
    private var governor: ResolutionGovernor
    /// Only where somebody wants to see it.
    private var display: HeadUpDisplay?
    private var needsFrame = true
    /// Whether a frame was due when the next one was to be begun.
    private var isDirect = false
    /// What the frame on the surface shows, and how it was painted.
    private var lastScene: Scene?
    private var lastPainted: Scene?
    private var lastResolution = 1.0
    /// When the last frame of a motion was painted.
    private var lastMotion: Moment?
    /// When the surface's size was first known.
    private var configuredAt: Moment?
    /// When the last frame callback came; nil while one is to come.
    private var callback: Moment?
    /// When the oldest and the newest input that are not on the surface yet arrived.
    private var inputs: (oldest: Moment, newest: Moment)?
    private var commits: [(number: Int, moment: Moment)] = []
    private var lastLatency: Double?

    /// How long a window waits for its first picture before it shows itself without, in
    /// milliseconds: an empty frame that is replaced at once is a flash.
    private static let patience = 200.0
    /// What is due as soon after a callback as this, in milliseconds, was due when it came.
    private static let promptness = 1.0
    /// A frame that is begun later than this shows its real time, in milliseconds.
    private static let steadiness = 4.0
    /// How long fingers rest before what they hold is painted as finely as the screen, in
    /// milliseconds.
    private static let repose = 80.0

    init(
        _ trace: consuming FrameTrace, _ settings: FrameSettings, enlarger: Enlarger,
        hasDisplay: Bool, clock: @escaping () -> Moment
    ) {
        self.clock = clock
        self.trace = trace
        self.settings = settings
        self.enlarger = enlarger
        governor = ResolutionGovernor(for: enlarger)
        display = hasDisplay ? HeadUpDisplay() : nil
    }

    // MARK: What happens

    /// Something changed: the next frame is to be painted.
    mutating func invalidate() { needsFrame = true }

    mutating func inputArrived(at moment: Moment) {
        needsFrame = true
        inputs = (inputs?.oldest ?? moment, moment)
    }

    mutating func surfaceIsKnown(at moment: Moment) {
        if configuredAt == nil { configuredAt = moment }
        needsFrame = true
    }

    /// The compositor is ready for the next frame.
    mutating func frameDone(at moment: Moment) {
        callback = moment
        isDirect = false
        schedule.frameDone(at: moment)
    }

    mutating func presented(_ commit: Int, at moment: Moment, refresh: Double?) {
        schedule.presented(commit, at: moment, refresh: refresh)
        guard let index = commits.firstIndex(where: { $0.number == commit }) else { return }
        lastLatency = moment.seconds(since: commits[index].moment) * 1000
        commits.removeSubrange(...index)
    }

    // MARK: When to paint

    /// When a frame is due though nothing happens: the first one without a picture, and what was
    /// painted coarsely when it has come to rest under the fingers.
    var deadline: Moment? {
        if lastScene == nil { return configuredAt?.advanced(byMilliseconds: Self.patience) }
        // While a frame is due already, or none can be painted, nothing is gained by waking up.
        guard lastResolution != 1, !needsFrame, callback != nil else { return nil }
        return lastMotion?.advanced(byMilliseconds: Self.repose)
    }

    /// Whether the frame on the surface is one of a motion, so that another has to follow: the last
    /// one of all shows the rest.
    private(set) var showsMotion = false

    /// When the next frame is to be begun, now or later, if the compositor is ready for one; nil
    /// where there is nothing to show.
    mutating func start(hasContent: Bool, at now: Moment) -> Moment? {
        guard needsFrame else { return nil }
        if lastScene == nil, !hasContent {
            guard let deadline, now >= deadline else { return nil }
        }
        let start = settings.holdBack ? schedule.start : nil
        if let callback, now <= start ?? callback.advanced(byMilliseconds: Self.promptness) {
            isDirect = true
        }
        // What is due only after the time has come is not held back.
        return isDirect ? start ?? now : now
    }

    /// What moment a frame that is begun at `now` shows: the one at which it was to be begun, since
    /// those are evenly spaced, whereas threads wake up when they are let.
    static func moment(of start: Moment, at now: Moment) -> Moment {
        now.seconds(since: start) * 1000 < steadiness ? min(start, now) : now
    }

    /// What is to be painted; nil when it is on the surface already.
    ///
    /// Then the trace hears of it all the same.
    mutating func plan(_ session: Session, start: Moment, at moment: Moment) -> Plan? {
        let frame = session.frame(at: moment)
        showsMotion = session.isAnimating(at: moment)
        let isChanged = frame.scene != lastScene || showsMotion
        let isMoving = showsMotion || isChanged && frame.isHeld
        if isMoving { lastMotion = moment }
        let isSharp = lastResolution == 1 || frame.isHeld && !hasRested(at: moment)
        guard isChanged || !isSharp else {
            (needsFrame, isDirect) = (false, false)
            // It is on the surface already.
            inputs = nil
            onFrame?(frame, moment)
            trace.write(
                frame, at: moment, buffer: lastPainted?.pixelSize ?? .zero, damage: [],
                path: session.path(at:), timings: .init())
            return nil
        }
        var (resolution, bufferResolution) = (1.0, 1.0)
        if settings.adaptiveResolution {
            if isMoving { resolution = governor.resolution }
            bufferResolution = min(
                enlarger.bufferResolution(at: resolution),
                enlarger.bufferResolution(
                    for: session.detail(of: frame.scene), on: frame.scene.pixelSize))
        }
        return Plan(
            frame: frame, moment: moment, start: start, isMoving: isMoving, resolution: resolution,
            bufferResolution: bufferResolution)
    }

    private func hasRested(at moment: Moment) -> Bool {
        guard let lastMotion else { return true }
        return moment.seconds(since: lastMotion) * 1000 >= Self.repose
    }

    // MARK: Painting

    /// Paints a frame; `refresh` is what the screen says of its period, in milliseconds.
    mutating func paint(
        _ plan: Plan, _ session: Session, into buffer: FrameBuffer, refresh: Double
    ) -> Painted {
        let begun = clock()
        needsFrame = false
        var scene = plan.frame.scene
        scene.scale *= buffer.resolution
        let blocks = PixelBlocks(
            side: enlarger.blockSide(at: plan.resolution), of: buffer.size)
        // Where blocks become larger or smaller, every pixel may be another.
        let isOtherwise = plan.resolution != lastResolution
        var damage = scene.damage(since: isOtherwise ? nil : lastPainted)
        // A commit that changes nothing need not lead to a frame callback, and a motion that happens
        // to stand still for a moment waits for one.
        if damage.isEmpty { damage = [PixelRect(x: 0, y: 0, width: 1, height: 1)] }
        lastScene = plan.frame.scene
        lastPainted = scene
        lastResolution = plan.resolution
        if let display {
            scene.items += display.items(
                refresh: schedule.refresh ?? refresh, lateFrames: schedule.lateFrames)
            let place = PixelRect(
                touching: HeadUpDisplay.rect * scene.scale, in: PixelRect(buffer.size))
            damage.append(place)
        }
        damage = blocks.covering(damage)
        let painted = blocks.covering(buffer.stale.rects(in: buffer.size) + damage)
        buffer.withMemory { memory in
            session.paint(
                scene, into: Canvas(memory: memory, size: buffer.size, stride: buffer.stride),
                blockSide: blocks.side, damage: painted)
        }
        let area = painted.reduce(0) { $0 + $1.width * $1.height }
        return Painted(
            plan: plan, begun: begun, buffer: buffer.size, damage: damage,
            isWhole: area * 2 > buffer.size.width * buffer.size.height,
            paintTime: clock().seconds(since: begun) * 1000)
    }

    /// Takes note of a commit; `refresh` as for painting.
    mutating func committed(
        _ painted: Painted, _ commit: Int, refresh: Double, path: (Int) -> String
    ) {
        let now = clock()
        let plan = painted.plan
        let held = callback.map { max(0, plan.start.seconds(since: $0) * 1000) }
        schedule.committed(commit, at: now, start: plan.start, isDirect: isDirect)
        // One that has fewer pixels for want of detail tells nothing of those that have it.
        if plan.isMoving,
            plan.bufferResolution == enlarger.bufferResolution(at: plan.resolution)
        {
            governor.painted(
                in: now.seconds(since: painted.begun) * 1000,
                budget: schedule.budget(assuming: refresh), at: lastResolution,
                isWhole: painted.isWhole)
        }
        let resolution = min(lastResolution, plan.bufferResolution)
        let timings = TraceLine.Timings(
            paint: painted.paintTime,
            inputToCommit: inputs.map { now.seconds(since: $0.oldest) * 1000 },
            newestInputToCommit: inputs.map { now.seconds(since: $0.newest) * 1000 },
            held: isDirect ? held : nil, commitToPresent: lastLatency,
            lateFrames: schedule.lateFrames, resolution: resolution)
        display?.add(
            FrameRecord(
                paint: painted.paintTime, latency: timings.newestInputToCommit,
                resolution: resolution))
        inputs = nil
        callback = nil
        commits.append((commit, now))
        if commits.count > 16 { commits.removeFirst() }
        onFrame?(plan.frame, plan.moment)
        trace.write(
            plan.frame, at: plan.moment, buffer: painted.buffer, damage: painted.damage,
            path: path, timings: timings)
    }

    mutating func finish() { trace.finish() }
}
