import Browser
import Geometry
import Glibc
import Input
import Motion
import SceneModel
import Viewer
import Grid

/// Counts jumps without finger movement, and still frames during finger movement.
struct Motions {
    private(set) var jumps = 0
    private(set) var stills = 0
    /// The description of the last jump, in logical pixels.
    private(set) var worst = ""

    /// The smallest finger movement per frame that is not jitter, in logical pixels.
    private static let noticeable = 8.0
    /// The largest invisible movement, in logical pixels.
    private static let invisible = 0.02

    /// The time for which finger movement still affects released content, in milliseconds.
    ///
    /// Three report intervals of the slowest screen, because one report may be lost.
    private static let memory = 51.0

    private struct Step {
        var start: Double
        var end: Double
        /// The largest movement of the content on the surface, in logical pixels.
        var distance: Double
        /// In logical pixels per millisecond.
        var speed: Double
        var isHeld: Bool
    }

    /// Checks `frames`; `start` is the time of the events' time 0, in milliseconds.
    init(_ frames: [FeelStage.Frame], _ intent: Intent, from start: Double, surface: Size) {
        var steps: [Step] = []
        for (old, new) in zip(frames, frames.dropFirst()) {
            guard let distance = Self.distance(old.frame, new.frame, surface) else { continue }
            let duration = max(new.moment.seconds(since: old.moment) * 1000, 1)
            steps.append(
                Step(
                    start: old.moment.milliseconds - start, end: new.moment.milliseconds - start,
                    distance: distance, speed: distance / duration,
                    isHeld: old.frame.isHeld && new.frame.isHeld))
        }
        let trails = Self.trails(intent.events)
        for (index, step) in steps.enumerated() {
            let before = index > 0 ? steps[index - 1].speed : 0
            let after = index + 1 < steps.count ? steps[index + 1].speed : 0
            let usual = max(before, after) * (step.end - step.start)
            let fingers = trails.map {
                Self.length($0, from: step.start - Self.memory, to: step.end + 1)
            }
            // A pinch moves distant points of the content farther than the fingers move, and a
            // dismissal shrinks the picture while it moves.
            let reach = trails.count > 1 ? 8.0 : 1.5
            let made = (fingers.max() ?? 0) * reach
            if step.distance > 1 + 1.7 * usual + made {
                jumps += 1
                worst = "\(step.distance) where \(usual) is usual at \(step.start), fingers \(made)"
            }
            guard step.isHeld, step.end < intent.firstLift else { continue }
            // The prediction overshoots a finger that stops, and is correct one frame later.
            let moved = trails.map { trail in
                min(
                    Self.displacement(trail, from: step.start - 17, to: step.end - 17),
                    Self.displacement(trail, from: step.start, to: step.end))
            }
            if (moved.max() ?? 0) > Self.noticeable, step.distance < Self.invisible { stills += 1 }
        }
    }

    /// The movement of the picture, or of the centre cell, between two frames, in logical pixels.
    private static func distance(
        _ old: BrowserFrame, _ new: BrowserFrame, _ surface: Size
    ) -> Double? {
        guard old.mode == new.mode else { return nil }
        if old.mode == .viewer {
            guard let a = old.viewer.placement, let b = new.viewer.placement,
                old.viewer.index == new.viewer.index
            else { return nil }
            return distance(a, b, surface)
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

    /// The largest movement of the picture points at the surface's corners and centre.
    private static func distance(_ a: Placement, _ b: Placement, _ surface: Size) -> Double {
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

    private static func section(_ trail: Trail, _ start: Double, _ end: Double) -> Trail {
        let first = trail.lastIndex { $0.time <= start } ?? 0
        let last = trail.lastIndex { $0.time <= end } ?? 0
        return first < last ? Array(trail[first...last]) : []
    }

    /// The length of a finger's path between two times, in logical pixels.
    private static func length(_ trail: Trail, from start: Double, to end: Double) -> Double {
        let section = section(trail, start, end)
        return zip(section, section.dropFirst()).reduce(0) { $0 + ($1.1.point - $1.0.point).length }
    }

    /// The distance between a finger's positions at two times, in logical pixels.
    private static func displacement(_ trail: Trail, from start: Double, to end: Double) -> Double {
        let section = section(trail, start, end)
        guard let first = section.first, let last = section.last else { return 0 }
        return (last.point - first.point).length
    }
}
