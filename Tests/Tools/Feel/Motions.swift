import Browser
import Geometry
import Glibc
import Input
import Motion
import SceneModel
import Viewer
import Grid

/// Looks at the frames of one gesture for what no finger did, and for what fingers did in vain.
struct Motions {
    private(set) var jumps = 0
    private(set) var stills = 0
    /// The largest jump in logical pixels, with what was before and after it.
    private(set) var worst = ""

    /// The least that a finger goes in a frame for that to be more than a tremble, in logical pixels.
    private static let noticeable = 8.0
    /// A motion below this is invisible, in logical pixels.
    private static let invisible = 0.02

    /// What fingers did so many milliseconds ago still moves what they have let go of: three reports of
    /// the slowest screen, of which one may be lost.
    private static let memory = 51.0

    private struct Step {
        var start: Double
        var end: Double
        /// How far what is seen goes, in logical pixels, at its farthest point on the surface.
        var way: Double
        /// Logical pixels per millisecond.
        var speed: Double
        var isHeld: Bool
    }

    /// `start` is the moment of the events' time 0.
    init(_ frames: [FeelStage.Frame], _ intent: Intent, from start: Double, surface: Size) {
        var steps: [Step] = []
        for (old, new) in zip(frames, frames.dropFirst()) {
            guard let way = Self.way(old.frame, new.frame, surface) else { continue }
            let duration = max(new.moment.seconds(since: old.moment) * 1000, 1)
            steps.append(
                Step(
                    start: old.moment.milliseconds - start, end: new.moment.milliseconds - start,
                    way: way, speed: way / duration, isHeld: old.frame.isHeld && new.frame.isHeld))
        }
        let trails = Self.trails(intent.events)
        for (index, step) in steps.enumerated() {
            let before = index > 0 ? steps[index - 1].speed : 0
            let after = index + 1 < steps.count ? steps[index + 1].speed : 0
            let usual = max(before, after) * (step.end - step.start)
            let fingers = trails.map {
                Self.length($0, from: step.start - Self.memory, to: step.end + 1)
            }
            // Spreading fingers move what is far from them more than they move themselves, and a
            // dismissal shrinks the picture while it moves.
            let reach = trails.count > 1 ? 8.0 : 1.5
            let made = (fingers.max() ?? 0) * reach
            if step.way > 1 + 1.7 * usual + made {
                jumps += 1
                worst = "\(step.way) where \(usual) is usual at \(step.start), fingers \(made)"
            }
            guard step.isHeld, step.end < intent.firstLift else { continue }
            // A finger that stops is seen ahead of where it stops, and has got there a frame later.
            let moved = trails.map { trail in
                min(
                    Self.way(trail, from: step.start - 17, to: step.end - 17),
                    Self.way(trail, from: step.start, to: step.end))
            }
            if (moved.max() ?? 0) > Self.noticeable, step.way < Self.invisible { stills += 1 }
        }
    }

    /// How far the picture, or the cell in the middle, goes from one frame to the next.
    private static func way(_ old: BrowserFrame, _ new: BrowserFrame, _ surface: Size) -> Double? {
        guard old.mode == new.mode else { return nil }
        if old.mode == .viewer {
            guard let a = old.viewer.placement, let b = new.viewer.placement,
                old.viewer.index == new.viewer.index
            else { return nil }
            return way(a, b, surface)
        }
        guard let a = old.grid, let b = new.grid, a.lifted == nil, b.lifted == nil else {
            return nil
        }
        let middle = Point(x: surface.width / 2, y: surface.height / 2)
        let solid = a.cells.filter { $0.opacity > 0.99 }
        guard
            let cell = solid.min(by: {
                ($0.rect.center - middle).length < ($1.rect.center - middle).length
            }), let now = b.cells.first(where: { $0.index == cell.index && $0.opacity > 0.99 })
        else { return nil }
        return (now.rect.center - cell.rect.center).length
    }

    /// How far the picture points at the surface's corners and middle go.
    private static func way(_ a: Placement, _ b: Placement, _ surface: Size) -> Double {
        [(0.0, 0.0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)].map { x, y in
            let point = Point(x: x * surface.width, y: y * surface.height)
            let arm = (point - a.center).rotated(by: b.rotation - a.rotation)
            return (b.center + arm * (b.zoom / a.zoom) - point).length
        }.max() ?? 0
    }

    private typealias Trail = [(time: Double, point: Point)]

    private static func trails(_ events: [(time: Double, event: InputEvent)]) -> [Trail] {
        var trails: [Int: Trail] = [:]
        var done: [Trail] = []
        for (time, event) in events {
            switch event {
            case .touch(.down(let id, let point)): trails[id] = [(time, point)]
            case .touch(.move(let id, let point)): trails[id]?.append((time, point))
            case .touch(.up(let id)):
                if let trail = trails.removeValue(forKey: id) { done.append(trail) }
            default: break
            }
        }
        return done
    }

    private static func part(_ trail: Trail, _ start: Double, _ end: Double) -> Trail {
        let first = trail.lastIndex { $0.time <= start } ?? 0
        let last = trail.lastIndex { $0.time <= end } ?? 0
        return first < last ? Array(trail[first...last]) : []
    }

    /// The whole way of a finger, there and back.
    private static func length(_ trail: Trail, from start: Double, to end: Double) -> Double {
        let part = part(trail, start, end)
        return zip(part, part.dropFirst()).reduce(0) { $0 + ($1.1.point - $1.0.point).length }
    }

    /// From where it was to where it is.
    private static func way(_ trail: Trail, from start: Double, to end: Double) -> Double {
        let part = part(trail, start, end)
        guard let first = part.first, let last = part.last else { return 0 }
        return (last.point - first.point).length
    }
}
