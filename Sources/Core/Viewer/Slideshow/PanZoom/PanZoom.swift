import Geometry
import Motion
import SceneModel

/// The slow pan and zoom of the picture of a slideshow: a closed-form function of time.
struct PanZoom: Hashable, Sendable {
    private let course: PanZoomCourse
    private let start: Moment
    /// How long the picture moves evenly, in milliseconds.
    private let duration: Double
    /// How long the motion takes to begin; 0 where the picture comes in motion, in milliseconds.
    private let easeIn: Double

    /// How long the motion takes to begin or to end, in milliseconds.
    private static let ease = 1500.0
    /// A motion from rest takes at least this long, in milliseconds.
    private static let shortest = 4000.0

    /// The motion of a picture that is shown for `duration` milliseconds from `start` on.
    ///
    /// The motion ends gently where the picture stays longer.
    init(_ course: PanZoomCourse, from start: Moment, duration: Double) {
        self.course = course
        self.start = start
        self.duration = max(duration, 1)
        easeIn = 0
    }

    /// The motion of a picture that rests at `placement` and is shown for another `duration`
    /// milliseconds.
    init(
        _ course: PanZoomCourse, from start: Moment, at placement: Placement, duration: Double
    ) {
        let duration = max(duration, Self.shortest)
        self.course = course.beginning(at: placement, seconds: duration / 1000)
        self.start = start
        self.duration = duration
        easeIn = Self.ease
    }

    /// How much of the way is done, 0…1: at an even speed, which grows and falls evenly at the ends.
    private func share(at moment: Moment) -> Double {
        let time = moment.milliseconds - start.milliseconds
        let speed = 1 / (duration - easeIn / 2 + Self.ease / 2)
        if time <= 0 { return 0 }
        if time < easeIn { return speed * time * time / (2 * easeIn) }
        if time <= duration { return speed * (time - easeIn / 2) }
        let over = min(time - duration, Self.ease)
        return speed * (duration - easeIn / 2 + over - over * over / (2 * Self.ease))
    }

    func placement(at moment: Moment) -> Placement { course.placement(at: share(at: moment)) }

    /// Where the picture is at the end.
    var target: Placement { course.placement(at: 1) }

    func isAtRest(at moment: Moment) -> Bool {
        moment.milliseconds - start.milliseconds >= duration + Self.ease
    }
}
