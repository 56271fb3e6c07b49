package import Geometry
import Gestures
package import Motion

/// The grid: all the pictures in cells, scrolled, scaled, selected, and lifted out.
///
/// A pure state machine, as the viewer is. Gestures, keys and changes of the collection go in with
/// the moment they happened at; effects come out as data; `frame(at:)` says what the surface shows
/// at a moment.
package struct GridModel: Sendable {
    package let settings: GridSettings
    /// The surface, in logical pixels.
    package internal(set) var surface: Size
    package internal(set) var contents: GridContents
    /// The picture that keys act on: the one that was viewed or touched last.
    ///
    /// None: the first in sight.
    package internal(set) var focus: Int?
    /// Whether keys are used, so that the picture that they act on is marked.
    var marksFocus = false
    package internal(set) var selection: Set<Int> = []
    /// The picture whose cell is empty because it flies elsewhere.
    package internal(set) var hidden: Int?

    var layout: any ScalingLayout
    /// The layouts that are still seen, the latest first.
    var formers: [FormerLayout] = []
    var state = State.resting(ScrollState()) {
        didSet { predicted = nil }
    }
    var peek: Peek? {
        didSet { seenPeek = nil }
    }
    /// What is held as a frame sees it, between the fingers' samples.
    var predicted: GridManipulation?
    var seenPeek: Peek?
    /// Where the first finger landed, and whether it stopped something by that.
    var caught: (point: Point, wasMoving: Bool)?
    /// Where a zoom was going that a touch has stopped.
    var interrupted: ScrollState?
    var zoomSteps = ZoomSteps()
    /// When the grid last moved, for the handle that then fades.
    var lastScroll: Moment?
    /// The picture from which Shift extends the selection.
    var selectionStart: Int?

    enum State: Hashable, Sendable {
        case resting(ScrollState)
        case held(GridManipulation)
        case moving(GridMotion)
    }

    /// A shorter way, in logical pixels, is a rounding error and no motion.
    private static let leastMove = 1e-6
    /// The smallest surface that is laid out for, in logical pixels each way.
    private static let leastSurface = 64.0

    package init(
        surface: Size, contents: GridContents = .empty, settings: GridSettings = GridSettings()
    ) {
        self.settings = settings
        self.surface = Self.sane(surface)
        self.contents = contents
        layout = settings.makeLayout(contents, on: self.surface)
        // Narrower than the surface, a grid hangs in its middle.
        state = .resting(rest(near: ScrollState(scale: layout.scale).moved(to: .zero, in: layout)))
    }

    static func sane(_ surface: Size) -> Size {
        func side(_ length: Double) -> Double {
            length.isFinite ? max(length, leastSurface) : leastSurface
        }
        return Size(width: side(surface.width), height: side(surface.height))
    }

    // MARK: Where things are

    func scrollState(at moment: Moment) -> ScrollState {
        switch state {
        case .resting(let scrollState): scrollState
        case .held(let hold): (predicted ?? hold).scrollState
        case .moving(let motion): motion.scrollState(at: moment)
        }
    }

    /// The pose that the grid would rest in if nobody came between: what steps count from.
    var goal: ScrollState {
        switch state {
        case .resting(let scrollState): scrollState
        case .held(let hold): hold.scrollState
        case .moving(let motion): motion.target
        }
    }

    func velocity(at moment: Moment) -> GridMotion.Velocity {
        if case .moving(let motion) = state { motion.velocity(at: moment) } else { .init() }
    }

    func projection(at moment: Moment) -> Projection {
        Projection(
            layout, formers, scrollState: scrollState(at: moment), surface: surface, at: moment)
    }

    func scrollRange(at scale: Double) -> ScrollRange {
        ScrollRange(content: layout.contentSize(at: scale), surface: surface)
    }

    func bounds(at scale: Double) -> GridManipulation.Bounds {
        GridManipulation.Bounds(
            limits: layout.limits, range: scrollRange(at: scale), surface: surface,
            bends: !settings.reducedMotion)
    }

    /// Whether cells are as wide as the surface: pinches lift pictures out.
    var isFeed: Bool { layout.columns == 1 }

    /// The content point at the surface's top left corner, in logical pixels: what is scrolled to.
    package func origin(at moment: Moment) -> Point { scrollState(at: moment).origin(in: layout) }

    // MARK: Time

    /// Whether a touch now would catch something that moves.
    package func isMoving(at moment: Moment) -> Bool {
        if let peek { return !peek.isHeld }
        if case .moving(let motion) = state { return !motion.isAtRest(at: moment) }
        return false
    }

    /// Whether the next frame can differ from this one without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        isMoving(at: moment) || peek?.isChanging(settings.peekDim, at: moment) == true
            || formers.contains { !$0.isOver(at: moment) }
            || isHandleFading(at: moment)
    }

    /// When something begins by itself although nothing moves.
    package var deadline: Moment? { handleFadeStart }

    /// Lets what has come to its end be over.
    package mutating func advance(to moment: Moment) {
        switch state {
        case .moving(let motion):
            lastScroll = moment
            if motion.isAtRest(at: moment) { state = .resting(motion.target) }
        case .held: lastScroll = moment
        case .resting: break
        }
        if let oldest = formers.lastIndex(where: { !$0.isOver(at: moment) }) {
            formers.removeSubrange((oldest + 1)...)
        } else {
            formers.removeAll()
        }
        if let peek, peek.isOver(at: moment) { self.peek = nil }
        closeGap(at: moment)
        if isHandleGone(at: moment) { lastScroll = nil }
    }

    // MARK: Setting things in motion

    func anchored(at point: Point, _ moment: Moment) -> ScrollState {
        ScrollState(
            anchor: projection(at: moment).anchor(at: point), focal: point,
            scale: scrollState(at: moment).scale)
    }

    /// Changes the layout's arrangement about an anchor; what is seen of the old one fades.
    ///
    /// `offset` is from where the old arrangement would be drawn about the anchor to where it stays, in
    /// logical pixels.
    mutating func rearrange(
        about anchor: Anchor, offset: Vector = .zero, at moment: Moment,
        _ change: (_ layout: inout any ScalingLayout) -> Bool
    ) {
        let former = layout
        guard change(&layout), !settings.reducedMotion, contents.count > 0 else { return }
        fade(former, about: anchor, offset: offset, at: moment)
    }

    /// What is seen of a layout that was left fades.
    mutating func fade(
        _ former: any ScalingLayout, about anchor: Anchor, offset: Vector, at moment: Moment
    ) {
        let share = Spring(
            from: 1, to: 0, at: moment, frequency: FormerLayout.frequency)
        formers.insert(
            FormerLayout(layout: former, share: share, reference: anchor, offset: offset), at: 0)
    }

    /// Goes to rest at a scale of the layout: the anchored point comes as near to `aim` as the
    /// ends of the grid allow, in the column that it is in.
    mutating func settle(
        from scrollState: ScrollState, scale: Double, aim: Point,
        velocity: GridMotion.Velocity = .init(),
        at moment: Moment
    ) {
        let scale = layout.restScale(near: scale)
        let cell = HeldCell(
            index: scrollState.anchor.index, fraction: scrollState.anchor.fraction.dx, x: aim.x)
        var settled = layout
        var changes = settled.settle(at: scale, holding: cell)
        var target = rest(
            near: ScrollState(anchor: scrollState.anchor, focal: aim, scale: scale), in: settled)
        var start = scrollState
        let surfaceRect = Rect(origin: target.origin(in: settled), size: surface)
        if settled.hasGap(in: surfaceRect), settled.closeGap() {
            // The cell has to leave its column: it does so in place, not across all others.
            changes = true
            target = rest(
                near: ScrollState(anchor: scrollState.anchor, focal: aim, scale: scale), in: settled
            )
            let middle = surface.width / 2
            start.focal.x = middle + (target.focal.x - middle) * (scrollState.scale / scale)
        }
        rearrange(about: scrollState.anchor, offset: scrollState.focal - start.focal, at: moment) {
            $0 = settled
            return changes
        }
        move(from: start, to: target, velocity: velocity, at: moment)
    }

    /// Rows close up before a gap comes into sight that a held cell has left at the beginning.
    mutating func closeGap(at moment: Moment) {
        if case .held(let hold) = state, hold.kind == .pinch { return }
        let scrollState = scrollState(at: moment)
        let predicted = Rect(origin: scrollState.origin(in: layout), size: surface)
        guard layout.hasGap(in: predicted) else { return }
        let old = anchored(at: Point(x: surface.width / 2, y: surface.height / 2), moment)
        var closed = layout
        guard closed.closeGap() else { return }
        var origin = old.origin(in: closed)
        origin.x =
            ScrollRange(
                content: closed.contentSize(at: old.scale), surface: surface
            ).clamp(origin).x
        let new = old.moved(to: origin, in: closed)
        rearrange(about: old.anchor, offset: old.focal - new.focal, at: moment) {
            $0 = closed
            return true
        }
        stay(at: new, at: moment)
    }

    /// The pose with the same anchor and scale in which the grid is within its ends.
    func rest(near scrollState: ScrollState) -> ScrollState { rest(near: scrollState, in: layout) }

    private func rest(near scrollState: ScrollState, in layout: any ScalingLayout) -> ScrollState {
        let range = ScrollRange(
            content: layout.contentSize(at: scrollState.scale), surface: surface)
        return scrollState.moved(to: range.clamp(scrollState.origin(in: layout)), in: layout)
    }

    mutating func move(
        from scrollState: ScrollState, to target: ScrollState, velocity: GridMotion.Velocity,
        at moment: Moment
    ) {
        let way = (target.focal - scrollState.focal).length
        guard velocity != .init() || target.scale != scrollState.scale || way > Self.leastMove
        else {
            state = .resting(target)
            return
        }
        guard !settings.reducedMotion else {
            state = .resting(target)
            lastScroll = moment
            return
        }
        state = .moving(GridMotion(from: scrollState, to: target, velocity: velocity, at: moment))
    }

    /// Scrolls to a content point at the top left corner, at the scale that the grid goes to.
    mutating func scroll(to origin: Point, at moment: Moment) {
        let (now, goal) = (scrollState(at: moment), goal)
        let target = goal.moved(to: scrollRange(at: goal.scale).clamp(origin), in: layout)
        move(from: now, to: target, velocity: velocity(at: moment), at: moment)
    }
}
