package import Geometry

/// What fingers, touchpad and mouse mean, as one stream: the arena's output.
///
/// A *manipulation* is content held by one or more fingers. Every hold is described from its
/// *base*, so that the state is always base plus current fingers and never a sum of steps.
/// Between `began` and `ended`/`reverted` there may be any number of `changed` and `rebased`.
package enum Gesture: Hashable, Sendable {
    /// The first contact landed, or fingers rest on the touchpad: motion stops where it is now.
    case caught(at: Point)
    case manipulationBegan(Manipulation)
    /// Fingers joined or left, and the hold starts over from here. Nothing moves in that moment:
    /// where the content was seen by the fingers before, it is seen by `seen` now.
    case manipulationRebased(Manipulation, predicted: Manipulation)
    case manipulationChanged(Manipulation)
    /// Where the fingers are seen in a frame, between their samples: nothing is decided by it.
    case manipulationPredicted(Manipulation)
    case manipulationEnded(Release)
    /// The touchpad says that the gesture was no gesture: back to the state at its beginning.
    case manipulationReverted
    /// The fingers that caught a motion have lifted without having moved: the motion goes on to its
    /// target. Ends a manipulation, if one has begun.
    case resumed
    /// One tap, or one click of the mouse.
    case tap(at: Point, source: Manipulation.Source)
    /// A tap that began on what lies over the content.
    case chromeTap(at: Point)
    /// A finger that landed on what lies over the content drags it: logical pixels down since the
    /// event before.
    case chromeDrag(distance: Double)
    case doubleTap(at: Point)
    /// All three endings: both fingers in one frame, one after the other either way round.
    case twoFingerTap(at: Point)
    case longPress(at: Point)
    /// The second tap of a double tap is dragged; the focal point is that second touch.
    case quickZoomBegan(at: Point)
    /// `distance` in logical pixels beyond the slop, positive down.
    case quickZoomChanged(distance: Double)
    case quickZoomPredicted(distance: Double)
    case quickZoomEnded
    /// Wheel detents, 120 each, positive down and right; `zooms` when Ctrl is held.
    case wheel(Vector, at: Point, zooms: Bool)
    /// Ctrl and two fingers on the touchpad: `distance` in logical pixels since the event before,
    /// positive down.
    case scrollZoom(distance: Double, at: Point)
}

extension Gesture {
    /// Whether it zooms by a step of a wheel or a scroll, many of which follow each other.
    package var isZoomStep: Bool {
        switch self {
        case .wheel, .scrollZoom: true
        default: false
        }
    }

    /// Whether where fingers are seen stays as it was said last: it does not follow from this.
    package var keepsPrediction: Bool {
        if case .manipulationChanged(let fingers) = self { fingers.isCoasting } else { isSight }
    }

    /// Whether it only says where fingers are seen.
    package var isSight: Bool {
        switch self {
        case .manipulationPredicted, .quickZoomPredicted: true
        default: false
        }
    }
}

/// A hold of the content: where its fingers were and are.
package struct Manipulation: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        case touch
        case touchpad
        case scroll
        case mouse
    }

    package var source: Source
    /// How many fingers hold; 1 for a mouse or a scroll.
    package var fingers: Int
    /// The fingers' midpoint at the base, after the slop was taken off.
    package var base: Point
    /// The fingers' midpoint now.
    package var centroid: Point
    /// The factor by which the fingers have spread since the base.
    package var scale: Double
    /// Radians clockwise that the fingers have turned since the base, beyond the lock.
    package var rotation: Double
    /// Whether all fingers but one have lifted, and the pinch goes on as it was going: see
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

/// How the fingers left.
package struct Release: Hashable, Sendable {
    /// The fingers' midpoint when the last one left.
    package var centroid: Point
    /// Logical pixels per second; zero after a pause or a cancel, and for fingers that part.
    package var velocity: Vector
    /// d(ln scale)/dt, per second.
    package var zoomRate: Double
    /// Radians per second, clockwise.
    package var rotationRate: Double
    /// By how much the fingers have spread farther than the last `changed` said, as a logarithm:
    /// what the smoothing of a touchpad's pinch still owes.
    package var owedZoom = 0.0
    /// How long ago the content was seen where the last samples have the fingers, in milliseconds:
    /// what coasts on from there has been under way for that long.
    package var age = 0.0
    /// The fingers were taken away rather than lifted: what they held comes to rest, and no page is
    /// turned and nothing dismissed by it, however far they had gone.
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
