import CMath

/// The resistance of content that a finger pulls past its edge.
///
/// f(x) = x·c·d / (d + c·x), the formula of platform scroll views, odd in x. x is the finger's own
/// distance past the edge, not the displayed one. The slope at 0 is c, and f stays below d, the
/// view's extent along that axis. All lengths are logical pixels.
package enum RubberBand {
    /// c, the slope at 0: the displayed share of the first movement past the edge.
    package static let coefficient = 0.55
    /// The largest share of d that `raw(_:extent:)` inverts; a resize can leave content past the
    /// asymptote.
    private static let invertible = 0.98

    /// The displayed overscroll for a finger that is `raw` past the edge.
    package static func displayed(_ raw: Double, extent: Double) -> Double {
        guard extent > 0, raw.isFinite, raw != 0 else {
            return extent > 0 && raw.isInfinite ? (raw < 0 ? -extent : extent) : 0
        }
        let pull = coefficient * abs(raw)
        let shown = extent * (pull / (extent + pull))
        return raw < 0 ? -shown : shown
    }

    /// The finger's distance past the edge for a displayed overscroll: inverts
    /// `displayed(_:extent:)`.
    ///
    /// A finger that catches content on its way back starts with this distance, so that the content
    /// does not jump.
    package static func raw(_ displayed: Double, extent: Double) -> Double {
        guard extent > 0, !displayed.isNaN else { return 0 }
        let shown = min(abs(displayed), invertible * extent)
        let overscroll = shown / (coefficient * (1 - shown / extent))
        return displayed < 0 ? -overscroll : overscroll
    }

    /// The derivative of `displayed(_:extent:)`: the displayed speed divided by the finger's speed.
    package static func slope(_ raw: Double, extent: Double) -> Double {
        guard extent > 0, !raw.isNaN else { return 0 }
        let factor = extent / (extent + coefficient * abs(raw))
        return coefficient * factor * factor
    }
}

/// The resistance of a zoom beyond its limits: the rubber band in log space.
///
/// The displayed zoom stays below twice the upper limit and above half the lower limit.
package enum ZoomBand {
    /// The extent d of the band, as a logarithm: a factor of two.
    private static let extent = log(2.0)

    package static func displayed(_ raw: Double, limits: ClosedRange<Double>) -> Double {
        applied(RubberBand.displayed, raw, limits)
    }

    /// The fingers' zoom for a displayed zoom: inverts `displayed(_:limits:)`.
    package static func raw(_ displayed: Double, limits: ClosedRange<Double>) -> Double {
        applied(RubberBand.raw, displayed, limits)
    }

    /// d(ln displayed) / d(ln raw): 1 within the limits, and at most the coefficient beyond.
    package static func slope(_ raw: Double, limits: ClosedRange<Double>) -> Double {
        let zoom = positive(raw)
        guard let limit = limit(passedBy: zoom, limits) else { return 1 }
        return RubberBand.slope(log(zoom / limit), extent: extent)
    }

    private static func applied(
        _ band: (_ overscroll: Double, _ extent: Double) -> Double, _ value: Double,
        _ limits: ClosedRange<Double>
    ) -> Double {
        let zoom = positive(value)
        guard let limit = limit(passedBy: zoom, limits) else { return zoom }
        return limit * exp(band(log(zoom / limit), extent))
    }

    private static func limit(passedBy zoom: Double, _ limits: ClosedRange<Double>) -> Double? {
        if zoom > limits.upperBound { return limits.upperBound }
        return zoom < limits.lowerBound ? limits.lowerBound : nil
    }

    /// `factor`, or the smallest normal number where `factor` has no logarithm.
    private static func positive(_ factor: Double) -> Double {
        factor > 0 ? factor : .leastNormalMagnitude
    }
}
