import CMath
import Edits
package import Geometry
import Gestures
package import Interface
package import Motion

/// The cropping of one picture: the picture moves below a frame that stays in place.
///
/// A pure state machine, which knows neither pixels nor bars. At rest the picture covers the frame, and
/// `edit` is the part that the frame shows, rounded to whole pixels.
package struct CropModel: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case moving(CropMotion)
        /// Held by fingers; `predicted` affects only what is drawn.
        case held(CropHold, predicted: CropView?)
        /// A finger has caught a motion, or turns the dial.
        case stopped(CropView)
    }

    /// The start of a turn of the dial.
    struct Dial: Hashable, Sendable {
        /// The position of the ruler; see `CropDial`.
        var position: Double
        var view: CropView
    }

    /// The size of the upright picture, in pixels.
    package private(set) var picture: PixelSize
    /// How the picture is turned and mirrored.
    package internal(set) var turn: Orientation
    package private(set) var ratio = CropRatio.free
    /// Whether the proportions are higher than wide.
    package private(set) var isPortrait: Bool
    /// Where the frame may be, in logical pixels.
    package private(set) var area: Rect
    var state: State
    /// Where a finger has begun to turn the dial; nil while none does.
    var dial: Dial?
    /// The kept size that the person has chosen last, in picture pixels, which proportions start from.
    private var chosen: Size
    /// The proportions of the frame at rest, width by height.
    private var proportions: Double
    package var reducesMotion: Bool

    /// The smallest sides of a picture that can be cropped, in pixels.
    package static let smallestPicture = Int(CropLimits.smallestSide)

    /// Begins with the whole picture, turned by clockwise quarter turns.
    package init(
        picture: PixelSize, turns: Int = 0, area: Rect, reducesMotion: Bool = false
    ) {
        self.picture = picture
        turn = Orientation(turns: turns)
        self.area = area
        self.reducesMotion = reducesMotion
        let turned = turn.upright(picture).size
        isPortrait = turned.height > turned.width
        chosen = turned
        proportions = turned.width / turned.height
        let whole = CropView(
            frame: Self.frame(proportions, in: area), center: .zero, width: turned.width, angle: 0)
        let limits = CropLimits(picture: turned)
        state = .moving(CropMotion(resting: limits.resting(whole), in: limits))
    }

    // MARK: State

    /// The size of the turned picture, in pixels.
    package var turnedSize: PixelSize { turn.upright(picture) }

    package var limits: CropLimits { CropLimits(picture: turnedSize.size) }

    /// The largest frame with these proportions in an area.
    private static func frame(_ proportions: Double, in area: Rect) -> Rect {
        let width = max(min(area.width, area.height * proportions), 1)
        return Rect(
            center: area.center, size: Size(width: width, height: max(width / proportions, 1)))
    }

    /// The drawn view.
    package func view(at moment: Moment) -> CropView {
        switch state {
        case .moving(let motion): motion.view(at: moment)
        case .held(let hold, let predicted): predicted ?? hold.view
        case .stopped(let view): view
        }
    }

    /// Where the picture is or comes to rest.
    package var target: CropView {
        switch state {
        case .moving(let motion): motion.target
        case .held(let hold, _): rest(from: hold.view, snaps: true)
        case .stopped(let view): rest(from: view)
        }
    }

    package var isHeld: Bool {
        if case .moving = state { false } else { true }
    }

    /// Whether a touch would catch a motion.
    package func isMoving(at moment: Moment) -> Bool {
        if case .moving(let motion) = state { !motion.isAtRest(at: moment) } else { false }
    }

    /// The angle in degrees clockwise, as the dial shows it.
    package func degrees(at moment: Moment) -> Double { view(at: moment).angle * 180 / .pi }

    /// Whether a part of the picture, an angle or a turn was chosen.
    package var isChanged: Bool { ratio != .free || !edit.isIdentity }

    // MARK: Motion

    /// The view that `view` comes to rest at: the largest frame, which the picture covers.
    ///
    /// With `snaps` a picture that is almost upright becomes so.
    func rest(from view: CropView, snaps: Bool = false) -> CropView {
        var rest = view
        rest.frame = Self.frame(view.frame.width / view.frame.height, in: area)
        // The smallest angle that the dial shows is a tenth of a degree.
        let degrees = (view.angle * 180 / .pi * 10).rounded() / 10
        rest.angle = snaps && abs(degrees) <= CropDial.detent ? 0 : degrees * .pi / 180
        return limits.resting(rest)
    }

    /// Moves to a view that may rest.
    mutating func move(
        to target: CropView, from start: CropView? = nil, velocity: Vector = .zero,
        at moment: Moment
    ) {
        dial = nil
        proportions = target.frame.width / target.frame.height
        guard !reducesMotion else {
            state = .moving(CropMotion(resting: target, in: limits))
            return
        }
        state = .moving(
            CropMotion(
                from: start ?? view(at: moment), to: target, velocity: velocity, in: limits,
                at: moment))
    }

    /// Moves to a view that may rest, which the person has chosen.
    mutating func choose(
        _ target: CropView, velocity: Vector = .zero, at moment: Moment
    ) {
        chosen = Size(width: target.width, height: target.height)
        move(to: target, velocity: velocity, at: moment)
    }

    /// Begins where the picture is shown, at `placement` with the turns of the model applied.
    package mutating func arrive(from placement: Rotated, at moment: Moment) {
        let target = target
        var start = target
        start.spin = placement.rotation
        start.width = target.frame.width / max(placement.zoom, 1e-9)
        start.center =
            (target.frame.center - placement.center).rotated(by: -placement.rotation)
            * (1 / max(placement.zoom, 1e-9))
        move(to: target, from: start, at: moment)
    }

    /// A placement of the turned picture on the surface.
    package struct Rotated {
        package var center: Point
        package var zoom: Double
        /// Radians clockwise, beyond the turns of the model.
        package var rotation: Double

        package init(center: Point, zoom: Double, rotation: Double) {
            (self.center, self.zoom, self.rotation) = (center, zoom, rotation)
        }
    }

    /// Sets where the frame may be; the kept part stays, and all motion ends.
    package mutating func setArea(_ area: Rect) {
        guard area != self.area else { return }
        let old = target
        self.area = area
        var view = old
        view.frame = Self.frame(old.frame.width / old.frame.height, in: area)
        dial = nil
        state = .moving(CropMotion(resting: limits.resting(view), in: limits))
    }

    /// Continues with pixels that are themselves turned by clockwise quarter turns; the drawn view stays.
    package mutating func replacePixels(turnedBy quarters: Int) {
        let done = Orientation(turns: quarters)
        picture = done.upright(picture)
        turn = done.inverse.followed(by: turn)
    }

    // MARK: Proportions

    /// Chooses proportions; the kept part has about the same area about the same middle.
    package mutating func choose(_ ratio: CropRatio, at moment: Moment) {
        self.ratio = ratio
        guard let proportions = fixedProportions else { return }
        reshape(to: proportions, at: moment)
    }

    /// The proportions of the chosen ratio, width by height; nil for free ones.
    var fixedProportions: Double? {
        let size = turnedSize.size
        let sides = max(size.width, size.height) / min(size.width, size.height)
        guard ratio != .free else { return nil }
        let long = ratio.longToShort ?? sides
        return isPortrait ? 1 / long : long
    }

    /// Exchanges width and height of the proportions.
    package mutating func swapSides(at moment: Moment) {
        isPortrait.toggle()
        chosen = chosen.transposed
        reshape(to: fixedProportions ?? 1 / proportions, at: moment)
    }

    private mutating func reshape(to proportions: Double, at moment: Moment) {
        var view = target
        view.frame = Self.frame(proportions, in: area)
        view.width = (chosen.width * chosen.height * proportions).squareRoot()
        move(to: limits.resting(view), at: moment)
    }

    // MARK: Turns

    /// Turns picture and frame together, clockwise by a number of quarters.
    package mutating func rotate(quarters: Int, at moment: Moment) {
        let (old, drawn) = (target, view(at: moment))
        let quarter = Double(quarters) * .pi / 2
        turn = turn.followed(by: Orientation(turns: quarters))
        let isOdd = !quarters.isMultiple(of: 2)
        if isOdd {
            isPortrait.toggle()
            chosen = chosen.transposed
        }
        func turned(_ view: CropView) -> CropView {
            var view = view
            view.center = view.center.rotated(by: quarter)
            return view
        }
        var start = turned(drawn)
        start.spin -= quarter
        var end = turned(old)
        if isOdd {
            end.frame = Self.frame(old.frame.height / old.frame.width, in: area)
            end.width = old.height
        }
        move(to: limits.resting(end), from: start, at: moment)
    }

    /// Mirrors what the frame shows.
    package mutating func flip(vertically: Bool, at moment: Moment) {
        turn = turn.followed(by: vertically ? .mirroredUpsideDown : .mirrored)
        func flipped(_ view: CropView) -> CropView {
            var view = view
            (view.angle, view.spin) = (-view.angle, -view.spin)
            if vertically { view.center.dy.negate() } else { view.center.dx.negate() }
            return view
        }
        let (start, end) = (flipped(view(at: moment)), flipped(target))
        move(to: end, from: start, at: moment)
    }

    /// Returns to the whole picture, without any edit.
    package mutating func reset(at moment: Moment) {
        if turn.isMirrored { flip(vertically: false, at: moment) }
        if turn != .upright {
            let turns = turn.clockwiseTurns
            rotate(quarters: turns == 3 ? 1 : -turns, at: moment)
        }
        ratio = .free
        let size = turnedSize.size
        isPortrait = size.height > size.width
        let whole = CropView(
            frame: Self.frame(size.width / size.height, in: area), center: .zero,
            width: size.width, angle: 0)
        choose(limits.resting(whole), at: moment)
    }
}
