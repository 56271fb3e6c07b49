import Geometry
import Gestures
import CMath
import Motion

/// A picture lifted out of its cell: in the fingers, or on its way back.
///
/// It keeps the shape of its cell. The cell's place on the surface is asked anew every time, so
/// that the way back leads home even when the grid was laid out again meanwhile.
struct Peek: Sendable {
    var index: Int
    private(set) var phase: Phase

    enum Phase: Sendable {
        case held(Grip)
        case returning(Return)
    }

    /// Where the lifted picture is.
    struct Place: Hashable, Sendable {
        /// On the surface, in logical pixels.
        var center: Point
        /// Times the cell's size.
        var scale: Double
    }

    /// The fingers' hold on the picture; the state is its start plus the fingers' whole way.
    struct Grip: Sendable {
        let start: Place
        let startRawScale: Double
        let base: Point
        let baseSpread: Double
        /// The backdrop's opacity when the grip began, and when that was.
        let startDim: Double
        let startMoment: Moment
        var place: Place
        var rawScale: Double
        var velocity = VelocityTracker()
        var zoomRate = ScalarVelocityTracker(maximumSpeed: fastestZoom)
    }

    /// Back to the cell: how far it still is from there.
    struct Return: Sendable {
        var x: ClosingSpring
        var y: ClosingSpring
        var logScale: ClosingSpring
        var dim: ClosingSpring
    }

    /// From the release until the cell shows its picture again, in seconds.
    static let returnDuration = 0.3
    /// With `peek.release = "open"`, a picture let go above this many times its cell opens.
    static let openingScale = 1.6
    /// The fastest that fingers are believed to spread, as d(ln scale)/dt per second.
    private static let fastestZoom = 20.0

    /// Lifts the picture from its cell, which is drawn at `home`.
    ///
    /// The fingers' way counts from `base`, where their spread was `baseSpread`.
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

    /// Takes hold of the picture where it is; the fingers' way counts from `base`, where their spread
    /// was `baseSpread`.
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

    /// The picture point that was first touched stays under the fingers' midpoint.
    ///
    /// Source: gesture sheet §15; the floor of the scale is hard, its ceiling gives.
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

    /// Sends the picture back to its cell from where it is `seen`, with the speed it has unless it
    /// `isCancelled`.
    mutating func release(
        predicted: Peek, isCancelled: Bool, home: Rect, settings: GridSettings, at moment: Moment
    ) {
        guard case .held(let grip) = phase else { return }
        let rate = isCancelled ? 0 : grip.zoomRate.velocity(at: moment)
        let drift = isCancelled ? .zero : grip.velocity.velocity(at: moment)
        let place = predicted.place(home: home, at: moment)
        let way = place.center - home.center
        func spring(_ value: Double, _ velocity: Double = 0) -> ClosingSpring {
            ClosingSpring(
                from: value, velocity: velocity, at: moment, duration: Self.returnDuration)
        }
        phase = .returning(
            Return(
                x: spring(way.dx, drift.dx), y: spring(way.dy, drift.dy),
                logScale: spring(log(place.scale), rate),
                dim: spring(predicted.dim(settings.peekDim, at: moment))))
    }

    // MARK: Where it is

    func place(home: Rect, at moment: Moment) -> Place {
        switch phase {
        case .held(let grip): return grip.place
        case .returning(let way):
            let shift = Vector(dx: way.x.value(at: moment), dy: way.y.value(at: moment))
            // Thrown at its cell, the spring would pass the cell's size: the floor is hard.
            return Place(
                center: home.center + shift, scale: max(exp(way.logScale.value(at: moment)), 1))
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
            let part = min(max(time, 0), 1)
            let eased = part * part * (3 - 2 * part)
            let full = profile.opacity(at: grip.place.scale)
            return part < 1 ? grip.startDim + (full - grip.startDim) * eased : full
        case .returning(let way): return min(max(way.dim.value(at: moment), 0), 1)
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
        if case .returning(let way) = phase { way.x.isOver(at: moment) } else { false }
    }
}
