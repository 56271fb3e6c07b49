import Geometry
import Gestures
import Glibc
import Input
import Motion
import Testing

/// Plays a gesture script to its end and returns the gestures that the arena emitted.
func play(
    _ script: String, context: GestureArena.Context = .init(),
    settings: GestureConstants = .init()
) throws -> [TimedGesture] {
    let script = try GestureScript(parsing: script)
    var arena = GestureArena(settings: settings)
    var gestures: [TimedGesture] = []
    for entry in script.entries {
        arena.handle(entry.event, at: entry.moment, context: context, into: &gestures)
    }
    arena.expire(to: script.end, inclusive: true, into: &gestures)
    return gestures
}

extension [TimedGesture] {
    /// The gestures without `caught`, which every touch emits first, without predictions, and without
    /// the movements of the pointer.
    var withoutCatches: [TimedGesture] {
        withoutPredictions.withoutHovers.filter { timed in
            if case .caught = timed.gesture { return false }
            return true
        }
    }

    /// The gestures without the movements of the pointer.
    var withoutHovers: [TimedGesture] {
        filter { timed in
            if case .chrome(.hover) = timed.gesture { return false }
            return true
        }
    }

    /// The gestures without the predictions.
    var withoutPredictions: [TimedGesture] {
        filter { timed in
            switch timed.gesture {
            case .manipulationPredicted, .quickZoomPredicted: false
            default: true
            }
        }
    }

    /// The states of all manipulations, in order, without the predictions.
    var manipulations: [Manipulation] {
        compactMap { timed in
            switch timed.gesture {
            case .manipulationBegan(let manipulation), .manipulationRebased(let manipulation, _),
                .manipulationChanged(let manipulation):
                return manipulation
            default: return nil
            }
        }
    }

    var releases: [Release] {
        compactMap { timed in
            guard case .manipulationEnded(let release) = timed.gesture else { return nil }
            return release
        }
    }
}

func at(_ milliseconds: Double, _ gesture: Gesture) -> TimedGesture {
    TimedGesture(gesture, at: Moment(milliseconds: milliseconds))
}

func isNear(_ a: Point, _ b: Point, within tolerance: Double = 5e-5) -> Bool {
    (a - b).length < tolerance
}

/// The placement of a picture that follows the emitted manipulations, in logical pixels.
struct Placement {
    var scale: Double
    var origin: Point
    var rotation = 0.0
    private var base: (scale: Double, origin: Point, rotation: Double)

    init(scale: Double, origin: Point) {
        (self.scale, self.origin) = (scale, origin)
        base = (scale, origin, 0)
    }

    mutating func apply(_ gesture: Gesture) {
        switch gesture {
        case .manipulationBegan(let manipulation), .manipulationRebased(let manipulation, _):
            base = (scale, origin, rotation)
            follow(manipulation)
        case .manipulationChanged(let manipulation): follow(manipulation)
        case .manipulationEnded(let release):
            let factor = exp(release.residualZoom)
            scale *= factor
            origin = release.centroid + (origin - release.centroid) * factor
        default: break
        }
    }

    private mutating func follow(_ manipulation: Manipulation) {
        scale = base.scale * manipulation.scale
        rotation = base.rotation + manipulation.rotation
        let arm = (manipulation.base - base.origin) * manipulation.scale
        origin = manipulation.centroid - arm.rotated(by: manipulation.rotation)
    }
}
