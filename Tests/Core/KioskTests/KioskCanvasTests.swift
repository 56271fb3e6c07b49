import Geometry
import Kiosk
import Testing

/// The notation and the layout of `kiosk.canvas`.
@Suite struct KioskCanvasTests {
    private func reason(_ text: String) -> String? {
        do throws(OutputsError) { _ = try KioskCanvas(text) } catch { return error.reason }
        return nil
    }

    private let wide = Size(width: 1000, height: 600)
    private let high = Size(width: 400, height: 800)

    @Test func aRowWithBezels() throws {
        let canvas = try KioskCanvas(" A  B bezel 40")
        #expect(canvas.rows == [["A", "B"]] && canvas.bezel == 40)
        let layout = try #require(canvas.layout(of: ["A": wide, "B": high, "C": wide]))
        #expect(layout.size == Size(width: 1440, height: 800))
        #expect(
            layout.parts == [
                "A": Rect(x: 0, y: 0, width: 1000, height: 600),
                "B": Rect(x: 1040, y: 0, width: 400, height: 800),
            ])
    }

    @Test func rowsOfScreens() throws {
        let canvas = try KioskCanvas("A B / C D bezel 10.5")
        let layout = try #require(canvas.layout(of: ["A": wide, "B": high, "C": wide, "D": wide]))
        #expect(layout.size == Size(width: 2010.5, height: 1410.5))
        #expect(layout.parts["D"] == Rect(x: 1010.5, y: 810.5, width: 1000, height: 600))
    }

    @Test func unknownOutputsLeaveNoGap() throws {
        let canvas = try KioskCanvas("A B / C D")
        let layout = try #require(canvas.layout(of: ["B": wide, "D": wide]))
        #expect(layout.size == Size(width: 1000, height: 1200))
        #expect(layout.parts["D"] == Rect(x: 0, y: 600, width: 1000, height: 600))
        #expect(canvas.layout(of: [:]) == nil)
        #expect(try KioskCanvas("").layout(of: ["A": wide]) == nil)
    }

    @Test(arguments: ["A bezel", "A bezel x", "A bezel -1", "bezel 4 A", "A B bezel 1001"])
    func wrongBezelsAreRefused(text: String) {
        #expect(reason(text) == "“bezel” is followed by 0 to 1000, at the end")
    }

    @Test func errorsAreNamed() {
        #expect(reason("A / B A") == "an output is named twice")
        #expect(
            reason((1...17).map { "O-\($0)" }.joined(separator: " "))
                == "there are more than 16 outputs")
    }
}
