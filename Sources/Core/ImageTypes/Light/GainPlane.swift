import CMath

/// A smaller or equal picture whose codes tell how much brighter a picture becomes on a screen with headroom.
///
/// Light is multiplied by 2^(gain · weight), where the weight is 0 without headroom and 1 with enough for the
/// whole picture.
package struct GainPlane: Sendable {
    package let range: GainRange
    /// The codes: red, green and blue for themselves, covering the same area as the picture.
    package let bitmap: Bitmap

    package init(_ range: GainRange, _ bitmap: Bitmap) {
        (self.range, self.bitmap) = (range, bitmap)
    }
}

/// How the codes of a gain plane become gains, and on which screens they count.
package struct GainRange: Hashable, Sendable {
    /// The gains of the codes 0 and 255, as binary logarithms.
    package let minimum: Double
    package let maximum: Double
    /// The headrooms from which on the gain counts, and from which on all of it counts, as binary logarithms.
    package let start: Double
    package let full: Double

    /// The largest binary logarithm of a gain or a headroom.
    package static let largest = 16.0

    /// Nil for values that are not finite, not in order, or too large.
    package init?(minimum: Double, maximum: Double, start: Double, full: Double) {
        guard minimum >= -Self.largest, minimum <= maximum, maximum <= Self.largest, start >= 0,
            start < full, full <= Self.largest
        else { return nil }
        (self.minimum, self.maximum, self.start, self.full) = (minimum, maximum, start, full)
    }

    /// The share of the gain that counts on a screen whose brightest white is `headroom` times as bright as
    /// ordinary white.
    ///
    /// Source: ISO 21496-1 as libavif writes the formula.
    package func weight(headroom: Double) -> Double {
        guard headroom > 1 else { return 0 }
        return min(max((log2(headroom) - start) / (full - start), 0), 1)
    }

    /// The code of a gain given as a binary logarithm.
    package func code(_ gain: Double) -> UInt8 {
        guard maximum > minimum, gain > minimum else { return 0 }
        return UInt8(min((gain - minimum) / (maximum - minimum), 1) * 255 + 0.5)
    }
}
