import CoreTestKit
import Browser
import Geometry
import Glibc
import Input
import Motion
import SceneModel
import Viewer
import Grid

/// The state of a viewer at rest, as its last frame shows it.
struct ViewerSnapshot {
    var mode: BrowserModel.Mode
    var index: Int
    var zoom = 0.0
    var rotation = 0.0
    var center = Point.zero
    var limits: ZoomLimits?
    var hasChrome: Bool
    var hasMenu: Bool
    var columns = 0
    var scroll = Point.zero

    init(_ frame: BrowserFrame) {
        mode = frame.mode
        index = frame.viewer.index
        hasChrome = frame.viewer.showsChrome
        hasMenu = frame.viewer.showsMenu
        limits = frame.viewer.limits
        if let placement = frame.viewer.placement {
            (zoom, rotation, center) = (placement.zoom, placement.rotation, placement.center)
        }
        if let grid = frame.grid { (columns, scroll) = (grid.columns, grid.scroll) }
    }
}

/// The result of a gesture.
struct Verdict {
    var isMeant = true
    var isDestructive = false
    /// The recognised activities and the states, for the log.
    var note = ""
    /// The relative deviation of the movement after the release from the expected movement.
    var releaseError: Double?
}

/// Compares the intended gesture with its result.
struct Judge {
    let kind: Kind
    let intent: Intent
    let before: ViewerSnapshot
    let frames: [FeelStage.Frame]
    let isEarly: Bool
    let hasEnded: Bool
    let surface: Size
    let picture: PixelSize

    private var activities: Set<ViewerFrame.Activity> {
        Set(frames.filter { $0.frame.mode == .viewer }.map(\.frame.viewer.activity))
    }

    func verdict(after: ViewerSnapshot) -> Verdict {
        var verdict = Verdict()
        verdict.isMeant = isMeant(after)
        let leaves: Set<Kind> = [.dismissal, .pinchAway, .cellTap]
        let turns: Set<Kind> = [.swipe, .cellTap]
        verdict.isDestructive =
            hasEnded || after.mode != before.mode && !leaves.contains(kind)
            || after.mode == .viewer && after.index != before.index && !turns.contains(kind)
            || kind == .swipe && abs(after.index - before.index) == 1 && !verdict.isMeant
        if !verdict.isMeant {
            verdict.note =
                "\(activities.map(\.rawValue).sorted()) "
                + "\(Set(frames.compactMap { $0.frame.grid?.activity.rawValue }).sorted()) \(before.mode)→\(after.mode) "
                + "index \(before.index)→\(after.index) zoom \(before.zoom)→\(after.zoom) "
                + "center \(before.center)→\(after.center) scroll \(before.scroll)→\(after.scroll) "
                + "columns \(before.columns)→\(after.columns) menu \(after.hasMenu) "
                + "chrome \(before.hasChrome)→\(after.hasChrome) translation \(intent.translation) \(intent.factor)"
        }
        if kind == .fling, !isEarly { verdict.releaseError = flingError(after) }
        return verdict
    }

