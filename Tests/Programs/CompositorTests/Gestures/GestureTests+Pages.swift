import CompositorKit
import Geometry
import TestKit
import Testing

/// From page to page, at fit.
///
/// A page is 640 px wide, and the next one begins 677.8 px after the start of a page.
extension LiveTests.GestureTests {
    static let pitch = 640 + 25 + 0.02 * 640

    /// Widths that identify the pictures in the trace; at fit they all have the same place.
    private static let widths = [1632, 1600, 1616]
    private static let album = widths.map { TestPicture.card($0, $0 * 5 / 8).png() }

    /// The viewer with `count` pictures, the first one at fit.
    static func paged(_ count: Int = 3, _ options: String...) throws -> Stage {
        try Stage.shown(options: options, pictures: Array(album.prefix(count)))
    }

    /// Waits until a page and its picture are in place.
    static func untilAtFit(
        _ stage: Stage, _ index: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        stage.until(sourceLocation: sourceLocation) {
            $0.index == index && $0.numbers("image").first == Double(widths[index])
                && $0.phase == "idle" && $0.rect == fit
        }
    }

    /// Has the second picture decoded, with the first one in place.
    static func lookAhead(_ stage: Stage) {
        for (key, index) in [("Right", 1), ("Left", 0)] {
            stage.play { $0.key(key) }
            untilAtFit(stage, index)
        }
    }

    /// A finger that moves left by `delta` px in `duration` ms, and stays down.
    private static func swipe(_ hand: inout Hand, by delta: Double, in duration: Double) {
        hand.drag(
            through: Point(x: 320, y: 200), by: Vector(dx: -delta, dy: 0), in: duration)
    }

    @Test func theNeighbourFollowsTheFingerAfterAGap() throws {
        let stage = try Self.paged()
        let frames = stage.play {
            $0.touch([1: (500, 200)])
            $0.move([1: (300, 230)], in: 300)
        }
        let delta = (200 * 200 + 30 * 30.0).squareRoot()
        let shift = -200 * (delta - 10) / delta
        let held = try stage.last
        #expect(held.gesture == "swipe" && held.index == 0)
        #expect(held.distance(to: Self.fit.moved(shift, 0)) < 0.1)
        // The page moves only horizontally, whatever the finger does.
        #expect(frames.allSatisfy { $0.rect?.y == 0 })
        // The picture's right half is green, the neighbour's left one red; it may still be decoding.
        let next = Int(Self.pitch + shift) + 4
        #expect(
            stage.compositor.run {
                (stage.compositor.surface?.pixels?.color(next, 100).r ?? 0) > 150
            }
        )
        let pixels = try #require(try stage.surface.pixels)
        #expect(pixels.color(Int(640 + shift) - 4, 100).g > 150)
        let gap = pixels.color(next - 20, 100)
        #expect(max(gap.r, gap.g, gap.b) < 60)
        stage.play {
            $0.rest(100)
            $0.lift(1)
        }
        Self.untilAtFit(stage, 0)
        try stage.expectGoodEnd()
    }

    /// A slow swipe of more than half a page, and a short fast one.
    @Test(arguments: [(500.0, 400.0, 200.0), (70, 50, 0)])
    func aSwipeTurnsThePageThereAndBack(
        _ delta: Double, _ duration: Double, _ rest: Double
    ) throws {
        let stage = try Self.paged()
        for (index, delta) in [(1, delta), (2, delta), (1, -delta)] {
            let frames = stage.play {
                Self.swipe(&$0, by: delta, in: duration)
                $0.rest(rest)
                $0.lift(1)
            }
            Self.untilAtFit(stage, index)
            // The new page slides into its place, and not past it.
            let slide = frames.filter { $0.index == index && $0.phase == "animating" }
                .compactMap { ($0.rect?.x ?? 0) * (delta > 0 ? 1 : -1) }
            #expect(slide.allSatisfy { $0 >= 0 && $0 < Self.pitch })
            #expect(zip(slide, slide.dropFirst()).allSatisfy { $1 <= $0 })
        }
        try stage.expectGoodEnd()
    }

    @Test func aSwipeBackOrACancelledSwipeTurnsNothing() throws {
        let stage = try Self.paged()
        stage.play {
            Self.swipe(&$0, by: 500, in: 300)
            $0.move([1: (200, 200)], in: 80)
            $0.lift(1)
        }
        Self.untilAtFit(stage, 0)
        stage.play {
            Self.swipe(&$0, by: 500, in: 200)
            $0.cancel()
        }
        Self.untilAtFit(stage, 0)
        stage.play {
            Self.swipe(&$0, by: 70, in: 50)
            $0.cancel()
        }
        Self.untilAtFit(stage, 0)
        #expect(!stage.trace.contains { $0.index != 0 })
        try stage.expectGoodEnd()
    }

    @Test func theEndsOfTheAlbumAreElastic() throws {
        let stage = try Self.paged(2)
        for (index, sign) in [(0, 1.0), (1, -1)] {
            stage.play { Self.swipe(&$0, by: -310 * sign, in: 300) }
            // 300 px past the end: x·c·d / (d + c·x).
            let shift = 300 * 0.55 * 640 / (640 + 0.55 * 300)
            #expect(try stage.last.distance(to: Self.fit.moved(sign * shift, 0)) < 0.1)
            stage.play {
                $0.rest(100)
                $0.lift(1)
            }
            Self.untilAtFit(stage, index)
            stage.play { $0.key("End") }
            Self.untilAtFit(stage, 1)
        }
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }

    @Test func aPageInFlightIsCaughtAndSwipedOn() throws {
        let stage = try Self.paged()
        Self.lookAhead(stage)
        stage.play {
            Self.swipe(&$0, by: 150, in: 100)
            $0.lift(1)
            $0.rest(50)
            $0.touch([1: (400, 200)])
            $0.rest(200)
        }
        let caught = try #require(try stage.last.rect)
        #expect(try stage.last.index == 1 && stage.last.gesture == "swipe")
        #expect(caught.x > 50 && caught.x < Self.pitch - 140, "\(caught.x)")
        // It follows the finger without slop.
        stage.play { $0.move([1: (395, 200)], in: 40) }
        #expect(try stage.last.distance(to: caught.moved(-5, 0)) < 0.1)
        stage.play {
            $0.move([1: (395 - caught.x - 100, 200)], in: 200)
            $0.lift(1)
        }
        Self.untilAtFit(stage, 2)
        try stage.expectGoodEnd()
    }

    // MARK: Mouse

    /// By the wheel, or by a click at the edge of the surface, the neighbour slides in.
    @Test(arguments: ["wheel", "click"])
    func stepsOfTheMouseSlide(_ step: String) throws {
        let stage = try Self.paged()
        for (index, sign) in [(1, 1.0), (2, 1), (1, -1)] {
            let count = stage.trace.count
            stage.play {
                $0.point(320 + sign * 315, 200)
                if step == "wheel" { $0.wheel(Int(120 * sign)) } else { $0.click() }
            }
            Self.untilAtFit(stage, index)
            let slide = stage.trace[count...].filter { $0.index == index }
                .compactMap { ($0.rect?.x ?? 0) * sign }
                .drop { $0 <= 0 }
            #expect(slide.contains { $0 > 1 && $0 <= Self.pitch })
            #expect(slide.allSatisfy { $0 >= 0 && $0 <= Self.pitch + 0.1 })
            #expect(zip(slide, slide.dropFirst()).allSatisfy { $1 <= $0 })
        }
        // Pages were turned; the bars are there for the pointer.
        #expect(try stage.last.showsChrome)
        try stage.expectGoodEnd()
    }
}
