import Geometry
import Gestures
import Motion
import Testing

@Suite struct QuickZoomTests {
    private static let secondDown = """
        0 touch down 0 100 100
        0 touch frame
        80 touch up 0
        80 touch frame
        200 touch down 0 110 100
        200 touch frame

        """

    /// Vectors Q1 and Q2: drags of 74 px and 138 px, less the slop of 10 px.
    @Test(arguments: [(174.0, 64.0), (-38, -128), (100, 0)])
    func dragsBeyondTheSlop(y: Double, distance: Double) throws {
        let gestures = try play(
            Self.secondDown + """
                240 touch move 0 110 130
                240 touch frame
                280 touch move 0 110 \(y)
                280 touch frame
                400 touch up 0
                400 touch frame
                2000 end
                """)
        #expect(
            gestures.withoutCatches == [
                at(240, .quickZoomBegan(at: Point(x: 110, y: 100))),
                at(240, .quickZoomChanged(distance: 20)),
                at(280, .quickZoomChanged(distance: distance)), at(400, .quickZoomEnded),
            ])
    }

    @Test func aSecondFingerMakesItAPinch() throws {
        let gestures = try play(
            Self.secondDown + """
                240 touch move 0 110 130
                240 touch frame
                300 touch down 1 210 130
                300 touch frame
                400 end
                """)
        let middle = Point(x: 160, y: 130)
        let held = Manipulation(source: .touch, fingers: 2, base: middle, centroid: middle)
        // The first finger rests, so the prediction is equal to the fingers.
        #expect(
            gestures.suffix(3) == [
                at(300, .quickZoomEnded), at(300, .manipulationBegan(held)),
                at(300, .manipulationRebased(held, predicted: held)),
            ])
    }

    @Test func aCancelEndsIt() throws {
        let gestures = try play(
            Self.secondDown + "240 touch move 0 110 130\n240 touch frame\n250 touch cancel")
        #expect(gestures.last == at(250, .quickZoomEnded))
    }
}
