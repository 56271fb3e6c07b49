import Geometry
import CMath
package import Motion
package import SceneModel

/// The viewer: shows one picture on the whole surface, and turns to the neighbouring pictures.
///
/// A pure state machine. Its inputs are gestures, keys and results of loading, each with the moment
/// when it happened; its outputs are effects as data. `frame(at:title:)` is the content of the
/// surface at a moment.
///
/// Each picture is a page of the pager. Gestures act on the *current page*. A placement is relative
/// to the page, and the pager offset is added on top.
package struct ViewerModel: Sendable {
    package internal(set) var settings: ViewerSettings
    package internal(set) var viewport: Viewport
    /// The selected picture.
    package internal(set) var index: Int
    package internal(set) var count: Int
    /// The current page: the page of the selected picture, unless that picture is still loading.
    var page: Int
    /// The contents of the pages near the selected picture, by index.
    var pages: [Int: Page] = [:]
    var state: State
    /// The manipulation at the predicted touch positions; nil without a prediction.
    ///
    /// Prediction affects rendering only, never recognition.
    var predicted: ActiveManipulation?
    /// The decaying error of the last prediction, which is added to the drawn placement.
    var correction = PredictionCorrection.none
    var pagerOffset = PagerOffset()
    /// The motions to rest of pages that are sliding out, by page.
    var departingPages: [Int: PlacementMotion] = [:]
    /// The rotations of pictures that were rotated by hand, in radians, by index.
    var turns: [Int: Double] = [:]
    /// The direction of the last page turn, 1 or −1: the next turn is most likely in this
    /// direction.
    var heading = 1
    /// The opacity of the backdrop, 0…1.
    var dim = ScalarMotion.still(1)
    /// How much of the cell's crop applies to the picture: 0 none, 1 all.
    var crop = ScalarMotion.still(0)
    /// The page that the crop applies to.
    var croppedPage = 0
    /// The cell of the selected picture; nil without a grid.
    var transitionSource: TransitionSource?
    /// Whether a dismissal returns to the cell.
    var dismissesToGrid = false
    /// Set while a picture is held that was caught on its way to its cell: on release it returns to
    /// fit, unless it is pinched.
    var returnsToFit = false
    /// The motion that a touch has stopped; it continues if the touch lifts without having moved.
    var interrupted: Interrupted?
    var chrome = false
    var menu: Menu?
    var panel: InformationPanel
    /// The playback phase of the selected picture; nil for a still picture.
    package var animation: Playback.Phase? {
        didSet { if animation != oldValue, menu != nil { menu = nil } }
    }
    var notice: TimedMessage?
    /// Messages to show when a picture becomes selected, by index.
    var pendingMessages: [Int: String] = [:]
    /// Set when a release has dismissed, until a frame has reported it.
    var justDismissed = false
    /// The resting placement of the current motion; keys and other steps start from it.
    var goal: Placement
    var wheel = WheelSteps()
    var zoomAim: ZoomAim?

    enum State: Hashable, Sendable {
        case resting(Placement)
        case held(ActiveManipulation)
        case moving(PlacementMotion)
        /// Dismissed: moving off the surface until `end`.
        case leaving(PlacementMotion, opacity: ScalarMotion, end: Moment)
        /// Moving to its cell on the grid.
        case returningToCell(PlacementMotion)
        case gone
    }

    /// A motion that a touch has stopped.
    enum Interrupted: Hashable, Sendable {
        /// A motion to `goal`.
        case motion(isFling: Bool)
        /// A motion off the surface, with a velocity in logical pixels per second; zero after a
        /// pinch.
        case departure(velocity: Vector)
        /// The transition to the cell.
        case flight
    }

    package init(
        viewport: Viewport, count: Int, index: Int = 0, settings: ViewerSettings = ViewerSettings()
    ) {
        self.viewport = viewport
        self.count = count
        self.index = index
        self.settings = settings
        page = index
        panel = InformationPanel(on: viewport.size, reducesMotion: settings.reducedMotion)
        let blank = Placement(center: viewport.center, zoom: 1 / viewport.scale)
        (goal, state) = (blank, .resting(blank))
        rest(at: geometry.fit(rotation: 0))
    }

    // MARK: The surface

    /// Sets a new size or scale of the surface.
    ///
    /// The picture point at the centre of the surface and the zoom relative to fit stay the same.
    package mutating func resize(to viewport: Viewport, at moment: Moment) {
        guard viewport != self.viewport, viewport.size.width > 0, viewport.size.height > 0 else {
            return
        }
        (predicted, interrupted, zoomAim) = (nil, nil, nil)
        let old = geometry
        let now = place(at: moment)
        correction = .none
        self.viewport = viewport
        menu = nil
        panel.resize(to: viewport.size)
        pagerOffset.rest()
        departingPages = [:]
        let target = Self.carry(goal, from: old, to: geometry)
        let rest = geometry.nearestRest(to: target, about: viewport.center)
        switch state {
        case .gone, .leaving, .returningToCell: break
        case .resting: self.rest(at: rest)
        case .moving(let motion):
            let start = Self.carry(now, from: old, to: geometry)
            move(
                by: PlacementMotion(
                    from: start, to: rest, pivot: viewport.center,
                    centerVelocity: motion.centerVelocity(at: moment),
                    zoomRate: motion.zoomRate(at: moment),
                    rotationRate: motion.rotationRate(at: moment), at: moment))
        case .held(let manipulation): carry(manipulation, from: old, at: moment)
        }
    }

    /// Continues a manipulation on the new surface.
    private mutating func carry(
        _ manipulation: ActiveManipulation, from old: ViewGeometry, at moment: Moment
    ) {
        let start = Self.carry(manipulation.placement, from: old, to: geometry)
        let origin = Self.carry(manipulation.origin, from: old, to: geometry)
        goal = geometry.nearestRest(to: start, about: viewport.center)
        if case .quickZoom = manipulation.kind {
            dim = .still(1)
            rest(at: goal)
            return
        }
        state = .held(
            ActiveManipulation(
                .init(
                    kind: manipulation.kind, start: start, origin: origin,
                    isArmed: manipulation.isArmed,
                    progress: manipulation.progress, base: manipulation.fingers,
                    began: manipulation.began),
                manipulation.fingers, on: geometry))
    }

    /// Converts a placement to another surface: the picture point at the centre and the zoom
    /// relative to fit stay the same.
    private static func carry(
        _ placement: Placement, from old: ViewGeometry, to new: ViewGeometry
    ) -> Placement {
        let ratio =
            new.limits(rotation: placement.rotation).fit
            / old.limits(rotation: placement.rotation).fit
        return Placement(
            center: new.viewport.center + (placement.center - old.viewport.center) * ratio,
            zoom: placement.zoom * ratio, rotation: placement.rotation)
    }

    // MARK: Placement

    /// The geometry of the current page on the surface.
    var geometry: ViewGeometry { geometry(of: page) }

    /// The geometry of a page on the surface; a page without a picture counts as one whose picture
    /// just fits.
    func geometry(of page: Int) -> ViewGeometry {
        let pitch = Paging.pitch(width: viewport.size.width)
        let size = pages[page]?.picture?.size.size ?? viewport.size * viewport.scale
        return ViewGeometry(
            picture: size, viewport: viewport, enlarge: settings.enlarge,
            hasRubberBand: !settings.reducedMotion,
            pagerRange: -pitch * Double(max(count - 1 - page, 0))...pitch * Double(max(page, 0)))
    }

    func limits(rotation: Double) -> ZoomLimits { geometry.limits(rotation: rotation) }

    var isHeld: Bool {
        if case .held = state { true } else { false }
    }

    /// The placement of the picture on its page, without `correction`: new motions start from it.
    func place(at moment: Moment) -> Placement {
        switch state {
        case .gone: goal
        case .resting(let placement): placement
        case .held(let manipulation): (predicted ?? manipulation).placement
        case .moving(let motion), .leaving(let motion, _, _), .returningToCell(let motion):
            motion.placement(at: moment)
        }
    }

    /// The drawn placement of the picture on its page: with `correction`.
    func placementOnPage(at moment: Moment) -> Placement {
        correction.applied(to: place(at: moment), at: moment)
    }

    /// The pager offset without `correction`, in logical pixels.
    func pagerPosition(at moment: Moment) -> Double {
        if case .held(let manipulation) = state {
            (predicted ?? manipulation).pagerOffset
        } else {
            pagerOffset.displacement(at: moment)
        }
    }

    /// The drawn pager offset, with `correction`, in logical pixels.
    func drawnPagerOffset(at moment: Moment) -> Double {
        pagerPosition(at: moment) + correction.shift(at: moment)
    }

    /// Applies a change that is computed from the samples alone, and keeps the drawn placement.
    ///
    /// The difference between the placements drawn before and after the change becomes
    /// `correction`.
    mutating func withPredictionCorrection(at moment: Moment, _ change: (inout ViewerModel) -> Void)
    {
        let (old, shift, left) = (placementOnPage(at: moment), drawnPagerOffset(at: moment), page)
        correction = .none
        change(&self)
        guard !settings.reducedMotion else { return }
        let pitch = Paging.pitch(width: viewport.size.width)
        let newShift = drawnPagerOffset(at: moment) - Double(page - left) * pitch
        if page != left {
            if let target = departingPages[left]?.target {
                departingPages[left] = departure(from: old, to: target, at: moment)
            }
            let new = placementOnPage(at: moment)
            correction = PredictionCorrection(
                from: new, to: new, shift: shift - newShift, at: moment)
        } else {
            correction = PredictionCorrection(
                from: old, to: placementOnPage(at: moment), shift: shift - newShift, at: moment)
        }
    }

    /// The placement at which the picture of the current page is drawn on the surface; nil without
    /// a picture.
    package func placement(at moment: Moment) -> Placement? {
        guard hasPicture else { return nil }
        var placement = placementOnPage(at: moment)
        placement.center.x += drawnPagerOffset(at: moment)
        return placement
    }

    package var hasPicture: Bool {
        if case .gone = state { return false }
        return pages[page]?.picture != nil
    }

    package var hasMessage: Bool { message != nil }

    /// The message about the selected picture: a timed one, or why it cannot be shown.
    var message: String? { notice?.text ?? pages[index]?.failure }

    /// Whether a touch would catch a motion.
    package func isMoving(at moment: Moment) -> Bool {
        switch state {
        case .leaving(_, _, let end): moment < end
        case .returningToCell(let motion): !motion.isAtRest(at: moment)
        case .moving(let motion): !motion.isAtRest(at: moment) || !pagerOffset.isAtRest(at: moment)
        case .resting: !pagerOffset.isAtRest(at: moment)
        case .held, .gone: false
        }
    }

    /// Whether the next frame can differ from this one without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        isMoving(at: moment) || !dim.isAtRest(at: moment, tolerance: .opacity)
            || !crop.isAtRest(at: moment, tolerance: .opacity) || !correction.isAtRest(at: moment)
            || panel.isAnimating(at: moment)
    }

    /// When the next change happens without an event or a motion; nil if there is none.
    package var deadline: Moment? {
        if case .leaving(_, _, let end) = state { return end }
        return notice?.end
    }

    /// Ends the motions and messages that are over at `moment`.
    package mutating func advance(to moment: Moment, effects: inout [Effect]) {
        if case .moving(let motion) = state, motion.isAtRest(at: moment) {
            state = .resting(motion.target)
        }
        if dim.isAtRest(at: moment, tolerance: .opacity) { dim = .still(dim.restValue) }
        if crop.isAtRest(at: moment, tolerance: .opacity) { crop = .still(crop.restValue) }
        if correction.isAtRest(at: moment) { correction = .none }
        panel.advance(to: moment)
        if case .returningToCell(let motion) = state,
            motion.isAtRest(at: moment) || hasReachedCell(motion.placement(at: moment), at: moment)
        {
            state = .gone
            crop = .still(0)
            effects.append(.landed)
        }
        if let end = notice?.end, moment >= end { notice = nil }
        if case .leaving(_, _, let end) = state, moment >= end {
            state = .gone
            effects.append(.quit)
        }
        if case .held = state { return }
        releaseUnheld(at: moment)
        if pagerOffset.isAtRest(at: moment) {
            pagerOffset.rest()
            departingPages = [:]
        } else {
            forgetLeftPages(at: moment)
        }
    }
}
