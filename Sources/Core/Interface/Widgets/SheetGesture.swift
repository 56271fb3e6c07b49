import Geometry
import Gestures
import Motion

/// What a gesture means over a sheet that takes all input: a prompt or the settings page.
enum SheetGesture {
    /// A tap, a click or a finger that rests: for the widget at the point.
    case tap(at: Point)
    /// The sheet has scrolled, or the gesture has no meaning.
    case consumed
    /// For buttons, or the rest of a gesture that began before the sheet was shown.
    case passed
}

extension ScrollArea {
    /// A wheel detent scrolls a sheet by this distance, in logical pixels.
    private static let sheetStep = 80.0

    /// Scrolls a sheet by a gesture, and says what else the gesture means.
    mutating func handleOnSheet(
        _ gesture: Gesture, at moment: Moment, isStill: Bool
    ) -> SheetGesture {
        if isHeld, follow(gesture, at: moment) { return .consumed }
        switch gesture {
        case .caught: stop(at: moment)
        case .manipulationBegan(let fingers):
            begin(at: fingers.base.y, moment, isStill: isStill)
            follow(fingers.centroid.y)
        case .wheel(let detents, _, _):
            scroll(by: detents.dy / 120 * Self.sheetStep, at: moment, isStill: isStill)
        case .tap(let point, _), .longPress(let point, .touch), .longPress(let point, .pen),
            .pen(.eraser, let point):
            return .tap(at: point)
        case .chrome: return .passed
        default: if gesture.point == nil { return .passed }
        }
        return .consumed
    }
}
