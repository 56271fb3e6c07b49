package import Geometry

/// The zoom levels of one picture on one surface, in logical pixels per picture pixel.
///
/// Source of the formulas: the project's behaviour sheet, "Zoom levels", and its gesture sheet §7.
package struct ZoomLimits: Hashable, Sendable {
    /// Shows the whole picture, never larger than one device pixel a picture pixel unless asked.
    package let fit: Double
    /// Covers the surface in both directions.
    package let fill: Double
    /// One picture pixel on one device pixel.
    package let oneToOne: Double
    package let max: Double

    package var min: Double { fit }
    package var range: ClosedRange<Double> { fit...max }

    /// How many device pixels a picture pixel may be enlarged to at most.
    private static let largestPixel = 4.0
    /// The same where only so the picture covers the surface.
    private static let largestPixelToFill = 16.0

    /// The levels of a picture that is `picture` large as it stands on the surface, a quarter turn
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

    /// The steps of the double tap, each larger than the one before: fit, then fill or twice fit,
    /// then one to one.
    package var ladder: [Double] {
        var steps = [fit, Swift.min(Swift.max(fill, 2 * fit), max)]
        if oneToOne > steps[1] * Self.tolerance { steps.append(oneToOne) }
        return steps
    }

    /// Zooms nearer than this factor count as the same step.
    private static let tolerance = 1.01

    /// The next step of `steps` above `zoom`, or fit where there is none.
    package func step(above zoom: Double, in steps: [Double]) -> Double {
        steps.first { $0 > zoom * Self.tolerance } ?? fit
    }

    /// The next step of the ladder below `zoom`, at least fit.
    package func step(below zoom: Double) -> Double {
        ladder.last { $0 * Self.tolerance < zoom } ?? fit
    }

    /// Whether `zoom` shows the whole picture as fit does, to within a rounding error.
    package func isFit(_ zoom: Double) -> Bool { zoom <= fit * 1.001 }

    /// Within this factor of fit a release rests at fit.
    ///
    /// Source: the project's behaviour sheet, "Hands as they are".
    private static let fitAttraction = 1.03

    /// Whether a release at `zoom` rests at fit.
    package func isNearFit(_ zoom: Double) -> Bool {
        zoom <= fit * Self.fitAttraction && zoom >= fit / Self.fitAttraction
    }
}
