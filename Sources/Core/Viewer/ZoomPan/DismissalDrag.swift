import Geometry
import Motion

/// The law of a vertical drag at fit: how far the picture follows the finger, how much it shrinks,
/// and how far the dismissal has got.
///
/// The *travel* is the finger's own distance from the picture's resting place, positive down.
/// Lengths are in logical pixels.
struct DismissalDrag: Hashable, Sendable {
    /// The state at the start of the drag.
    private let startProgress: Double
    private let startTravel: Double
    /// The height of the surface.
    private let height: Double
    /// Whether a drag upwards does not dismiss: a rubber band holds the picture.
    let resistsUpwards: Bool
    /// Whether the picture shrinks and the rubber band stretches; false with reduced motion.
    private let isElastic: Bool

    /// The travel at which a dismissal is complete, as a fraction of the surface's height.
    static let extent = 0.5
    /// By which fraction the picture has shrunk when a dismissal is complete.
    private static let completeShrink = 0.5

    /// The start of a drag.
    ///
    /// `progress`, −1…1, is the progress of an interrupted dismissal, positive down. `overscroll`
    /// is the travel of a picture that the drag catches while a rubber band holds it.
    init(
        progress: Double, overscroll: Double, resistsUpwards: Bool, on geometry: ViewGeometry
    ) {
        height = max(geometry.viewport.size.height, 1)
        startProgress = progress
        self.resistsUpwards = resistsUpwards
        isElastic = geometry.hasRubberBand
        let isCaughtAbove = resistsUpwards && progress == 0
        startTravel = isCaughtAbove ? min(overscroll, 0) : progress * Self.extent * height
    }

    /// The travel of a finger that has moved by `translation`.
    func travel(_ translation: Double) -> Double {
        let travel = startTravel + translation
        let whole = Self.extent * height
        return min(max(travel, resistsUpwards ? -.infinity : -whole), whole)
    }

    /// The progress of the dismissal, −1…1, positive down.
    func progress(_ translation: Double) -> Double {
        let travel = travel(translation)
        return isHeld(travel) ? 0 : travel / (Self.extent * height)
    }

    /// How far the picture has moved for a finger that has moved by `translation`.
    func displayed(_ translation: Double) -> Double {
        resistsUpwards
            ? displayedTravel(startTravel + translation) - displayedTravel(startTravel)
            : translation
    }

    /// The picture's size, as a fraction of its size at the start.
    func shrink(_ translation: Double) -> Double {
        guard isElastic else { return 1 }
        return (1 - Self.completeShrink * abs(progress(translation)))
            / (1 - Self.completeShrink * abs(startProgress))
    }

    /// The displayed speed divided by the finger's speed, at `travel`.
    func slope(at travel: Double) -> Double {
        guard isHeld(travel) else { return 1 }
        return isElastic ? RubberBand.slope(travel, extent: height) : 0
    }

    /// Whether the rubber band holds the picture.
    func isHeld(_ travel: Double) -> Bool { resistsUpwards && travel < 0 }

    private func displayedTravel(_ travel: Double) -> Double {
        guard isHeld(travel) else { return travel }
        return isElastic ? RubberBand.displayed(travel, extent: height) : 0
    }
}
