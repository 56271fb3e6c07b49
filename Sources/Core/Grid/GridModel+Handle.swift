import Geometry
import Gestures
import Motion

/// The fast-scroll handle, which scrolls through all contents in one drag: at the right edge, or at the
/// left edge of a mirrored grid.
extension GridModel {
    /// Size of the handle, in logical pixels.
    private static let handleWidth = 8.0
    private static let minimumHandleHeight = 48.0
    /// Distance between the handle and the surface's edges, in logical pixels.
    private static let handleMargin = 4.0
    /// Width of the handle's touch target at the edge, in logical pixels.
    private static let handleReach = 40.0
    /// Only content more than this many times as high as the surface has a handle.
    private static let handleThreshold = 1.5
    /// How long the handle stays after the grid stops, and how long it fades, in milliseconds.
    private static let handleStay = 900.0
    private static let handleFade = 250.0

    /// The handle's track along the edge, or nil if there is little to scroll.
    private func handleTrack(at scale: Double) -> (top: Double, travel: Double, height: Double)? {
        let content = layout.contentSize(at: scale).height
        guard content > surface.height * Self.handleThreshold else { return nil }
        let track = max(surface.height - top - 2 * Self.handleMargin, 1)
        let height = min(max(track * surface.height / content, Self.minimumHandleHeight), track)
        return (top + Self.handleMargin, track - height, height)
    }

    /// The handle's rectangle on the surface, in logical pixels.
    func handleRect(at moment: Moment) -> Rect? {
        let scrollState = scrollState(at: moment)
        guard let track = handleTrack(at: scrollState.scale) else { return nil }
        let range = scrollRange(at: scrollState.scale).y
        let y = min(max(scrollState.origin(in: layout).y, range.lowerBound), range.upperBound)
        let right = surface.width - Self.handleMargin - Self.handleWidth
        return Rect(
            x: isMirrored ? Self.handleMargin : right,
            y: track.top + track.travel * y / range.upperBound, width: Self.handleWidth,
            height: track.height)
    }

    /// The handle's opacity: 1 while the grid moves, then falling to 0.
    func handleOpacity(at moment: Moment) -> Double {
        guard let lastScroll else { return 0 }
        switch state {
        case .held: return 1
        case .moving(let motion) where !motion.isAtRest(at: moment): return 1
        case .moving, .resting: break
        }
        let fadeTime = moment.seconds(since: lastScroll) * 1000 - Self.handleStay
        return min(max(1 - fadeTime / Self.handleFade, 0), 1)
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

    /// How far below its upper edge the fingers hold the handle, or nil if they do not hold it.
    ///
    /// The landing point of the first finger decides whether the fingers hold the handle. The
    /// distance is measured from the base of the manipulation, so that the slop between both points
    /// moves nothing. A grid beyond its ends is caught instead of the handle.
    func handleGrip(of fingers: Manipulation, at moment: Moment) -> Double? {
        guard fingers.source != .touchpad, fingers.source != .scroll, let point = caught?.point,
            handleOpacity(at: moment) > 0, let rect = handleRect(at: moment),
            isNearHandle(point), point.y >= rect.y, point.y < rect.maxY
        else { return nil }
        let scrollState = scrollState(at: moment)
        let origin = scrollState.origin(in: layout)
        guard scrollRange(at: scrollState.scale).clamp(origin) == origin else { return nil }
        return fingers.base.y - rect.y
    }

    private func isNearHandle(_ point: Point) -> Bool {
        (isMirrored ? point.x : surface.width - point.x) <= Self.handleReach
    }

    /// Whether a point lies on the visible handle.
    func isOnHandle(_ point: Point, _ moment: Moment) -> Bool {
        guard handleOpacity(at: moment) > 0, let rect = handleRect(at: moment) else { return false }
        return rect.contains(point)
    }

    /// Drags the handle to `y` on the surface and scrolls the grid accordingly.
    mutating func slideHandle(_ hold: GridManipulation, grip: Double, to y: Double) {
        guard let track = handleTrack(at: hold.scrollState.scale), track.travel > 0 else { return }
        let fraction = min(max((y - grip - track.top) / track.travel, 0), 1)
        var origin = hold.scrollState.origin(in: layout)
        origin.y = scrollRange(at: hold.scrollState.scale).y.upperBound * fraction
        var hold = hold
        hold.slide(to: hold.scrollState.moved(to: origin, in: layout))
        state = .held(hold)
    }
}
