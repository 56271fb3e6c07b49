import Geometry
import Gestures
import CMath
import Motion

/// A picture lifted out of its cell: held by fingers, or returning to its cell.
///
/// The picture keeps the aspect ratio of its cell. Callers pass the present rectangle of the cell
/// (`home`, on the surface, in logical pixels) every time, so that the picture returns to its cell
/// even if the layout has changed since.
struct Peek: Sendable {
    var index: Int
    private(set) var phase: Phase

    enum Phase: Sendable {
        case held(Grip)
        case returning(Return)
    }

    /// Position and scale of the lifted picture.
    struct Place: Hashable, Sendable {
        /// On the surface, in logical pixels.
        var center: Point
        /// Relative to the size of the cell.
        var scale: Double
    }

    /// A hold of the picture by fingers.
    ///
    /// The state is the start plus the fingers' total translation and spread.
    struct Grip: Sendable {
        let start: Place
        let startRawScale: Double
        let base: Point
        let baseSpread: Double
        /// The backdrop's opacity when the grip began.
        let startDim: Double
        /// When the grip began.
        let startMoment: Moment
        var place: Place
        var rawScale: Double
        var velocity = VelocityTracker()
        var zoomRate = ScalarVelocityTracker(maximumSpeed: maximumZoomRate)
    }

    /// The return to the cell, as displacements from the cell.
    struct Return: Sendable {
        var x: ClosingSpring
        var y: ClosingSpring
        var logScale: ClosingSpring
        var dim: ClosingSpring
    }

    /// From the release until the cell shows its picture again, in seconds.
    static let returnDuration = 0.3
    /// With `peek.release = "open"`, a picture released above this scale opens.
    static let openingScale = 1.6
    /// The largest plausible zoom rate of fingers, d(ln scale)/dt per second.
    private static let maximumZoomRate = 20.0

    /// Lifts the picture from its cell, which is drawn at `home`.
    ///
    /// The fingers' translation counts from `base`, where their spread was `baseSpread`.
    init(
        index: Int, home: Rect, fingers: Manipulation, base: Point, baseSpread: Double,
        settings: GridSettings, at moment: Moment
    ) {
        self.index = index
        let start = Place(center: home.center, scale: 1)
        phase = .held(
            Grip(
                start: start, startRawScale: 1, base: base, baseSpread: baseSpread, startDim: 0,
                startMoment: moment, place: start, rawScale: 1))
        follow(fingers, settings: settings, at: moment)
    }

    /// The limits of the scale.
    private static func limits(_ settings: GridSettings) -> ClosedRange<Double> {
        1...(settings.peekMaximum == 0 ? .greatestFiniteMagnitude : max(settings.peekMaximum, 1))
    }

    /// Starts a new hold of the picture where it is.
    ///
    /// The fingers' translation counts from `base`, where their spread was `baseSpread`. `home` is
    /// the rectangle of the cell.
    mutating func grip(
        _ fingers: Manipulation, base: Point, baseSpread: Double, home: Rect,
        settings: GridSettings, at moment: Moment
    ) {
        let place = place(home: home, at: moment)
        phase = .held(
            Grip(
                start: place,
                startRawScale: ZoomBand.raw(place.scale, limits: Self.limits(settings)),
                base: base, baseSpread: baseSpread, startDim: dim(settings.peekDim, at: moment),
                startMoment: moment, place: place, rawScale: place.scale))
        follow(fingers, settings: settings, at: moment)
    }

    /// Keeps the picture point that was touched first under the fingers' midpoint.
    ///
    /// The lower limit of the scale is hard. Above the upper limit the scale yields with a rubber
    /// band.
    mutating func follow(_ fingers: Manipulation, settings: GridSettings, at moment: Moment) {
        guard case .held(var grip) = phase else { return }
        let limits = Self.limits(settings)
        let raw = max(grip.startRawScale * fingers.scale / grip.baseSpread, 1)
        grip.rawScale = raw
        grip.place.scale =
            settings.reducedMotion
            ? min(raw, limits.upperBound) : ZoomBand.displayed(raw, limits: limits)
        grip.place.center =
            fingers.centroid
            + (grip.start.center - grip.base) * (grip.place.scale / grip.start.scale)
        grip.velocity.add(fingers.centroid, at: moment)
        grip.zoomRate.add(log(grip.place.scale), at: moment)
        phase = .held(grip)
    }

    /// Starts the return to the cell from the place of `predicted`.
    ///
    /// The picture keeps its velocity unless the release `isCancelled`.
    mutating func release(
        predicted: Peek, isCancelled: Bool, home: Rect, settings: GridSettings, at moment: Moment
    ) {
        guard case .held(let grip) = phase else { return }
        let rate = isCancelled ? 0 : grip.zoomRate.velocity(at: moment)
        let velocity = isCancelled ? .zero : grip.velocity.velocity(at: moment)
        let place = predicted.place(home: home, at: moment)
        let offset = place.center - home.center
        func spring(_ value: Double, _ velocity: Double = 0) -> ClosingSpring {
            ClosingSpring(
                from: value, velocity: velocity, at: moment, duration: Self.returnDuration)
        }
        phase = .returning(
            Return(
                x: spring(offset.dx, velocity.dx), y: spring(offset.dy, velocity.dy),
                logScale: spring(log(place.scale), rate),
                dim: spring(predicted.dim(settings.peekDim, at: moment))))
    }

    // MARK: Position

    func place(home: Rect, at moment: Moment) -> Place {
        switch phase {
        case .held(let grip): return grip.place
        case .returning(let motion):
            let offset = Vector(dx: motion.x.value(at: moment), dy: motion.y.value(at: moment))
            // A fast return would overshoot the cell's size; the lower limit of the scale is hard.
            return Place(
                center: home.center + offset, scale: max(exp(motion.logScale.value(at: moment)), 1))
        }
    }

    func rect(home: Rect, at moment: Moment) -> Rect {
        let place = place(home: home, at: moment)
        return Rect(
            center: place.center,
            size: Size(width: home.width * place.scale, height: home.height * place.scale))
    }

    /// The backdrop's opacity, 0…1.
    func dim(_ profile: PeekDim, at moment: Moment) -> Double {
        switch phase {
        case .held(let grip):
            let time = moment.seconds(since: grip.startMoment) / profile.duration
            let progress = min(max(time, 0), 1)
            let eased = progress * progress * (3 - 2 * progress)
            let full = profile.opacity(at: grip.place.scale)
            return progress < 1 ? grip.startDim + (full - grip.startDim) * eased : full
        case .returning(let motion): return min(max(motion.dim.value(at: moment), 0), 1)
        }
    }

    var isHeld: Bool {
        if case .held = phase { true } else { false }
    }

    /// Whether the next frame can differ from this one although no finger moves.
    func isChanging(_ profile: PeekDim, at moment: Moment) -> Bool {
        guard case .held(let grip) = phase else { return true }
        return moment.seconds(since: grip.startMoment) < profile.duration
    }

    /// Whether the picture is back in its cell.
    func isOver(at moment: Moment) -> Bool {
        if case .returning(let motion) = phase { motion.x.isOver(at: moment) } else { false }
    }
}
