import Geometry
import Gestures
import Motion

/// The handle at the right edge that scrolls through everything in one drag.
extension GridModel {
    /// Of the handle, in logical pixels.
    private static let handleWidth = 8.0
    private static let leastHandleHeight = 48.0
    /// Between the handle and the surface's edges, in logical pixels.
    private static let handleMargin = 4.0
    /// How far from the right edge a finger still takes the handle, in logical pixels.
    private static let handleReach = 40.0
    /// Content this many times as high as the surface has a handle.
    private static let handleThreshold = 1.5
    /// How long the handle stays once the grid is still, and how long it fades, in milliseconds.
    private static let handleStay = 900.0
    private static let handleFade = 250.0

    /// The handle's way along the edge, or none where there is little to scroll.
    private func handleTrack(at scale: Double) -> (top: Double, way: Double, height: Double)? {
        let content = layout.contentSize(at: scale).height
        guard content > surface.height * Self.handleThreshold else { return nil }
        let track = surface.height - 2 * Self.handleMargin
        let height = min(max(track * surface.height / content, Self.leastHandleHeight), track)
        return (Self.handleMargin, track - height, height)
    }

    /// Where the handle is drawn.
    func handleRect(at moment: Moment) -> Rect? {
        let scrollState = scrollState(at: moment)
        guard let track = handleTrack(at: scrollState.scale) else { return nil }
        let range = scrollRange(at: scrollState.scale).y
        let y = min(max(scrollState.origin(in: layout).y, range.lowerBound), range.upperBound)
        return Rect(
            x: surface.width - Self.handleMargin - Self.handleWidth,
            y: track.top + track.way * y / range.upperBound, width: Self.handleWidth,
            height: track.height)
    }

    /// 1 while the grid moves, then fading.
    func handleOpacity(at moment: Moment) -> Double {
        guard let lastScroll else { return 0 }
        switch state {
        case .held: return 1
        case .moving(let motion) where !motion.isAtRest(at: moment): return 1
        case .moving, .resting: break
        }
        let rest = moment.seconds(since: lastScroll) * 1000 - Self.handleStay
        return min(max(1 - rest / Self.handleFade, 0), 1)
    }

    var handleFadeStart: Moment? {
        guard case .resting = state else { return nil }
        return lastScroll?.advanced(byMilliseconds: Self.handleStay)
    }

    func isHandleFading(at moment: Moment) -> Bool {
        guard let start = handleFadeStart else { return false }
        return moment >= start
    }

    func isHandleGone(at moment: Moment) -> Bool {
        guard let start = handleFadeStart else { return false }
        return moment >= start.advanced(byMilliseconds: Self.handleFade)
    }

    /// How far below the handle's upper edge fingers take it, or none where they do not.
    ///
    /// Whether they do is said by where the first one landed, and the way from the base counts:
    /// so the slop between the two moves nothing. A grid beyond its ends is caught first.
    func handleGrip(of fingers: Manipulation, at moment: Moment) -> Double? {
        guard fingers.source == .touch || fingers.source == .mouse, let point = caught?.point,
            handleOpacity(at: moment) > 0, let rect = handleRect(at: moment),
            point.x >= surface.width - Self.handleReach, point.y >= rect.y, point.y < rect.maxY
        else { return nil }
        let scrollState = scrollState(at: moment)
        let origin = scrollState.origin(in: layout)
        guard scrollRange(at: scrollState.scale).clamp(origin) == origin else { return nil }
        return fingers.base.y - rect.y
    }

    /// Whether a point is on the handle as it is drawn.
    func isOnHandle(_ point: Point, _ moment: Moment) -> Bool {
        guard handleOpacity(at: moment) > 0, let rect = handleRect(at: moment) else { return false }
        return rect.contains(point)
    }

    /// Draws the handle to a height, and the grid with it.
    mutating func slideHandle(_ hold: GridManipulation, grip: Double, to y: Double) {
        guard let track = handleTrack(at: hold.scrollState.scale), track.way > 0 else { return }
        let part = min(max((y - grip - track.top) / track.way, 0), 1)
        var origin = hold.scrollState.origin(in: layout)
        origin.y = scrollRange(at: hold.scrollState.scale).y.upperBound * part
        var hold = hold
        hold.slide(to: hold.scrollState.moved(to: origin, in: layout))
        state = .held(hold)
    }
}
