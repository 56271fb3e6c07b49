package import Edits
package import Geometry
import Gestures
package import Motion

/// The thumbnail grid: layout, scrolling, scaling, selection, and lifted pictures.
///
/// A pure state machine, like the viewer. Its input is gestures, keys and changes of the contents,
/// each with its moment. Its output is effects as values, and frames by `frame(at:)`.
package struct GridModel: Sendable {
    package private(set) var settings: GridSettings
    /// The surface, in logical pixels.
    package internal(set) var surface: Size
    /// Device pixels per logical pixel.
    package var scale = 1.0
    /// The height of the strip at the top that a header covers, in logical pixels.
    package internal(set) var top: Double
    /// The number of folders before the pictures.
    package internal(set) var folderCount = 0
    /// The folder that keys act on; nil while they act on a picture.
    package internal(set) var folderFocus: Int?
    /// The folder over which files are dragged; nil without one.
    var dropFolder: Int?
    /// The scale of texts, for the names of folders.
    var textScale = 1.0
    /// Whether rows begin at the right edge, for languages that are written from right to left.
    package internal(set) var isMirrored: Bool
    /// Whether taps select pictures instead of opening them.
    package internal(set) var isSelecting = false
    /// Whether pictures can be selected.
    package var allowsSelection = true
    /// Whether pictures can be dragged to other programs.
    package var allowsDragOut = false
    package internal(set) var contents: GridContents
    /// The picture that keys act on: the one that was viewed or touched last.
    ///
    /// If nil, keys start at the first visible picture.
    package internal(set) var focus: Int?
    /// Whether the focused picture is marked; true once a key was used.
    var marksFocus = false
    package internal(set) var selection: Set<Int> = []
    /// The marks of pictures, by index; pictures without a mark are left out.
    package private(set) var marks: [Int: PictureMark] = [:]
    /// The picture whose cell is empty because a transition draws the picture.
    package internal(set) var hidden: Int?

    var layout: any ScalingLayout
    /// Former layouts that are still fading out, the latest first.
    var fadingLayouts: [FadingLayout] = []
    var state = State.resting(ScrollState()) {
        didSet { predicted = nil }
    }
    var peek: Peek? {
        didSet { predictedPeek = nil }
    }
    /// The manipulation at predicted touch positions, for rendering only.
    var predicted: GridManipulation?
    /// The lifted picture at predicted touch positions, for rendering only.
    var predictedPeek: Peek?
    /// Where the first finger landed, and whether its touch stopped a motion.
    var caught: (point: Point, wasMoving: Bool)?
    /// The target of a zoom that a touch has interrupted.
    var interrupted: ScrollState?
    var zoomSteps = ZoomSteps()
    /// When the grid last moved; the handle fades some time after.
    var lastScroll: Moment?
    /// The picture from which Shift extends the selection.
    var selectionStart: Int?
    /// What the grid asks of its owner; see `consumeRequest`.
    var request: Request?

    /// What the grid asks of its owner, which shows other things than the grid.
    package enum Request: Hashable, Sendable {
        /// Open the picture at this index, starting from the rectangle where it is drawn.
        case open(index: Int)
        /// Open the picture at this index, and go on with those that follow.
        case startSlideshow(index: Int)
        /// Enter the folder at this index.
        case enter(folder: Int)
        /// Leave the grid for the level above.
        case leave
    }

    enum State: Hashable, Sendable {
        case resting(ScrollState)
        case held(GridManipulation)
        case moving(GridMotion)
    }

    /// A shorter distance, in logical pixels, is a rounding error and starts no motion.
    private static let minimumMove = 1e-6
    /// The smallest width and height used for the layout, in logical pixels.
    private static let minimumSide = 64.0

    /// `top` is the height of the strip at the top that a header covers, in logical pixels.
    package init(
        surface: Size, contents: GridContents = .empty, settings: GridSettings = GridSettings(),
        below top: Double = 0, isMirrored: Bool = false
    ) {
        self.settings = settings
        self.top = top
        self.isMirrored = isMirrored
        self.surface = Self.plausible(surface)
        self.contents = contents
        layout = settings.makeLayout(contents, on: self.surface, below: top, isMirrored: isMirrored)
        // A grid narrower than the surface is centred.
        state = .resting(rest(near: ScrollState(scale: layout.scale).moved(to: .zero, in: layout)))
    }

    /// Returns the request of the last gesture or command, and forgets it.
    package mutating func consumeRequest() -> Request? {
        defer { request = nil }
        return request
    }

    /// Sets whether motions end within a frame, as the desktop asks for; those that have begun go on.
    package mutating func setReducesMotion(_ reducesMotion: Bool) {
        settings.reducedMotion = reducesMotion
    }

    /// Applies settings that have changed, but not those of the layout and the header.
    package mutating func setSettings(_ new: GridSettings) {
        settings.pinch = new.pinch
        settings.peekMaximum = new.peekMaximum
        settings.peekDim = new.peekDim
        settings.peekRelease = new.peekRelease
    }

    /// Sets the marks of all pictures, by index; pictures without marks may be left out.
    package mutating func setMarks(_ marks: [Int: PictureMark]) {
        self.marks = marks.filter { !$0.value.isEmpty }
    }

    static func plausible(_ surface: Size) -> Size {
        func side(_ length: Double) -> Double {
            length.isFinite ? max(length, minimumSide) : minimumSide
        }
        return Size(width: side(surface.width), height: side(surface.height))
    }

    // MARK: Position and scale

    func scrollState(at moment: Moment) -> ScrollState {
        switch state {
        case .resting(let scrollState): scrollState
        case .held(let hold): (predicted ?? hold).scrollState
        case .moving(let motion): motion.scrollState(at: moment)
        }
    }

    /// The scroll state that the grid is heading for; steps of keys and wheel start from it.
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
            layout, fadingLayouts, scrollState: scrollState(at: moment), surface: surface,
            at: moment)
    }

    func scrollRange(at scale: Double) -> ScrollRange {
        ScrollRange(content: layout.contentSize(at: scale), surface: surface)
    }

    func bounds(at scale: Double) -> GridManipulation.Bounds {
        GridManipulation.Bounds(
            limits: layout.limits, range: scrollRange(at: scale), surface: surface,
            hasRubberBand: !settings.reducedMotion)
    }

    /// Whether the layout is the feed, a single column, where pinches lift pictures.
    var isFeed: Bool { layout.columns == 1 }

    /// The content point at the surface's top left corner, in logical pixels.
    package func origin(at moment: Moment) -> Point { scrollState(at: moment).origin(in: layout) }

    // MARK: Time

    /// Whether a touch now would stop a motion.
    package func isMoving(at moment: Moment) -> Bool {
        if let peek { return !peek.isHeld }
        if case .moving(let motion) = state { return !motion.isAtRest(at: moment) }
        return false
    }

    /// Whether the next frame can differ from this one without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        isMoving(at: moment) || peek?.isChanging(settings.peekDim, at: moment) == true
            || fadingLayouts.contains { !$0.isOver(at: moment) }
            || isHandleFading(at: moment)
    }

    /// When the next animation starts without an event: the fade of the handle.
    package var deadline: Moment? { handleFadeStart }

    /// Ends motions and fades that are over at `moment`.
    package mutating func advance(to moment: Moment) {
        switch state {
        case .moving(let motion):
            lastScroll = moment
            if motion.isAtRest(at: moment) { state = .resting(motion.target) }
        case .held: lastScroll = moment
        case .resting: break
        }
        if let oldest = fadingLayouts.lastIndex(where: { !$0.isOver(at: moment) }) {
            fadingLayouts.removeSubrange((oldest + 1)...)
        } else {
            fadingLayouts.removeAll()
        }
        if let peek, peek.isOver(at: moment) { self.peek = nil }
        closeGap(at: moment)
        if isHandleGone(at: moment) { lastScroll = nil }
    }

    // MARK: Motion

    func anchored(at point: Point, _ moment: Moment) -> ScrollState {
        ScrollState(
            anchor: projection(at: moment).anchor(at: point), focal: point,
            scale: scrollState(at: moment).scale)
    }

    /// Changes the layout's arrangement about an anchor; the old arrangement fades out.
    ///
    /// `offset` is the translation of the old arrangement, in logical pixels, from the position
    /// given by the anchor to the position where the old arrangement stays.
    mutating func rearrange(
        about anchor: Anchor, offset: Vector = .zero, at moment: Moment,
        _ change: (_ layout: inout any ScalingLayout) -> Bool
    ) {
        let former = layout
        guard change(&layout), !settings.reducedMotion, contents.count > 0 else { return }
        fade(former, about: anchor, offset: offset, at: moment)
    }

    /// Starts to fade out a former layout.
    mutating func fade(
        _ former: any ScalingLayout, about anchor: Anchor, offset: Vector, at moment: Moment
    ) {
        let share = Spring(
            from: 1, to: 0, at: moment, frequency: FadingLayout.frequency)
        fadingLayouts.insert(
            FadingLayout(layout: former, share: share, reference: anchor, offset: offset), at: 0)
    }

    /// Moves to the resting scale nearest to `scale`.
    ///
    /// The anchored point comes as near to `aim` as the ends of the grid allow. Its cell keeps its
    /// column unless this would leave a visible gap.
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
            // The cell has to leave its column: it fades in place and does not cross other cells.
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

    /// Closes the gap that a held cell left at the start of a section, once it would be visible.
    mutating func closeGap(at moment: Moment) {
        if case .held(let hold) = state, hold.kind == .pinch { return }
        let scrollState = scrollState(at: moment)
        let visible = Rect(origin: scrollState.origin(in: layout), size: surface)
        guard layout.hasGap(in: visible) else { return }
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

    /// The scroll state with the same anchor and scale, clamped to the scroll range.
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
        let length = (target.focal - scrollState.focal).length
        guard velocity != .init() || target.scale != scrollState.scale || length > Self.minimumMove
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

    /// Shows the first picture at once, at the target scale; fingers that hold the grid have priority.
    package mutating func showTop() {
        if case .held = state { return }
        let goal = goal
        state = .resting(goal.moved(to: scrollRange(at: goal.scale).clamp(.zero), in: layout))
    }

    /// A scroll position, and the focus.
    package struct Place: Hashable, Sendable {
        var scrollState: ScrollState
        /// The index of the picture that the position refers to.
        package var index: Int {
            get { scrollState.anchor.index }
            set { scrollState.anchor.index = newValue }
        }
        package var focus: Int?
        package var folderFocus: Int?
    }

    /// The position that the grid is heading for.
    package var place: Place { Place(scrollState: goal, focus: focus, folderFocus: folderFocus) }

    /// Shows a position at once, at the target scale; fingers that hold the grid have priority.
    package mutating func show(_ place: Place) {
        if case .held = state { return }
        guard place.index < max(contents.count, 1) else { return }
        var scrollState = place.scrollState
        scrollState.scale = goal.scale
        state = .resting(rest(near: scrollState))
        focus = place.focus.flatMap { $0 < contents.count ? $0 : nil }
        folderFocus = place.folderFocus.flatMap { $0 < folderCount ? $0 : nil }
    }

    /// Scrolls until `origin` is at the surface's top left corner, at the target scale.
    mutating func scroll(to origin: Point, at moment: Moment) {
        let (now, goal) = (scrollState(at: moment), goal)
        let target = goal.moved(to: scrollRange(at: goal.scale).clamp(origin), in: layout)
        move(from: now, to: target, velocity: velocity(at: moment), at: moment)
    }
}