    private func isMeant(_ after: ViewerSnapshot) -> Bool {
        guard !hasEnded else { return false }
        let stays = after.mode == before.mode && after.index == before.index
        let keepsChrome = after.hasChrome == before.hasChrome && !after.hasMenu
        let keepsZoom = abs(after.zoom / before.zoom - 1) < 1e-6
        switch kind {
        case .tap:
            return stays && after.hasChrome != before.hasChrome && !after.hasMenu && keepsZoom
        case .longPress: return stays && after.hasMenu && keepsZoom
        case .doubleTap:
            guard let limits = before.limits else { return false }
            let target = limits.step(above: limits.fit, in: limits.ladder)
            return stays && keepsChrome && abs(after.zoom / target - 1) < 1e-6
        case .twoFingerTap:
            guard let limits = before.limits else { return false }
            return stays && keepsChrome
                && abs(after.zoom / limits.step(below: before.zoom) - 1) < 1e-6
        case .quickZoom:
            guard let limits = before.limits else { return false }
            let dragged =
                max(abs(intent.translation.dy) - 10, 0) * (intent.translation.dy < 0 ? -1 : 1)
            let target = min(
                max(before.zoom * exp2(dragged / 128), limits.min), limits.max)
            return stays && keepsChrome && activities.contains(.zoomDrag)
                && abs(log(after.zoom / target)) < 0.12
        case .pan, .fling:
            // At an edge of the picture the drag moves the pager.
            guard stays, keepsChrome, keepsZoom, !activities.isDisjoint(with: [.pan, .swipe]) else {
                return false
            }
            let moved = after.center - before.center
            let along =
                (moved.dx * intent.translation.dx + moved.dy * intent.translation.dy)
                / intent.translation.length
            guard kind == .pan, !isEarly else { return along > 0 || isEarly }
            let slop = intent.translation * (1 - 10 / intent.translation.length)
            let aim = range(before).clamp(before.center + slop)
            // A resting hand jitters, so the release has a small velocity.
            return (after.center - aim).length < 60
        case .pinchOut, .pinchIn, .pinchTravel:
            guard stays, keepsChrome, activities.contains(.pinch), let limits = after.limits else {
                return false
            }
            if isEarly { return true }
            return intent.factor > 1
                ? after.zoom > before.zoom : after.zoom < before.zoom || limits.isFit(after.zoom)
        case .pinchTurn:
            let quarters = after.rotation / (.pi / 2)
            return stays && keepsChrome && activities.contains(.pinch)
                && abs(quarters - quarters.rounded()) < 1e-6
        case .swipe:
            return after.mode == .viewer
                && after.index == before.index + (intent.translation.dx > 0 ? -1 : 1)
        case .lastSwipe: return stays && keepsZoom
        case .dismissal, .pinchAway: return after.mode == .grid
        case .peek:
            return after.mode == .grid && frames.contains { $0.frame.grid?.lifted != nil }
                && after.columns == before.columns && (after.scroll - before.scroll).length < 20
        case .gridPinch: return after.mode == .grid && after.columns < before.columns
        case .gridScroll:
            let scrolled = after.scroll.y - before.scroll.y
            return after.mode == .grid && after.columns == before.columns
                && scrolled * intent.translation.dy < 0
        case .cellTap: return true
        }
    }

    private func range(_ seen: ViewerSnapshot) -> RestRange {
        RestRange(content: picture.size * seen.zoom, viewport: surface)
    }

    /// The relative deviation of a fling's end from the end that the release velocity gives.
    private func flingError(_ after: ViewerSnapshot) -> Double? {
        var tracker = VelocityTracker()
        var (first, last): (Point?, Point) = (nil, .zero)
        var reports: [(moment: Double, point: Point)] = []
        for (time, event) in intent.events {
            switch event {
            case .touch(.down(HumanHand.AccidentalContact.id, _)): break
            case .touch(.down(_, let point)), .touch(.move(_, let point)):
                first = first ?? point
                last = point
                reports.append((time, point))
            default: break
            }
        }
        for (time, point) in reports { tracker.add(point, at: Moment(milliseconds: time)) }
        let velocity = tracker.velocity(at: Moment(milliseconds: intent.lastLift))
        guard let first, velocity.length > 200 else { return nil }
        // The slop is subtracted in the direction in which the finger crossed it.
        guard let crossed = reports.first(where: { ($0.point - first).length > 10 })?.point else {
            return nil
        }
        let slop = (crossed - first) * (10 / (crossed - first).length)
        let translation = last - first - slop + velocity * (1 / Deceleration.normal)
        let aim = before.center + translation
        guard range(before).overscroll(of: aim) == .zero else { return nil }
        return (after.center - aim).length / (velocity.length / Deceleration.normal)
    }
}
