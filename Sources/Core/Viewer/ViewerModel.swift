import Geometry
import CMath
package import Motion
package import SceneModel

/// The viewer: one picture on the whole surface, and the way to the others.
///
/// A pure state machine. Gestures, keys and what became of loading go in with the moment they
/// happened at; effects come out as data; `frame(at:)` says what the surface shows at a moment.
///
/// The pictures are pages of a strip. One page is *in place*: gestures act on it, and its
/// placement is relative to where the strip has displaced it.
package struct ViewerModel: Sendable {
    package internal(set) var settings: ViewerSettings
    package internal(set) var viewport: Viewport
    /// The selected picture.
    package internal(set) var index: Int
    package internal(set) var count: Int
    /// The page in place: that of the selected picture, unless that one is waited for.
    var page: Int
    /// What is known of the pictures around the selected one.
    var pages: [Int: Page] = [:]
    var state: State
    /// The hold as the frame sees it, between the fingers' samples; it decides nothing.
    var predicted: ActiveManipulation?
    /// What the surface still shows of where it saw the fingers.
    var correction = PredictionCorrection.none
    var strip = PagerOffset()
    /// Pages that are on their way out: from how they were left to a rest of theirs.
    var departed: [Int: PlacementMotion] = [:]
    /// How pictures were turned by hand, in radians, for when one comes back to them.
    var turns: [Int: Double] = [:]
    /// Which way the last turn of a page went, 1 or −1: there the next picture is most likely.
    var heading = 1
    /// Opacity of the backdrop.
    var dim = ScalarMotion.still(1)
    /// How far the picture is cut as its cell on the grid cuts it, 0…1.
    var crop = ScalarMotion.still(0)
    /// The page that flies, and is cropped.
    var croppedPage = 0
    /// The selected picture's cell.
    var transitionSource: TransitionSource?
    var dismissesHome = false
    /// Set while a picture is held that was caught on its way home: it goes back to the whole
    /// surface, unless it is pinched.
    var returnsToFit = false
    /// What a touch has stopped, and goes on if the touch lifts without having moved.
    var interrupted: Interrupted?
    var chrome = false
    var menu: Menu?
    var panel: InformationPanel
    /// Whether the selected picture plays; nil when it does not move.
    package var animation: Playback.Phase? {
        didSet { if animation != oldValue, menu != nil { menu = nil } }
    }
    var notice: Notice?
    /// What is to be said of pictures when they are selected.
    var remarks: [Int: String] = [:]
    /// Set when a release has dismissed, until a frame has told it.
    var justDismissed = false
    /// What the picture would rest at if nobody came between: what steps count from.
    var goal: Placement
    var wheel = WheelSteps()
    var zoomAim: ZoomAim?

    enum State: Hashable, Sendable {
        case resting(Placement)
        case held(ActiveManipulation)
        case moving(PlacementMotion)
        /// Dismissed: on its way off the surface, gone at `end`.
        case leaving(PlacementMotion, opacity: ScalarMotion, end: Moment)
        /// On its way to its cell of the grid.
        case homing(PlacementMotion)
        case gone
    }

    /// A motion that a touch has stopped.
    enum Interrupted: Hashable, Sendable {
        /// On its way to `goal`.
        case motion(isFling: Bool)
        /// Off the surface, with a velocity in logical pixels per second; zero after a pinch.
        case departure(velocity: Vector)
        /// To its cell.
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

    /// Takes a new size or scale of the surface.
    ///
    /// The picture point at the centre stays there, and the zoom relative to fit.
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
        strip.rest()
        departed = [:]
        let target = Self.carry(goal, from: old, to: geometry)
        let rest = geometry.nearestRest(to: target, about: viewport.center)
        switch state {
        case .gone, .leaving, .homing: break
        case .resting: self.rest(at: rest)
        case .moving(let motion):
            let start = Self.carry(now, from: old, to: geometry)
            move(
                by: PlacementMotion(
                    from: start, to: rest, pivot: viewport.center,
                    centerVelocity: motion.centerVelocity(at: moment),
                    zoomRate: motion.zoomRate(at: moment),
                    rotationRate: motion.rotationRate(at: moment), at: moment))
        case .held(let hold): carry(hold, from: old, at: moment)
        }
    }

    /// The fingers go on with the picture where the new surface has it.
    private mutating func carry(
        _ hold: ActiveManipulation, from old: ViewGeometry, at moment: Moment
    ) {
        let start = Self.carry(hold.placement, from: old, to: geometry)
        let origin = Self.carry(hold.origin, from: old, to: geometry)
        goal = geometry.nearestRest(to: start, about: viewport.center)
        if case .quickZoom = hold.kind {
            dim = .still(1)
            rest(at: goal)
            return
        }
        state = .held(
            ActiveManipulation(
                .init(
                    kind: hold.kind, start: start, origin: origin, isArmed: hold.isArmed,
                    progress: hold.progress, base: hold.fingers, began: hold.began),
                hold.fingers, on: geometry))
    }

    /// A placement on another surface: the point at the centre and the zoom relative to fit stay.
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

    // MARK: Where things are

    /// The page in place and the surface.
    var geometry: ViewGeometry { geometry(of: page) }

    /// A page and the surface; a page without a picture counts as one that just fits.
    func geometry(of page: Int) -> ViewGeometry {
        let pitch = Paging.pitch(width: viewport.size.width)
        let size = pages[page]?.picture?.size.size ?? viewport.size * viewport.scale
        return ViewGeometry(
            picture: size, viewport: viewport, enlarge: settings.enlarge,
            bends: !settings.reducedMotion,
            stripRange: -pitch * Double(max(count - 1 - page, 0))...pitch * Double(max(page, 0)))
    }

    func limits(rotation: Double) -> ZoomLimits { geometry.limits(rotation: rotation) }

    var isHeld: Bool {
        if case .held = state { true } else { false }
    }

    /// Where the picture is on its page: what goes on from there starts here.
    ///
    /// What `correction` adds to that
    /// is only seen.
    func place(at moment: Moment) -> Placement {
        switch state {
        case .gone: goal
        case .resting(let placement): placement
        case .held(let hold): (predicted ?? hold).placement
        case .moving(let motion), .leaving(let motion, _, _), .homing(let motion):
            motion.placement(at: moment)
        }
    }

    /// Where the picture is seen on its page.
    func placementOnPage(at moment: Moment) -> Placement {
        correction.applied(to: place(at: moment), at: moment)
    }

    /// How far the strip displaces the pages, in logical pixels.
    func stripPosition(at moment: Moment) -> Double {
        if case .held(let hold) = state {
            (predicted ?? hold).strip
        } else {
            strip.displacement(at: moment)
        }
    }

    /// How far the strip is seen to displace the pages, in logical pixels.
    func stripDisplacement(at moment: Moment) -> Double {
        stripPosition(at: moment) + correction.shift(at: moment)
    }

    /// Does what follows from the fingers' samples, and leaves on the surface what it saw of them.
    mutating func mend(at moment: Moment, _ change: (inout ViewerModel) -> Void) {
        let (old, shift, left) = (placementOnPage(at: moment), stripDisplacement(at: moment), page)
        correction = .none
        change(&self)
        guard !settings.reducedMotion else { return }
        let pitch = Paging.pitch(width: viewport.size.width)
        let turned = stripDisplacement(at: moment) - Double(page - left) * pitch
        if page != left {
            if let target = departed[left]?.target {
                departed[left] = departure(from: old, to: target, at: moment)
            }
            let new = placementOnPage(at: moment)
            correction = PredictionCorrection(from: new, to: new, shift: shift - turned, at: moment)
        } else {
            correction = PredictionCorrection(
                from: old, to: placementOnPage(at: moment), shift: shift - turned, at: moment)
        }
    }

    /// Where the picture in place is drawn on the surface; none when there is no picture.
    package func placement(at moment: Moment) -> Placement? {
        guard hasPicture else { return nil }
        var placement = placementOnPage(at: moment)
        placement.center.x += stripDisplacement(at: moment)
        return placement
    }

    package var hasPicture: Bool {
        if case .gone = state { return false }
        return pages[page]?.picture != nil
    }

    package var hasMessage: Bool { message != nil }

    /// What the surface says about the selected picture.
    var message: String? { notice?.text ?? pages[index]?.failure }

    /// Whether a touch now would catch something that moves.
    package func isMoving(at moment: Moment) -> Bool {
        switch state {
        case .leaving(_, _, let end): moment < end
        case .homing(let motion): !motion.isAtRest(at: moment)
        case .moving(let motion): !motion.isAtRest(at: moment) || !strip.isAtRest(at: moment)
        case .resting: !strip.isAtRest(at: moment)
        case .held, .gone: false
        }
    }

    /// Whether the next frame can differ from this one without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        isMoving(at: moment) || !dim.isAtRest(at: moment, tolerance: .opacity)
            || !crop.isAtRest(at: moment, tolerance: .opacity) || !correction.isAtRest(at: moment)
            || panel.isAnimating(at: moment)
    }

    /// When something happens by itself although nothing moves.
    package var deadline: Moment? {
        if case .leaving(_, _, let end) = state { return end }
        return notice?.end
    }

    /// Lets what has come to its end be over.
    package mutating func advance(to moment: Moment, effects: inout [Effect]) {
        if case .moving(let motion) = state, motion.isAtRest(at: moment) {
            state = .resting(motion.target)
        }
        if dim.isAtRest(at: moment, tolerance: .opacity) { dim = .still(dim.restValue) }
        if crop.isAtRest(at: moment, tolerance: .opacity) { crop = .still(crop.restValue) }
        if correction.isAtRest(at: moment) { correction = .none }
        panel.advance(to: moment)
        if case .homing(let motion) = state,
            motion.isAtRest(at: moment) || isHome(motion.placement(at: moment), at: moment)
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
        if strip.isAtRest(at: moment) {
            strip.rest()
            departed = [:]
        } else {
            forgetLeftPages(at: moment)
        }
    }
}
