import CompositorKit
import Geometry
import Glibc
import TestKit
import Testing

/// Changes of the folder while it is shown, which the program notices in real time.
extension LiveTests.GridTests {
    /// Scrolls half way down, with row 4 at the top.
    private func scrolled(_ stage: Stage) throws {
        stage.play {
            $0.point(320, 200)
            for _ in 0..<5 {
                $0.wheel(120)
                $0.rest(20)
            }
        }
        #expect(try stage.last.scroll.y == 500)
        let shown = stage.compositor.run { stage.number(at: 62, 60) == 20 }
        #expect(shown)
        stage.untilSeen()
    }

    private func album(_ stage: Stage, _ name: String) -> String { stage.folder / "album/\(name)" }

    /// Five new pictures above add a row: the visible pictures stay in place.
    @Test func addedAndRemovedPicturesKeepTheVisibleOnesInPlace() throws {
        let stage = try Self.filled(in: .program)
        try scrolled(stage)
        let heights = [60, 180, 300]
        let before = stage.numbers(atHeights: heights)
        #expect(before.compactMap(\.self).count > 9)
        // The files come at once, so that they are one change of the listing on a slow machine, too.
        for number in 0..<5 {
            TestFile.write(Self.picture(60 + number), to: stage.folder / "0\(number)a.png")
        }
        for number in 0..<5 {
            rename(stage.folder / "0\(number)a.png", album(stage, "0\(number)a.png"))
        }
        stage.untilCount(is: 65)
        #expect(stage.numbers(atHeights: heights) == before)
        #expect(try stage.last.scroll.y == 629)
        for number in 0..<5 { unlink(album(stage, "0\(number)a.png")) }
        stage.untilCount(is: 60)
        #expect(stage.numbers(atHeights: heights) == before)
        #expect(try stage.last.scroll.y == 500)
        try stage.expectGoodEnd()
    }

    @Test func aRenamedPictureMovesToItsNewPlace() throws {
        let stage = try Self.filled(in: .program)
        #expect(stage.numbers(atHeights: [62]) == [0, 1, 2, 3, 4])
        rename(album(stage, "01.png"), album(stage, "03a.png"))
        let moved = stage.compositor.run { stage.numbers(atHeights: [62]) == [0, 2, 3, 1, 4] }
        #expect(moved, "\(stage.numbers(atHeights: [62]))")
        // A picture that is overwritten is shown with its new contents.
        TestFile.write(Self.picture(70), to: album(stage, "02.png"))
        let changed = stage.compositor.run { stage.numbers(atHeights: [62]) == [0, 70, 3, 1, 4] }
        #expect(changed, "\(stage.numbers(atHeights: [62]))")
        #expect(try stage.last.number("count") == 60)
        try stage.expectGoodEnd()
    }

    @Test func manyChangesAtOnceAreShown() throws {
        let stage = try Self.filled(in: .program)
        stage.play { Self.fling(&$0) }
        for number in 0..<30 { unlink(album(stage, (number < 10 ? "0" : "") + "\(number).png")) }
        for number in 60..<64 {
            TestFile.write(Self.picture(number), to: album(stage, "\(number).png"))
        }
        rename(album(stage, "30.png"), album(stage, "99.png"))
        stage.untilCount(is: 34)
        stage.play { $0.key("Home") }
        let shown = stage.compositor.run {
            stage.numbers(atHeights: [62]) == [31, 32, 33, 34, 35]
        }
        #expect(shown, "\(stage.numbers(atHeights: [62]))")
        try stage.expectGoodEnd()
    }

    /// The picture in the viewer is deleted: the next one takes its place.
    @Test func anOpenPictureThatIsDeletedIsReplacedByTheNext() throws {
        let stage = try Self.filled(in: .program)
        stage.play { $0.tap(320, 62) }
        stage.until { !$0.showsGrid && $0.phase == "idle" }
        unlink(album(stage, "02.png"))
        stage.until { $0.path.hasSuffix("/03.png") && $0.numbers("image") == [180, 120] }
        #expect(try !stage.last.showsGrid)
        stage.play { $0.key("Escape") }
        stage.until { $0.showsGrid && $0.phase == "idle" }
        stage.untilSeen()
        #expect(stage.numbers(atHeights: [62]) == [0, 1, 3, 4, 5])
        try stage.expectGoodEnd()
    }

    @Test(arguments: [false, true])
    func aDeletedFolderShowsAMessage(_ isOpen: Bool) throws {
        let stage = try Self.filled(count: 20, in: .program)
        if isOpen {
            stage.play { $0.tap(320, 62) }
            stage.until { !$0.showsGrid && $0.phase == "idle" }
        }
        _ = ChildProcess.run(["/bin/rm", "-rf", stage.folder / "album"])
        stage.untilCount(is: 0)
        #expect(stage.exitCode == nil)
        #expect(try stage.last.showsGrid)
        #expect(stage.numbers(atHeights: [62, 191]).allSatisfy { $0 == nil })
        // The message: light text in the middle.
        let pixels = try #require(try stage.surface.pixels)
        let letters = (120..<280).contains { y in
            (120..<520).contains { pixels.color($0, y).g > 150 }
        }
        #expect(letters)
        // The viewer still responds: gestures do nothing, and it can be closed.
        stage.play {
            $0.tap(320, 62)
            $0.rest(100)
            $0.touch([1: (280, 200), 2: (360, 200)])
            $0.move([1: (200, 200), 2: (440, 200)], in: 200)
            $0.lift(1, 2)
            $0.key("Return")
        }
        #expect(stage.exitCode == nil)
        #expect(try stage.close() == 0)
        #expect(stage.compositor.violations == [])
    }
}
