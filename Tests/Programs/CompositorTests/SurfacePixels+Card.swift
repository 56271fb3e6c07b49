import CompositorKit
import Geometry
import TestKit
import Testing

extension SurfacePixels {
    /// Expects the colors of these points of `Stage.large` at their places in `frame`, and returns the
    /// number of points on the surface.
    ///
    /// The surface has `part` of the frame's pixels along each side; the first pixel of a block is
    /// compared.
    @discardableResult
    func expectCard(
        at points: [(x: Int, y: Int)], in frame: TraceFrame, part: Double = 1, blockSide: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Int {
        let card = TestPicture.card(1600, 1000)
        var seen = 0
        for (x, y) in points {
            guard let place = frame.place(of: Point(x: Double(x), y: Double(y))) else { continue }
            let (left, top) = (Int(place.x * part), Int(place.y * part))
            guard (0..<size.width).contains(left), (0..<size.height).contains(top) else { continue }
            seen += 1
            let color = self.color(left / blockSide * blockSide, top / blockSide * blockSide)
            let expected = card.color(x, y)
            #expect(
                abs(color.r - expected.r) < 8 && abs(color.g - expected.g) < 8
                    && abs(color.b - expected.b) < 8, sourceLocation: sourceLocation)
        }
        return seen
    }
}
