import Browser
import Geometry
import Motion
import Pacing
import Painting
import SceneModel
import Viewer
import WaylandClient

/// Decides when and at which resolution a frame is painted, paints it, and collects its timings for the
/// trace.
struct FramePacing: ~Copyable {
    /// A frame that is about to be painted.
    struct Plan {
        var frame: BrowserFrame
        /// The moment whose state the frame shows.
        var moment: Moment
        /// The planned start of painting, or the actual one where that is earlier.
        var start: Moment
        /// Whether another frame may differ without any event.
        var isAnimating: Bool
        /// Whether the frame is part of a motion.
        var isMoving: Bool
        /// Whether a slideshow fades.
        var isFade: Bool
        /// Whether the frame is on the surface already.
        var isShown: Bool
        /// Whether the buffer is small because pictures have few pixels, and a larger one follows soon.
        var isPreview = false
        /// Sampled pixels per device pixel, along each side.
        var resolution = 1.0
        /// Buffer pixels per device pixel, along each side.
        var bufferResolution = 1.0
    }

    /// A frame that was painted and is about to be committed.
    struct Painted {
        var plan: Plan
        /// The actual start of painting.
        var started: Moment
        /// The size of the buffer in pixels.
        var buffer: PixelSize
        /// The area that differs from the frame before, in buffer pixels.
        var damage: [PixelRect]
        /// Whether most of the buffer was painted.
        var isWhole: Bool
        /// Whether each pixel of the buffer is a device pixel of the scene, and nothing else is in the buffer.
        var isExact: Bool
        /// In milliseconds.
        var paintTime: Double
        /// Nil on a screen without headroom.
        var light: TraceLine.Light?
    }

    /// How many times as bright as white the screen can be; nil without headroom.
    var headroom: Double?

    var settings: FrameSettings
    private let clock: () -> Moment
    private var trace: FrameTrace
    /// Called with every frame that is written to the trace, and its moment.
    var onFrame: ((BrowserFrame, Moment) -> Void)?
    /// The radius of the window's corners, in logical pixels.
    var cornerRadius = 0.0
    private var schedule = FrameClock()
    private var upscaler: Upscaler
    private var governors: FrameGovernors
    /// The graph of frame times; nil unless requested.
    private var display: HeadUpDisplay?
    private var needsFrame = true
    /// Whether the next frame was requested before its planned start, so that it directly follows the
    /// frame before.
    private var isDirect = false
    private var surface = SurfaceContent()
    /// When the size of the surface was first known.
    private var configuredAt: Moment?
    /// When the last frame callback arrived; nil while one is pending.
    private var callback: Moment?
    /// When the oldest and the newest input arrived that are not on the surface yet.
    private var inputs: (oldest: Moment, newest: Moment)?
    private var rhythm = InputRhythm()
    private var commits: [(number: Int, moment: Moment)] = []
    private var lastLatency: Double?

    /// How long a window waits for its first picture before it is mapped without one, in milliseconds.
    ///
    /// An empty frame that is replaced soon would flash.
    private static let mappingTimeout = 200.0
    /// A frame requested within this time after a frame callback counts as requested when the callback
    /// arrived, in milliseconds.
    private static let callbackSlack = 1.0
    /// A frame started later than this after its planned start shows its real time, in milliseconds.
    private static let startTolerance = 4.0

    init(
        _ trace: consuming FrameTrace, _ settings: FrameSettings, upscaler: Upscaler,
        hasDisplay: Bool, clock: @escaping () -> Moment
    ) {
        self.clock = clock
        self.trace = trace
        self.settings = settings
        self.upscaler = upscaler
        governors = FrameGovernors(for: upscaler)
        display = hasDisplay ? HeadUpDisplay() : nil
    }

    // MARK: Events

    /// Requests a new frame because something changed.
    mutating func invalidate() { needsFrame = true }

    /// Requests a frame that is painted as a whole, because pixels of the last one were dropped.
    mutating func repaint() { (needsFrame, surface.lacksPixels) = (true, true) }

    /// Whether the last frame may be brighter than white, here or on a screen with headroom.
    var isBright: Bool { surface.scene?.isLit == true }

