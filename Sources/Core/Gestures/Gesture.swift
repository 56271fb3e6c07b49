package import Geometry
package import Input

/// A gesture of touchscreen, touchpad, mouse or pen: the output of `GestureArena`.
///
/// A *manipulation* is content held by one or more fingers. It is described relative to its *base*,
/// so that the state of the content follows from the base and the current fingers and is never a
/// sum of steps. Between `began` and `ended`/`reverted` there may be any number of `changed` and
/// `rebased`.
package enum Gesture: Hashable, Sendable {
    /// The first contact has landed, or fingers rest on the touchpad: motion stops at once.
    case caught(at: Point)
    case manipulationBegan(Manipulation)
    /// Fingers joined or left, and the manipulation gets a new base.
    ///
    /// The displayed content does not jump: where the previous fingers displayed it, the new
    /// fingers display it at their predicted positions, `predicted`.
    case manipulationRebased(Manipulation, predicted: Manipulation)
    case manipulationChanged(Manipulation)
    /// The manipulation at the time of a frame, between samples: affects rendering only, never
    /// recognition.
    case manipulationPredicted(Manipulation)
    case manipulationEnded(Release)
    /// The touchpad driver cancelled the gesture: the content returns to its state at the
    /// beginning.
    case manipulationReverted
    /// The fingers that caught a motion have lifted without moving: the motion continues to its
    /// target.
    ///
    /// Ends a manipulation, if one has begun.
    case resumed
    /// One tap, or one click of the mouse.
    case tap(at: Point, source: Manipulation.Source)
    /// A touch that began on chrome, or the pointer.
    case chrome(ChromeGesture)
    case doubleTap(at: Point)
    /// A tap of two fingers, which lift in one frame or one after the other in either order.
    case twoFingerTap(at: Point)
    /// A finger that rests, or the right button of the mouse.
    case longPress(at: Point, source: Manipulation.Source)
    /// A button of a pen, or a tap with its eraser.
    case pen(PenControl, at: Point)
    /// A finger moves after its long press, or a mouse drags after a rest: the content at the point is
    /// dragged to another program.
    ///
    /// No further event of the finger or the button follows.
    case dragOut(at: Point, source: Manipulation.Source)
    /// The second tap of a double tap is dragged; the focal point is where that tap landed.
    case quickZoomBegan(at: Point)
    /// `distance` in logical pixels beyond the slop, positive down.
    case quickZoomChanged(distance: Double)
    case quickZoomPredicted(distance: Double)
    case quickZoomEnded
    /// Wheel rotation in 1/120 of a detent, positive down and right; `zooms` when Ctrl is held.
    case wheel(Vector, at: Point, zooms: Bool)
    /// A scroll of two fingers on the touchpad with Ctrl; `distance` in logical pixels since the
    /// previous event, positive down.
    case scrollZoom(distance: Double, at: Point)
}

/// What of a pen has a command.
package enum PenControl: Hashable, Sendable {
    case eraser
    case button(PenButton)
}

extension Gesture {
    /// The point of the surface where the gesture begins or is, in logical pixels; nil where the gesture
    /// continues another one.
    package var point: Point? {
        switch self {
        case .caught(let point), .tap(let point, _), .doubleTap(let point),
            .twoFingerTap(let point), .longPress(let point, _), .pen(_, let point),
            .dragOut(let point, _), .quickZoomBegan(let point), .wheel(_, let point, _),
            .scrollZoom(_, let point), .chrome(.down(let point, _)):
            point
        case .manipulationBegan(let fingers): fingers.base
        case .manipulationRebased, .manipulationChanged, .manipulationPredicted, .manipulationEnded,
            .manipulationReverted, .resumed, .chrome, .quickZoomChanged, .quickZoomPredicted,
            .quickZoomEnded:
            nil
        }
    }

    /// Whether the gesture is one of many successive steps of a wheel or of a scroll zoom.
    package var isZoomStep: Bool {
        switch self {
        case .wheel, .scrollZoom: true
        default: false
        }
    }

    /// Where a tap landed that is no half of a double tap: a finger, a click, or an eraser.
    package var tapPoint: Point? {
        switch self {
        case .tap(let point, _), .pen(.eraser, let point): point
        default: nil
        }
    }

    /// Where a button other than the left one was pressed, or a finger rests.
    ///
    /// On the chrome, whose fingers have gestures of their own, it is the button of a mouse or a pen.
    package var buttonPress: Point? {
        switch self {
        case .longPress(let point, _), .pen(.button, let point): point
        default: nil
        }
    }

    /// Whether the last prediction stays valid after this gesture.
    package var keepsPrediction: Bool {
        if case .manipulationChanged(let held) = self { held.isCoasting } else { isPrediction }
    }

    /// Whether the gesture is a prediction, which affects rendering only.
    package var isPrediction: Bool {
        switch self {
        case .manipulationPredicted, .quickZoomPredicted: true
        default: false
        }
    }
}

/// Content held by fingers: the fingers' positions at the base and now.
package struct Manipulation: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        case touch
        case touchpad
        case scroll
        case mouse
        case pen
    }

    package var source: Source
    /// The number of fingers; 1 for a mouse, a pen or a scroll.
    package var fingers: Int
    /// The fingers' centroid at the base, with the slop taken off, in logical pixels.
    package var base: Point
    /// The fingers' centroid now, in logical pixels.
    package var centroid: Point
    /// The factor by which the fingers have spread since the base.
    package var scale: Double
    /// The fingers' rotation since the base, beyond the rotation lock, in radians clockwise.
    package var rotation: Double
    /// Whether all fingers but one have lifted, and the pinch continues by itself: see
    /// `CoastingPinch`.
    package var isCoasting = false

    package init(
        source: Source, fingers: Int, base: Point, centroid: Point, scale: Double = 1,
        rotation: Double = 0
    ) {
        self.source = source
        self.fingers = fingers
        self.base = base
        self.centroid = centroid
        self.scale = scale
        self.rotation = rotation
    }

    package var translation: Vector { centroid - base }
}

/// The fingers' position and speeds at the end of a manipulation.
package struct Release: Hashable, Sendable {
    /// The fingers' centroid when the last one lifted, in logical pixels.
    package var centroid: Point
    /// The velocity in logical pixels per second; zero after a pause or a cancel, and for fingers
    /// that move in opposite directions.
    package var velocity: Vector
    /// d(ln scale)/dt, per second.
    package var zoomRate: Double
    /// Radians per second, clockwise.
    package var rotationRate: Double
    /// How much farther the fingers have spread than the last `changed` says, as ln(scale).
    ///
    /// The smoothing of a touchpad pinch lags behind the fingers by this much.
    package var residualZoom = 0.0
    /// The age in the display of the fingers' last samples, in milliseconds.
    ///
    /// Prediction displayed the content at the position of the last samples this long ago, so a
    /// motion that starts there has already run for this long.
    package var age = 0.0
    /// Whether the fingers were cancelled instead of lifted.
    ///
    /// The content then comes to rest without a page turn or a dismissal, however far it was moved.
    package var isCancelled: Bool

    package init(
        centroid: Point, velocity: Vector = .zero, zoomRate: Double = 0, rotationRate: Double = 0,
        isCancelled: Bool = false
    ) {
        self.centroid = centroid
        self.velocity = velocity
        self.zoomRate = zoomRate
        self.rotationRate = rotationRate
        self.isCancelled = isCancelled
    }
}
