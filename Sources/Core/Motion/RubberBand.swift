import CMath

/// How content follows a finger that pulls it past its edge.
///
/// f(x) = x·c·d / (d + c·x) for an overscroll x: it begins with the slope c and never reaches d,
/// the size of the view along that axis. All lengths in logical pixels, odd in x. The formula is
/// the one known from scroll views; x is the finger's own way past the edge, never what is shown.
package enum RubberBand {
    /// c: the share of the finger's way that the content follows at first.
    package static let coefficient = 0.55
    /// The largest share of d that is inverted: a resize can leave content past the asymptote.
    private static let invertible = 0.98

    /// The overscroll that is shown for the finger's way `raw` past the edge.
    package static func displayed(_ raw: Double, extent: Double) -> Double {
        guard extent > 0, raw.isFinite, raw != 0 else {
            return extent > 0 && raw.isInfinite ? (raw < 0 ? -extent : extent) : 0
        }
        let pull = coefficient * abs(raw)
        let shown = extent * (pull / (extent + pull))
        return raw < 0 ? -shown : shown
    }

    /// The finger's way past the edge for which `displayed` is shown: how content that springs
    /// back is caught without a jump.
    package static func raw(_ displayed: Double, extent: Double) -> Double {
        guard extent > 0, !displayed.isNaN else { return 0 }
        let shown = min(abs(displayed), invertible * extent)
        let way = shown / (coefficient * (1 - shown / extent))
        return displayed < 0 ? -way : way
    }

    /// What a finger's speed is multiplied with to be the speed of the content shown.
    package static func slope(_ raw: Double, extent: Double) -> Double {
        guard extent > 0, !raw.isNaN else { return 0 }
        let give = extent / (extent + coefficient * abs(raw))
        return coefficient * give * give
    }
}

/// How a zoom follows fingers that spread past its limits: the rubber band in log space.
///
/// A zoom never gets past twice the upper limit, nor below half the lower one.
package enum ZoomBand {
    /// The extent d of the band, as a logarithm: a factor of two.
    private static let extent = log(2.0)

    package static func displayed(_ raw: Double, limits: ClosedRange<Double>) -> Double {
        through(RubberBand.displayed, raw, limits)
    }

    /// The zoom of the fingers for which `displayed` is shown.
    package static func raw(_ displayed: Double, limits: ClosedRange<Double>) -> Double {
        through(RubberBand.raw, displayed, limits)
    }

    /// d(ln displayed) / d(ln raw): 1 within the limits, and at most the coefficient beyond.
    package static func slope(_ raw: Double, limits: ClosedRange<Double>) -> Double {
        let zoom = positive(raw)
        guard let limit = limit(passedBy: zoom, limits) else { return 1 }
        return RubberBand.slope(log(zoom / limit), extent: extent)
    }

    private static func through(
        _ law: (_ way: Double, _ extent: Double) -> Double, _ value: Double,
        _ limits: ClosedRange<Double>
    ) -> Double {
        let zoom = positive(value)
        guard let limit = limit(passedBy: zoom, limits) else { return zoom }
        return limit * exp(law(log(zoom / limit), extent))
    }

    private static func limit(passedBy zoom: Double, _ limits: ClosedRange<Double>) -> Double? {
        if zoom > limits.upperBound { return limits.upperBound }
        return zoom < limits.lowerBound ? limits.lowerBound : nil
    }

    /// A factor that has a logarithm: whatever is none counts as the smallest.
    private static func positive(_ factor: Double) -> Double {
        factor > 0 ? factor : .leastNormalMagnitude
    }
}
