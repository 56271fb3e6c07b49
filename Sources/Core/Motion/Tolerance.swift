/// Distance from the end and speed below which a motion counts as over.
package struct Tolerance: Hashable, Sendable {
    /// In the motion's unit.
    package var distance: Double
    /// In the motion's unit per second.
    package var speed: Double

    package init(distance: Double, speed: Double) {
        self.distance = distance
        self.speed = speed
    }

    /// For lengths in logical pixels: half a pixel, 5 px/s.
    package static let pixels = Tolerance(distance: 0.5, speed: 5)
    /// For logarithms of a scale: half a pixel at 1000 px from the focus.
    package static let logScale = Tolerance(distance: 5e-4, speed: 5e-3)
    /// For opacities: less than one step of 8-bit colour.
    package static let opacity = Tolerance(distance: 2e-3, speed: 2e-2)
}

/// The largest magnitude that motion formulas compute with.
///
/// It is far beyond any screen, and the product of two such numbers is still finite.
private let largestMagnitude = 1e100

extension Double {
    /// The number limited to ±`largestMagnitude`, or zero for NaN: no input makes a motion end in
    /// NaN.
    var clampedToFinite: Double {
        isNaN ? 0 : min(max(self, -largestMagnitude), largestMagnitude)
    }
}

extension Moment {
    /// Seconds since `start`, at least 0 and never NaN: before its start a motion has its first
    /// value.
    func elapsed(since start: Moment) -> Double {
        max(0, seconds(since: start).clampedToFinite)
    }
}
