import CompositorKit
import Geometry
import TestKit
import Testing

extension LiveTests {
    /// Gestures whose end is lost on the way from the device.
    @Suite struct LostEndTests {
        /// A finger scroll without `axis_stop`, as remote desktops send it, rests on a page.
        @Test func aScrollWithoutAStopRestsOnAPage() throws {
            let stage = try GestureTests.paged()
            stage.play {
                $0.point(320, 200)
                $0.scroll(Vector(dx: 200, dy: 0), in: 200)
            }
            #expect(try stage.last.gesture == "scroll")
            stage.play { $0.rest(5000) }
            let rest = try #require(try stage.last.index)
            GestureTests.untilAtFit(stage, rest)
            // The next scroll is a new one: with Ctrl it zooms.
            stage.play {
                $0.withControl {
                    $0.scroll(Vector(dx: 0, dy: -60), in: 100)
                    $0.stopScrolling()
                }
            }
            #expect(try stage.last.index == rest)
            #expect(try stage.last.rect != GestureTests.fit)
            try stage.expectGoodEnd()
        }

        @Test func aPinchWithoutAnEndRestsAndThePagesTurnAgain() throws {
            let stage = try GestureTests.paged()
            stage.play {
                $0.point(320, 200)
                $0.beginPinch()
                $0.pinch(to: 0.95, in: 200)
            }
            #expect(try stage.last.gesture == "pinch")
            stage.play { $0.rest(10_000) }
            GestureTests.untilAtFit(stage, 0)
            stage.play { $0.key("Right") }
            GestureTests.untilAtFit(stage, 1)
            try stage.expectGoodEnd()
        }

        /// In a kiosk nobody can plug the touchscreen out and in again.
        @Test(arguments: [[], ["--kiosk"]])
        func aTouchThatNeverLiftsDoesNotStopASlideshow(options: [String]) throws {
            let stage = try Stage.shown(
                options: ["--slideshow", "2", "--set", "slideshow.resume=3"] + options,
                pictures: (0..<9).map { TestPicture.card(320 + $0 * 8, 200).png() })
            stage.play { $0.touch([1: (320, 200)]) }
            stage.play { $0.rest(90_000) }
            let index = try stage.last.index
            stage.play { $0.rest(5000) }
            #expect(try stage.last.index != index)
            try #require(stage.exitCode == nil)
        }
    }
}
