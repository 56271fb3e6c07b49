package import Geometry

/// The zoom levels of one picture on one surface, in logical pixels per picture pixel.
///
/// For a surface of W × H logical pixels with `scale` device pixels per logical pixel, and a
/// picture of w × h pixels: fit = min(W/w, H/h, 1/scale), fill = max(W/w, H/h), max = max(2·fit,
/// 4/scale, min(fill, 16/scale)).
package struct ZoomLimits: Hashable, Sendable {
    /// Shows the whole picture, with at most one device pixel per picture pixel unless `enlarge` is
    /// set.
    package let fit: Double
    /// Covers the surface in both directions.
    package let fill: Double
    /// One device pixel per picture pixel.
    package let oneToOne: Double
    package let max: Double

    package var min: Double { fit }
    package var range: ClosedRange<Double> { fit...max }

    /// The largest number of device pixels per picture pixel, along each axis.
    private static let largestPixel = 4.0
    /// The same limit where a picture needs more to cover the surface.
    private static let largestPixelToFill = 16.0

    /// The zoom levels of a picture; `picture` is its size in picture pixels, with a quarter turn
    /// already applied.
    package init(picture: Size, viewport: Viewport, enlarge: Bool = false) {
        let across = viewport.size.width / Swift.max(picture.width, 1)
        let down = viewport.size.height / Swift.max(picture.height, 1)
        let scale = viewport.scale
        let whole = Swift.min(across, down)
        oneToOne = 1 / scale
        fit = enlarge ? whole : Swift.min(whole, oneToOne)
        fill = Swift.max(across, down)
        max = Swift.max(
            2 * fit, Self.largestPixel / scale,
            Swift.min(fill, Self.largestPixelToFill / scale))
    }

    /// The zoom levels of the double tap and the two-finger tap, in ascending order.
    ///
    /// First fit; then the larger of fill and 2 · fit, at most `max`; then one to one, if that is
    /// more than 1 % larger than the level before.
    package var ladder: [Double] {
        var steps = [fit, Swift.min(Swift.max(fill, 2 * fit), max)]
        if oneToOne > steps[1] * Self.tolerance { steps.append(oneToOne) }
        return steps
    }

    /// Zooms that differ by less than this factor count as the same step.
    private static let tolerance = 1.01

    /// The next level of `steps` above `zoom`; fit where there is none.
    package func step(above zoom: Double, in steps: [Double]) -> Double {
        steps.first { $0 > zoom * Self.tolerance } ?? fit
    }

    /// The next level of the ladder below `zoom`; fit where there is none.
    package func step(below zoom: Double) -> Double {
        ladder.last { $0 * Self.tolerance < zoom } ?? fit
    }

    /// Whether `zoom` is at most fit, within a rounding error.
    package func isFit(_ zoom: Double) -> Bool { zoom <= fit * 1.001 }

    /// A release within this factor of fit comes to rest at fit.
    private static let fitAttraction = 1.03

    /// Whether a release at `zoom` comes to rest at fit.
    package func isNearFit(_ zoom: Double) -> Bool {
        zoom <= fit * Self.fitAttraction && zoom >= fit / Self.fitAttraction
    }
}
