import Geometry
import Gestures
import Motion
import SceneModel

/// Where the picture of the current page is, and what fingers, keys and motions do to the picture.
///
/// Placements are relative to the page: the pager offset is added on top.
struct ZoomPan: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case resting(Placement)
        /// Held by fingers.
        ///
        /// `predicted` is the manipulation at the predicted touch positions, nil without a
        /// prediction. Prediction affects rendering only, never recognition.
        case held(ActiveManipulation, predicted: ActiveManipulation?)
        case moving(PlacementMotion)
        /// Moving slowly in a slideshow, which input freezes.
        case drifting(PanZoom)
        /// Dismissed: moving off the surface.
        case leaving(LeavingMotion)
        /// Moving to its cell on the grid.
        case returningToCell(PlacementMotion)
        /// Not on the surface.
        case gone
    }

    /// A motion that a touch has stopped; it continues if the touch lifts without having moved.
    enum Interruption: Hashable, Sendable {
        /// A motion to `goal`.
        case motion(isFling: Bool)
        /// A motion off the surface, with a velocity in logical pixels per second; zero after a
        /// pinch.
        case leaving(velocity: Vector)
        case returnToCell
    }

    private(set) var state: State
    /// The resting placement of the current motion; keys and other steps start from it.
    private(set) var goal: Placement
    /// The decaying error of the last prediction, which is added to the drawn placement.
    private(set) var correction = PredictionCorrection.none
    /// The motion that a touch has stopped; nil where there is none.
    private(set) var interruption: Interruption?
    /// Whether a picture that was caught on its way to its cell returns to fit on release; a pinch
    /// ends this.
    private var returnsToFit = false
    /// The fixed point of a series of zoom steps; nil outside of a series.
    private var aim: ZoomAim?
    /// Whether motions end at once; those that have begun go on.
    var reducesMotion: Bool

    /// A picture at rest.
    init(at placement: Placement, reducesMotion: Bool) {
        (goal, state) = (placement, .resting(placement))
        self.reducesMotion = reducesMotion
    }

    // MARK: State

    /// Whether the picture is on its page and not dismissed.
    var isShown: Bool {
        switch state {
        case .resting, .held, .moving, .drifting: true
        case .leaving, .returningToCell, .gone: false
        }
    }

    var isGone: Bool {
        if case .gone = state { true } else { false }
    }

    /// The manipulation as the samples say; nil while no finger holds the picture.
    var held: ActiveManipulation? {
        if case .held(let manipulation, _) = state { manipulation } else { nil }
    }

    /// The manipulation that is drawn: the predicted one, or else the one of the samples.
    var drawn: ActiveManipulation? {
        if case .held(let manipulation, let predicted) = state {
            predicted ?? manipulation
        } else {
            nil
        }
    }

    var returningMotion: PlacementMotion? {
        if case .returningToCell(let motion) = state { motion } else { nil }
    }

    var leavingMotion: LeavingMotion? {
        if case .leaving(let motion) = state { motion } else { nil }
    }

    /// The slow motion of a slideshow; nil without one.
    var drift: PanZoom? {
        if case .drifting(let motion) = state { motion } else { nil }
    }

    // MARK: Placement

    /// The placement without `correction`: new motions start from it.
    func computedPlacement(at moment: Moment) -> Placement {
        switch state {
        case .gone: goal
        case .resting(let placement): placement
        case .held(let manipulation, let predicted): (predicted ?? manipulation).placement
        case .moving(let motion), .returningToCell(let motion): motion.placement(at: moment)
        case .drifting(let motion): motion.placement(at: moment)
        case .leaving(let motion): motion.placement.placement(at: moment)
        }
    }

    /// The drawn placement: with `correction`.
    func drawnPlacement(at moment: Moment) -> Placement {
        correction.applied(to: computedPlacement(at: moment), at: moment)
    }

    /// Whether the picture itself moves, so that a touch would catch it.
    ///
    /// A slow motion is frozen by the touch, which is still a tap or the begin of a double tap.
    func isMoving(at moment: Moment) -> Bool {
        switch state {
        case .leaving(let motion): moment < motion.end
        case .moving(let motion), .returningToCell(let motion): !motion.isAtRest(at: moment)
        case .resting, .held, .drifting, .gone: false
        }
    }

    /// The velocity of the picture's centre on its way to a resting place, in logical pixels per
    /// second.
    func centerVelocity(at moment: Moment) -> Vector {
        switch state {
        case .moving(let motion), .returningToCell(let motion):
            motion.centerVelocity(at: moment)
        case .resting, .held, .drifting, .leaving, .gone: .zero
        }
    }

    // MARK: Motions

    /// Puts the picture to rest at a placement, without animation.
    mutating func rest(at placement: Placement) {
        (correction, interruption) = (.none, nil)
        state = .resting(placement)
        goal = placement
    }

    /// Starts a motion; with reduced motion the picture is at the end at once.
    mutating func move(by motion: PlacementMotion) {
        (goal, interruption) = (motion.target, nil)
        state = reducesMotion ? .resting(motion.target) : .moving(motion)
    }

    /// Moves the picture from `start` to `target` about `pivot`, a point of the surface in logical
    /// pixels, with the picture's current velocity.
    mutating func travel(
        from start: Placement, to target: Placement, pivot: Point, at moment: Moment
    ) {
        guard case .moving(let motion) = state else {
            move(by: PlacementMotion(from: start, to: target, pivot: pivot, at: moment))
            return
        }
        move(
            by: PlacementMotion(
                from: start, to: target, pivot: pivot,
                centerVelocity: motion.centerVelocity(at: moment),
                zoomRate: motion.zoomRate(at: moment),
                rotationRate: motion.rotationRate(at: moment), at: moment))
    }

    /// Starts the slow motion of a slideshow.
    mutating func drift(by motion: PanZoom) {
        (goal, interruption) = (motion.target, nil)
        state = .drifting(motion)
    }

    /// Ends the slow motion where the picture is.
    mutating func freeze(at moment: Moment) {
        guard let drift else { return }
        goal = drift.placement(at: moment)
        state = .resting(goal)
    }

    /// Starts the motion of a dismissed picture off the surface.
    mutating func leave(by motion: LeavingMotion) { state = .leaving(motion) }

    /// Starts the motion of the picture to its cell.
    mutating func returnToCell(by motion: PlacementMotion) {
        state = .returningToCell(motion)
        goal = motion.target
    }

    /// Ends the transition to the cell without animation.
    mutating func returnToCellAtOnce() { state = .returningToCell(.standing(goal)) }

    /// Takes the picture off the surface.
    mutating func disappear() { state = .gone }

    /// Ends the motions that are over at `moment`, except those to the cell and off the surface.
    mutating func advance(to moment: Moment) {
        if case .moving(let motion) = state, motion.isAtRest(at: moment) {
            state = .resting(motion.target)
        }
        if correction.isAtRest(at: moment) { correction = .none }
    }

    // MARK: Interruptions

    /// Stops all motion, because a finger has landed.
    ///
    /// A picture that was leaving stays where it is. `pagerMoves` says that the touch also stops
    /// the pager.
    mutating func stop(at moment: Moment, pagerMoves: Bool, on geometry: ViewGeometry) {
        // An earlier catch may have ended without a release of the finger.
        if held == nil { (returnsToFit, interruption) = (false, nil) }
        let now = computedPlacement(at: moment)
        switch state {
        case .held, .gone: return
        case .resting, .drifting:
            if drift != nil { goal = now }
            if pagerMoves { interruption = .motion(isFling: false) }
        case .moving(let motion): interruption = .motion(isFling: motion.isFling)
        case .leaving(let motion): interruption = .leaving(velocity: motion.velocity(at: moment))
        case .returningToCell: (interruption, returnsToFit) = (.returnToCell, true)
        }
        if !isShown { goal = geometry.nearestRest(to: now, about: now.center) }
        state = .resting(now)
    }

    /// Forgets the motion that a touch has stopped, and returns that motion.
    mutating func consumeInterruption() -> Interruption? {
        defer { interruption = nil }
        return interruption
    }

    /// Lets a picture that a finger catches on its way to its cell return to fit on release.
    mutating func returnToFitOnRelease() { returnsToFit = true }

    /// Ends the catch of a motion at the release of the fingers; returns whether the picture
    /// returns to fit.
    mutating func endCatch() -> Bool {
        defer { (returnsToFit, interruption) = (false, nil) }
        return returnsToFit
    }

    // MARK: Manipulation

    /// Starts a manipulation, or restarts it with another kind or other fingers.
    mutating func hold(_ manipulation: ActiveManipulation) {
        if manipulation.kind == .pinch { returnsToFit = false }
        state = .held(manipulation, predicted: nil)
    }

    /// Starts the manipulation of a new picture that is at rest at `goal`.
    mutating func hold(_ manipulation: ActiveManipulation, restingAt goal: Placement) {
        self.goal = goal
        hold(manipulation)
    }

    /// Follows the fingers; the last prediction stays until `discardPrediction`.
    mutating func follow(_ fingers: Manipulation, on geometry: ViewGeometry) {
        guard case .held(var manipulation, let predicted) = state else { return }
        manipulation.follow(fingers, on: geometry)
        state = .held(manipulation, predicted: predicted)
    }

    /// Follows the finger of a quick zoom, `distance` logical pixels down.
    mutating func follow(distance: Double, on geometry: ViewGeometry) {
        guard case .held(var manipulation, let predicted) = state else { return }
        manipulation.follow(distance: distance, on: geometry)
        state = .held(manipulation, predicted: predicted)
    }

    /// Stores the manipulation at the predicted touch positions.
    ///
    /// The prediction never decides the kind of an undecided manipulation.
    mutating func predict(_ fingers: Manipulation, on geometry: ViewGeometry) {
        guard case .held(let manipulation, _) = state else { return }
        var predicted = manipulation
        predicted.follow(fingers, on: geometry)
        state = .held(manipulation, predicted: predicted)
    }

    /// Stores the quick zoom at the predicted touch position.
    mutating func predict(distance: Double, on geometry: ViewGeometry) {
        guard case .held(let manipulation, _) = state else { return }
        var predicted = manipulation
        predicted.follow(distance: distance, on: geometry)
        state = .held(manipulation, predicted: predicted)
    }

    mutating func discardPrediction() {
        guard case .held(let manipulation, .some) = state else { return }
        state = .held(manipulation, predicted: nil)
    }

    /// Sets the error of a prediction, which then decays; `.none` draws the computed placement.
    mutating func correct(by correction: PredictionCorrection) { self.correction = correction }

    // MARK: Steps

    /// Makes steps start from the placement of the active manipulation.
    mutating func stepFromManipulation(on geometry: ViewGeometry) {
        guard let held else { return }
        goal = geometry.nearestRest(to: held.placement, about: held.focal)
    }

    /// The aim of a zoom step about `point`: the aim of the first step of a series.
    ///
    /// `size` is the size of the picture, in picture pixels.
    mutating func continueSeries(
        about point: Point, of size: PixelSize, at moment: Moment
    ) -> ZoomAim {
        let aim = aim?.continued(at: moment) ?? newAim(about: point, of: size, at: moment)
        self.aim = aim
        return aim
    }

    /// The aim of a zoom about `point`, a point of the page in logical pixels.
    ///
    /// For a point on the empty surface beside the picture, the aim is the nearest point of the
    /// picture. `size` is the size of the picture, in picture pixels.
    func newAim(about point: Point, of size: PixelSize, at moment: Moment) -> ZoomAim {
        let now = computedPlacement(at: moment)
        return ZoomAim(at: now.boundingRect(of: size).clamp(point), of: now, moment)
    }

    mutating func endSeries() { aim = nil }

    // MARK: Other pixels

    /// Continues with pixels that are turned themselves by `angle` radians: the picture stays as drawn, and
    /// a motion goes on to its target.
    mutating func turnBack(by angle: Double, pivot: Point, at moment: Moment) {
        func turned(_ placement: Placement) -> Placement {
            var placement = placement
            placement.rotation -= angle
            return placement
        }
        let (start, target) = (turned(computedPlacement(at: moment)), turned(goal))
        aim = nil
        switch state {
        case .resting, .held, .drifting: rest(at: target)
        case .moving: move(by: PlacementMotion(from: start, to: target, pivot: pivot, at: moment))
        case .gone, .leaving, .returningToCell: break
        }
    }

    // MARK: The surface

    /// Continues on another surface: the picture point at the centre of the surface and the zoom
    /// relative to fit stay the same.
    mutating func resize(from old: ViewGeometry, to new: ViewGeometry, at moment: Moment) {
        discardPrediction()
        (interruption, aim) = (nil, nil)
        let now = computedPlacement(at: moment)
        correction = .none
        let center = new.viewport.center
        let rest = new.nearestRest(to: new.carry(goal, from: old), about: center)
        switch state {
        case .gone, .leaving, .returningToCell: break
        case .resting: self.rest(at: rest)
        case .drifting: self.rest(at: new.nearestRest(to: new.carry(now, from: old), about: center))
        case .moving: travel(from: new.carry(now, from: old), to: rest, pivot: center, at: moment)
        case .held(let manipulation, _): carry(manipulation, from: old, to: new)
        }
    }

    /// Continues a manipulation on the new surface; a quick zoom ends.
    private mutating func carry(
        _ manipulation: ActiveManipulation, from old: ViewGeometry, to new: ViewGeometry
    ) {
        let start = new.carry(manipulation.placement, from: old)
        goal = new.nearestRest(to: start, about: new.viewport.center)
        if case .quickZoom = manipulation.kind {
            rest(at: goal)
            return
        }
        let beginning = ActiveManipulation.Beginning(
            kind: manipulation.kind, start: start,
            origin: new.carry(manipulation.origin, from: old), isArmed: manipulation.isArmed,
            progress: manipulation.progress,
            resistsUpwards: manipulation.dismissalDrag.resistsUpwards,
            base: manipulation.fingers, began: manipulation.began)
        state = .held(
            ActiveManipulation(beginning, manipulation.fingers, on: new), predicted: nil)
    }
}
