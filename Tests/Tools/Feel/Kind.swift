/// The kinds of gestures.
enum Kind: String, CaseIterable {
    case tap = "tap"
    case doubleTap = "double tap"
    case twoFingerTap = "two-finger tap"
    case quickZoom = "one-finger zoom"
    case longPress = "long press"
    case pan = "pan"
    case fling = "fling"
    case pinchOut = "pinch out"
    case pinchIn = "pinch in"
    case pinchTravel = "pinch, travel"
    case pinchTurn = "pinch, turn"
    case swipe = "page swipe"
    case lastSwipe = "swipe at the end"
    case dismissal = "dismissal"
    case pinchAway = "dismissal, pinch"
    case peek = "peek"
    case gridPinch = "grid pinch"
    case gridScroll = "grid scroll"
    case cellTap = "cell tap"

    /// The keys that lead to the initial state of the kind.
    var keys: [String] {
        switch self {
        case .tap, .doubleTap, .quickZoom, .longPress, .swipe, .dismissal, .pinchOut, .pinchAway:
            ["0"]
        case .twoFingerTap: ["1"]
        case .pan, .fling, .pinchIn, .pinchTravel, .pinchTurn: ["0", "plus", "plus", "plus"]
        case .lastSwipe: ["0", "End"]
        case .peek, .gridScroll, .cellTap: []
        case .gridPinch: ["0"]
        }
    }

    var isInGrid: Bool {
        switch self {
        case .peek, .gridPinch, .gridScroll, .cellTap: true
        default: false
        }
    }

    /// Whether the gesture has the same effect while the animation of the keys still runs.
    var mayBeginEarly: Bool {
        switch self {
        case .doubleTap, .pan, .fling, .pinchOut, .pinchIn, .pinchTravel: true
        default: false
        }
    }
}
