import Geometry
import Gestures

extension Gesture {
    /// The gesture if its numbers are plausible, else nil.
    ///
    /// An implausible release becomes a cancelled release at rest.
    ///
    /// The arena emits plausible numbers only. The grid checks them again because it multiplies and
    /// divides them often: a single NaN or huge number would move the whole grid off the surface.
    var plausible: Gesture? {
        switch self {
        case .manipulationBegan(let fingers), .manipulationChanged(let fingers),
            .manipulationPredicted(let fingers):
            return fingers.isPlausible ? self : nil
        case .manipulationRebased(let fingers, let predicted):
            return fingers.isPlausible && predicted.isPlausible ? self : nil
        case .manipulationEnded(let release):
            let isPlausible =
                isLength(release.velocity.dx) && isLength(release.velocity.dy)
                && isLength(release.zoomRate)
            return isPlausible
                ? self : .manipulationEnded(Release(centroid: .zero, isCancelled: true))
        case .quickZoomChanged(let distance), .quickZoomPredicted(let distance):
            return isLength(distance) ? self : nil
        case .wheel(let detents, let point, _):
            return isLength(detents.dx) && isLength(detents.dy) && point.isPlausible ? self : nil
        case .scrollZoom(let distance, let point):
            return isLength(distance) && point.isPlausible ? self : nil
        case .chrome: return self
        default: return point?.isPlausible != false ? self : nil
        }
    }

    /// Whether the gesture stops the grid or holds it at its present position.
    var takesHold: Bool {
        switch self {
        case .caught, .manipulationBegan, .quickZoomBegan: true
        default: false
        }
    }
}

extension Manipulation {
    /// Plausible spread factors; fingers on a surface stay well within this range.
    private static let spreads = 1e-4...1e4

    fileprivate var isPlausible: Bool {
        base.isPlausible && centroid.isPlausible && Self.spreads.contains(scale)
    }
}

extension Point {
    fileprivate var isPlausible: Bool { isLength(x) && isLength(y) }
}

/// Whether a length in logical pixels, or a speed, is plausible for a surface.
private func isLength(_ value: Double) -> Bool { abs(value) <= 1e6 }
