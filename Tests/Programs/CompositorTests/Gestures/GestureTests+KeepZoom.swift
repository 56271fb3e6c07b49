import CompositorKit
import Geometry
import TestKit
import Testing

/// `viewer.keep_zoom`, with the widths 1632, 1600 and 1616 of the pictures: at fit they have the
/// same place.
extension LiveTests.GestureTests {
    @Test(arguments: ["key", "menu"])
    func theNextPictureKeepsZoomAndPlace(_ device: String) throws {
        let stage = try Self.paged()
        Self.lookAhead(stage)
        if device == "key" {
            stage.play { $0.key("k") }
        } else {
            stage.play {
                $0.touch([1: (200, 60)])
                $0.rest(700)
                $0.lift(1)
            }
            // The sixth row of the menu opens a part whose sixth row it is.
            stage.play {
                $0.tap(320, 8 + 5.5 * 48)
                $0.rest(100)
                $0.tap(320, 8 + 5.5 * 48)
            }
        }
        stage.play {
            $0.key("2")
            $0.key("plus")
            $0.key("plus")
            $0.key("Left")
        }
        let rect = try #require(try stage.last.rect)
        #expect(rect.width > 1300 && rect.center.x > 400)
        for index in [1, 2, 1, 0] {
            stage.play {
                $0.key(index == 0 || stage.trace.last?.index == 2 ? "BackSpace" : "space")
            }
            stage.until { $0.index == index && $0.phase == "idle" && $0.distance(to: rect) < 0.01 }
        }
        try stage.expectGoodEnd()
    }

    /// A drag past the edge brings the neighbour in at the zoom of the picture that leaves.
    @Test func aDraggedNeighbourRestsAtTheSameZoom() throws {
        let stage = try Self.paged(3, "--set", "viewer.keep_zoom=true")
        Self.lookAhead(stage)
        stage.play { $0.key("1") }
        let zoom = try stage.last.zoom
        // To the right edge, where the drag past it begins.
        stage.play {
            $0.touch([1: (600, 200)])
            $0.move([1: (20, 200)], in: 300)
            $0.rest(200)
            $0.lift(1)
        }
        let frames = stage.play {
            $0.touch([1: (600, 200)])
            $0.move([1: (100, 200)], in: 300)
            $0.rest(200)
            $0.lift(1)
        }
        stage.until { $0.index == 1 && $0.phase == "idle" }
        let new = try #require(try stage.last.rect)
        // 1 : 1 stays 1 : 1 for a picture of another size.
        #expect(try abs(stage.last.zoom - zoom) < 1e-6)
        #expect(abs(new.maxX - 640) < 0.01)
        // From the turn on, the trace is that of the new page: it has its final size at once.
        let slide = frames.filter { $0.index == 1 }.compactMap(\.rect)
        #expect(!slide.isEmpty && slide.allSatisfy { abs($0.width - new.width) < 0.01 })
        try stage.expectGoodEnd()
    }
}