    mutating func inputArrived(at moment: Moment) {
        needsFrame = true
        inputs = (inputs?.oldest ?? moment, moment)
        rhythm.arrived(at: moment)
    }

    /// Begins anew in another window; the trace goes on.
    mutating func windowIsNew(upscaler: Upscaler) {
        self.upscaler = upscaler
        governors = FrameGovernors(for: upscaler)
        schedule = FrameClock()
        surface = SurfaceContent()
        (configuredAt, callback, inputs, lastLatency) = (nil, nil, nil, nil)
        commits = []
        repaint()
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

    /// When a frame is due without an event: the first frame without a picture, and the frame at full
    /// resolution after the fingers have come to rest.
    var deadline: Moment? {
        if surface.scene == nil {
            return configuredAt?.advanced(byMilliseconds: Self.mappingTimeout)
        }
        // No deadline is needed while a frame is requested already, or none can be painted.
        guard surface.resolution != 1, !needsFrame, callback != nil else { return nil }
        return surface.rest
    }

    /// See `SurfaceContent.showsMotion`.
    var showsMotion: Bool { surface.showsMotion }

    /// When painting of the next frame should start, at `now` or later; nil if there is nothing to show.
    ///
    /// The compositor must be ready for a frame.
    mutating func start(hasContent: Bool, at now: Moment) -> Moment? {
        guard needsFrame else { return nil }
        if surface.scene == nil, !hasContent {
            guard let deadline, now >= deadline else { return nil }
        }
        let start = settings.holdBack ? schedule.start : nil
        if let callback, now <= start ?? callback.advanced(byMilliseconds: Self.callbackSlack) {
            isDirect = true
        }
        // A frame that is requested after its planned start is not held back.
        return isDirect ? start ?? now : now
    }

    /// Whether there is input to show, and no newer input is expected before `start`.
    func hasLastInput(before start: Moment) -> Bool {
        guard inputs != nil, let next = rhythm.next else { return false }
        return next > start
    }

    /// The moment that a frame started at `now` shows.
    ///
    /// It is the planned start unless the frame is late: planned starts are evenly spaced, while input and
    /// the wake-ups of threads are not.
    static func moment(of start: Moment, at now: Moment) -> Moment {
        now.seconds(since: start) * 1000 < startTolerance ? start : now
    }

    /// How a frame is painted, unless it is on the surface already.
    ///
    /// `isAnimating` says whether another frame may differ without any event; `detail` is
    /// `FrameComposer.detail`.
    func plan(
        _ given: BrowserFrame, isAnimating: Bool, start: Moment, at moment: Moment,
        detail: (Scene) -> Double
    ) -> Plan {
        var frame = given
        frame.scene.cornerRadius = cornerRadius
        let isChanged = isAnimating || surface.differs(from: frame.scene)
        let isMoving = isAnimating || isChanged && frame.isHeld
        let hasRested = !isMoving && surface.hasRested(at: moment)
        let isSharp = surface.resolution == 1 || frame.isHeld && !hasRested
        var plan = Plan(
            frame: frame, moment: moment, start: start, isAnimating: isAnimating,
            isMoving: isMoving,
            isFade: frame.mode == .viewer && frame.viewer.slideshow?.transition != nil,
            isShown: !isChanged && isSharp)
        guard !plan.isShown, settings.adaptiveResolution else { return plan }
        if isMoving { plan.resolution = governors.resolution(inFade: plan.isFade) }
        let ofMotion = upscaler.bufferResolution(at: plan.resolution)
        let ofPreview = upscaler.bufferResolution(
            for: detail(frame.scene), on: frame.scene.pixelSize)
        plan.isPreview = ofPreview < ofMotion
        plan.bufferResolution = min(ofMotion, ofPreview)
        return plan
    }

    /// Notes the motion of a planned frame, also if there is no buffer for it yet.
    mutating func begin(_ plan: Plan) { surface.begin(plan) }

    /// Carries out the plan for a frame that is on the surface already: the trace gets a line.
    mutating func keep(_ plan: Plan, path: (Int) -> String) {
        (needsFrame, isDirect) = (false, false)
        // The input is on the surface already.
        inputs = nil
        onFrame?(plan.frame, plan.moment)
        trace.write(
            plan.frame, at: plan.moment, buffer: surface.pixelSize, damage: [], path: path,
            timings: .init())
    }

    // MARK: Painting

    /// Paints a frame; `refresh` is the display's refresh period in milliseconds.
    mutating func paint(
        _ plan: Plan, _ session: Session, into buffer: FrameBuffer, refresh: Double
    ) -> Painted {
        let started = clock()
        needsFrame = false
        var scene = plan.frame.scene
        scene.scale *= buffer.resolution
        let blocks = PixelBlocks(
            side: upscaler.blockSide(at: plan.resolution), of: buffer.size)
        var damage = surface.paint(plan, as: scene, headroom: buffer.headroom)
        // A commit without damage may get no frame callback, and a motion that does not change the
        // picture for a moment still needs the callback.
        if damage.isEmpty { damage = [PixelRect(x: 0, y: 0, width: 1, height: 1)] }
        if let display {
            scene.items += display.items(
                refresh: schedule.refresh ?? refresh, lateFrames: schedule.lateFrames)
            let rect = PixelRect(
                touching: HeadUpDisplay.rect * scene.scale, in: PixelRect(buffer.size))
            damage.append(rect)
        }
        damage = blocks.covering(damage)
        let painted = blocks.covering(buffer.stale.rects(in: buffer.size) + damage)
        buffer.withMemory { memory in
            session.composer.paint(
                scene,
                into: Canvas(
                    memory: memory, size: buffer.size, stride: buffer.stride,
                    headroom: buffer.headroom),
                blockSide: blocks.side, damage: painted)
        }
        let area = painted.reduce(0) { $0 + $1.width * $1.height }
        return Painted(
            plan: plan, started: started, buffer: buffer.size, damage: damage,
            isWhole: area * 2 > buffer.size.width * buffer.size.height,
            isExact: display == nil && blocks.side == 1 && buffer.resolution == 1
                && buffer.headroom == nil,
            paintTime: clock().seconds(since: started) * 1000,
            light: headroom.map {
                TraceLine.Light(
                    headroom: $0, gain: session.composer.gainShare(of: scene, headroom: $0),
                    isDeep: buffer.headroom != nil)
            })
    }

    /// Records a commit for pacing, resolution and the trace; `refresh` as in `paint`.
    mutating func committed(
        _ painted: Painted, _ commit: Int, refresh: Double, path: (Int) -> String
    ) {
        let now = clock()
        let plan = painted.plan
        let held = callback.map { max(0, plan.start.seconds(since: $0) * 1000) }
        schedule.committed(commit, at: now, start: plan.start, isDirect: isDirect)
        // The cost of a frame whose buffer is smaller because of a preview says nothing about other
        // frames.
        if plan.isMoving,
            plan.bufferResolution == upscaler.bufferResolution(at: plan.resolution)
        {
            governors.painted(
                in: now.seconds(since: painted.started) * 1000,
                budget: schedule.budget(assuming: refresh), at: surface.resolution,
                isWhole: painted.isWhole, inFade: plan.isFade)
        }
        let resolution = min(surface.resolution, plan.bufferResolution)
        let timings = TraceLine.Timings(
            paint: painted.paintTime,
            inputToCommit: inputs.map { now.seconds(since: $0.oldest) * 1000 },
            newestInputToCommit: inputs.map { now.seconds(since: $0.newest) * 1000 },
            held: isDirect ? held : nil, commitToPresent: lastLatency,
            lateFrames: schedule.lateFrames, resolution: resolution, light: painted.light)
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

    /// Makes a moment before the first frame time 0 of the trace.
    mutating func beginTrace(at moment: Moment) { trace.begin(at: moment) }

    /// The line of the trace for the last frame; nil before the first one.
    func lastLine(path: (Int) -> String) -> String? { trace.lastLine(path: path) }

    /// What the last frame shows; nil before the first one.
    var shownScene: Scene? { surface.scene }

    mutating func finish() { trace.finish() }
}
