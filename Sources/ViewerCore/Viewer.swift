package import Geometry
import Glibc
package import Motion
package import SceneModel

/// The viewer: one picture on the whole surface, and the way to the others.
///
/// A pure state machine. Gestures, keys and what became of loading go in with the moment they
/// happened at; effects come out as data; `frame(at:)` says what the surface shows at a moment.
package struct Viewer: Sendable {
    package internal(set) var settings: ViewerSettings
    package internal(set) var viewport: Viewport
    /// The selected picture; the one on the surface may still be another one.
    package internal(set) var index: Int
    package internal(set) var count: Int
    /// The picture on the surface.
    var shown: Shown?
    var state = State.empty
    /// Opacity of the backdrop.
    var dim = ScalarMotion.still(1)
    var chrome = false
    var message: Message?
    /// Set when a release has dismissed, until a frame has told it.
    var justDismissed = false
    /// What the picture would rest at if nobody came between: what steps count from.
    var goal: Placement?
    var wheel = WheelSteps()

    /// A picture whose size is known and of which there are pixels.
    struct Shown: Hashable, Sendable {
        var index: Int
        var revision: Int
        var size: PixelSize
    }

    struct Message: Hashable, Sendable {
        var text: String
        /// When it goes by itself; an error stays.
        var end: Moment?
    }

    enum State: Hashable, Sendable {
        /// No picture.
        case empty
        case resting(Placement)
        case held(Hold)
        case moving(PlacementMotion)
        /// Dismissed: on its way off the surface, gone at `end`.
        case leaving(PlacementMotion, opacity: ScalarMotion, end: Moment)
    }

    /// How long a notice stays, in milliseconds.
    static let noticeDuration = 5000.0

    package init(
        viewport: Viewport, count: Int, index: Int = 0, settings: ViewerSettings = ViewerSettings()
    ) {
        self.viewport = viewport
        self.count = count
        self.index = index
        self.settings = settings
    }

    // MARK: What became of loading

    /// Puts the picture on the surface, or better pixels of the one that is there.
    package mutating func present(
        index: Int, size: PixelSize, revision: Int, at moment: Moment
    ) {
        guard index == self.index, !size.isEmpty else { return }
        if let shown, shown.index == index, shown.size == size {
            self.shown?.revision = revision
            return
        }
        shown = Shown(index: index, revision: revision, size: size)
        message = nil
        dim = .still(1)
        rest(at: restPlacement(zoom: limits(rotation: 0).fit, rotation: 0, near: viewport.center))
    }

    /// Says on the surface why the picture cannot be shown.
    package mutating func fail(index: Int, text: String) {
        guard index == self.index else { return }
        shown = nil
        state = .empty
        goal = nil
        dim = .still(1)
        message = Message(text: text, end: nil)
    }

    /// Says something of the picture for a while.
    package mutating func notify(index: Int, text: String, at moment: Moment) {
        guard index == self.index else { return }
        message = Message(
            text: text, end: moment.advanced(byMilliseconds: Self.noticeDuration))
    }

    // MARK: The surface

    /// Takes a new size or scale of the surface.
    ///
    /// The picture point at the centre stays there, and the zoom relative to fit.
    package mutating func resize(to viewport: Viewport, at moment: Moment) {
        guard viewport != self.viewport, viewport.size.width > 0, viewport.size.height > 0 else {
            return
        }
        let old = self.viewport
        let before = goal ?? placement(at: moment)
        let oldFit = before.map { limits(rotation: $0.rotation).fit }
        self.viewport = viewport
        guard let before, let oldFit else { return }
        let new = limits(rotation: before.rotation)
        let zoom = min(max(new.fit * before.zoom / oldFit, new.min), new.max)
        let center = viewport.center + (before.center - old.center) * (zoom / before.zoom)
        dim = .still(1)
        rest(at: restPlacement(zoom: zoom, rotation: before.rotation, near: center))
    }

    // MARK: Where things are

    /// The picture's size in its own pixels as it stands, a quarter turn applied.
    func standingSize(rotation: Double) -> Size {
        let size = (shown?.size ?? .zero).size
        let quarters = Int((rotation / (.pi / 2)).rounded())
        return quarters.isMultiple(of: 2) ? size : size.transposed
    }

    func limits(rotation: Double) -> ZoomLimits {
        ZoomLimits(
            picture: standingSize(rotation: rotation), viewport: viewport,
            enlarge: settings.enlarge)
    }

    func restRange(zoom: Double, rotation: Double) -> RestRange {
        RestRange(content: standingSize(rotation: rotation) * zoom, viewport: viewport.size)
    }

    /// The resting placement at a zoom and a rotation whose centre is nearest to `center`.
    func restPlacement(zoom: Double, rotation: Double, near center: Point) -> Placement {
        Placement(
            center: restRange(zoom: zoom, rotation: rotation).clamp(center), zoom: zoom,
            rotation: rotation)
    }

    /// Where the picture is drawn; none when there is no picture.
    package func placement(at moment: Moment) -> Placement? {
        switch state {
        case .empty: nil
        case .resting(let placement): placement
        case .held(let hold): hold.placement
        case .moving(let motion), .leaving(let motion, _, _): motion.placement(at: moment)
        }
    }

    package var hasPicture: Bool { shown != nil }
    package var hasMessage: Bool { message != nil }

    /// Whether a touch now would catch something that moves.
    package func isMoving(at moment: Moment) -> Bool {
        switch state {
        case .empty, .resting, .held: false
        case .moving(let motion): !motion.isAtRest(at: moment)
        case .leaving: true
        }
    }

    /// Whether the next frame can differ from this one without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        isMoving(at: moment) || !dim.isAtRest(at: moment, tolerance: .opacity)
    }

    /// When something happens by itself although nothing moves.
    package var deadline: Moment? {
        if case .leaving(_, _, let end) = state { return end }
        return message?.end
    }

    /// Lets what has come to its end be over.
    package mutating func advance(to moment: Moment, effects: inout [Effect]) {
        if case .moving(let motion) = state, motion.isAtRest(at: moment) {
            state = .resting(motion.target)
        }
        if dim.isAtRest(at: moment, tolerance: .opacity) { dim = .still(dim.restValue) }
        if let end = message?.end, moment >= end { message = nil }
        if case .leaving(_, _, let end) = state, moment >= end {
            state = .empty
            shown = nil
            effects.append(.quit)
        }
    }

    // MARK: Setting things in motion

    mutating func rest(at placement: Placement) {
        state = .resting(placement)
        goal = placement
    }

    mutating func move(by motion: PlacementMotion) {
        goal = motion.target
        state = settings.reducedMotion ? .resting(motion.target) : .moving(motion)
    }

    /// The backdrop goes to `opacity`.
    mutating func fade(to opacity: Double, at moment: Moment) {
        let now = backdrop(at: moment)
        guard now != opacity, !settings.reducedMotion else {
            dim = .still(opacity)
            return
        }
        dim = .spring(
            Spring(
                from: now, to: opacity, at: moment,
                frequency: PlacementMotion.settleFrequency))
    }

    /// Opacity of the backdrop, 0…1.
    func backdrop(at moment: Moment) -> Double {
        if case .held(let hold) = state {
            switch hold.kind {
            case .dismiss: return 1 - abs(hold.progress)
            case .pinch where hold.isArmed:
                let fit = limits(rotation: hold.start.rotation).fit
                return Dismissal.pinchBackdrop(ratio: min(hold.placement.zoom / fit, 1))
            case .pan, .swipe, .pinch, .quickZoom: break
            }
        }
        return min(max(dim.value(at: moment), 0), 1)
    }

    /// Zooms to a level about a point of the surface, and brings the picture to rest there.
    mutating func zoom(to level: Double, about point: Point, at moment: Moment) {
        guard let now = placement(at: moment), let goal else { return }
        let limits = limits(rotation: goal.rotation)
        let zoom = min(max(level, limits.min), limits.max)
        let focal = now.nearestPoint(to: point, of: shown?.size)
        let center = focal + (now.center - focal) * (zoom / now.zoom)
        travel(
            from: now,
            to: restPlacement(zoom: zoom, rotation: goal.rotation, near: center),
            pivot: focal, at: moment)
    }

    /// Goes from where the picture is to `target`, with the velocity that it has.
    mutating func travel(
        from now: Placement, to target: Placement, pivot: Point, at moment: Moment
    ) {
        var velocity = Vector.zero
        var (zoomRate, rotationRate) = (0.0, 0.0)
        if case .moving(let motion) = state {
            velocity = motion.centerVelocity(at: moment)
            zoomRate = motion.zoomRate(at: moment)
            rotationRate = motion.rotationRate(at: moment)
        }
        move(
            by: PlacementMotion(
                from: now, to: target, pivot: pivot, centerVelocity: velocity, zoomRate: zoomRate,
                rotationRate: rotationRate, at: moment))
    }
}

extension Placement {
    /// The point of the picture's bounding box nearest to `point`, so that a zoom never aims at
    /// the empty surface beside the picture.
    fileprivate func nearestPoint(to point: Point, of size: PixelSize?) -> Point {
        guard let size else { return point }
        return boundingRect(of: size).clamp(point)
    }
}
