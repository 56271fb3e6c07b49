import CompositorKit
import Geometry
import Glibc
import Input
import TestKit
import Testing

/// Bad files and bad thumbnails on the grid, which must not affect other cells.
extension HeadlessGridTests {
    private static let few = Array(HeadlessGrid.marked.prefix(6))

    /// Whether a cell of the unscrolled grid shows the marked picture of that number.
    private func shows(_ shot: Screenshot, _ cell: Int, picture: Int) -> Bool {
        let rect = HeadlessGrid.cell(cell)
        return [(20.0, 30.0), (62, 62), (100, 90)].allSatisfy { dx, dy in
            let color = shot.color(Int(rect.x + dx), Int(rect.y + dy))
            let level = HeadlessGrid.wave((dx + 0.5) * 128 / 124 - 0.5)
            return abs(color.b - picture * 8) <= 2 && abs(Double(color.r) - level) <= 6
        }
    }

    /// The brightness of the brightest pixel: the least of its red, green and blue.
    private func brightness(_ shot: Screenshot, in rect: Rect) -> Int {
        var brightest = 0
        for y in Int(rect.y)..<Int(rect.maxY) {
            for x in Int(rect.x)..<Int(rect.maxX) {
                let color = shot.color(x, y)
                brightest = max(brightest, min(color.r, color.g, color.b))
            }
        }
        return brightest
    }

    @Test func aBrokenPictureHasAMarkedCell() throws {
        var pictures = Self.few
        pictures[2] = Array("no picture at all".utf8)
        let grid = HeadlessGrid(pictures)
        let still = grid.play(rest: 0.1)
        let shot = try #require(still.shots.last)
        for index in [0, 1, 3, 4, 5] { #expect(shows(shot, index, picture: index)) }
        // A cross and the name, light on a dark background.
        let cell = HeadlessGrid.cell(2)
        #expect(brightness(shot, in: cell) > 150)
        #expect(shot.color(Int(cell.x) + 4, Int(cell.y) + 4).r < 60)
        #expect(still.status == 0)
        // The viewer shows the reason, and Escape leads back.
        let run = grid.play { hand in
            hand.rest(100)
            hand.tap(cell.center.x, cell.center.y)
            hand.rest(1000)
            hand.key("Escape")
        }
        let opened = try #require(run.frames.last { !$0.showsGrid })
        #expect(opened.message?.contains("02.png: ") == true)
        #expect(opened.message?.contains("text file") == true)
        #expect(run.errors.contains("02.png"))
        #expect(try run.last.showsGrid && run.status == 0)
    }

    /// The decoded part is shown, with a mark and the name at the bottom.
    @Test func aTruncatedPictureIsMarkedWithItsName() throws {
        var pictures = Self.few
        let size = PixelSize(width: 400, height: 400)
        let whole = TestPicture(size: size) { _, _ in (90, 90, 90) }.jpeg(quality: 90)
        pictures[1] = Array(whole.prefix(whole.count / 2))
        pictures[2] = whole
        let shot = try #require(HeadlessGrid(pictures).play(rest: 0.1).shots.last)
        let (cut, sound) = (HeadlessGrid.cell(1), HeadlessGrid.cell(2))
        #expect(brightness(shot, in: cut) > 150)
        #expect(brightness(shot, in: sound) < 100)
        #expect(abs(shot.color(Int(cut.center.x), Int(cut.y) + 20).r - 90) < 4)
    }

    @Test func aGridOfBrokenPicturesOnlyEndsWithAnError() {
        let grid = HeadlessGrid(["no", "nor this"].map { Array($0.utf8) })
        let run = grid.play(rest: 0.1)
        #expect(run.frames.last?.number("count") == 2)
        #expect(run.status == 1)
    }

    /// Names that are not UTF-8, or contain control characters, are shown, opened and traced.
    @Test func unusualNamesAreShown() throws {
        let grid = HeadlessGrid([])
        let names: [[UInt8]] = [
            Array("a\nb.png".utf8), [0x62, 0xFF, 0xC3] + Array(".png".utf8),
            Array("c\"\\\t\u{1B}[2J{}.png".utf8),
        ]
        for (index, name) in names.enumerated() {
            grid.put(HeadlessGrid.marked[index], as: "plain")
            let path = Array((grid.album + "/").utf8).map { CChar(bitPattern: $0) }
            #expect(
                rename(grid.album + "/plain", path + name.map { CChar(bitPattern: $0) } + [0]) == 0)
        }
        let run = grid.play { hand in
            hand.rest(100)
            for index in 0..<3 {
                let middle = HeadlessGrid.cell(index).center
                hand.tap(middle.x, middle.y)
                hand.rest(800)
                hand.key("Escape")
                hand.rest(1200)
            }
        }
        #expect(run.errors == "" && run.status == 0)
        #expect(try run.first.number("count") == 3)
        let shot = try #require(run.shots.last)
        for index in 0..<3 { #expect(shows(shot, index, picture: index)) }
        // One line per frame, whatever the names contain.
        #expect(run.frames.allSatisfy { $0.line.hasPrefix("{\"t\":") && $0.line.hasSuffix("}") })
        #expect(run.frames.contains { !$0.showsGrid && $0.line.contains("a\\nb.png") })
        #expect(run.frames.contains { !$0.showsGrid && $0.line.contains("b\u{FFFD}") })
        #expect(run.frames.allSatisfy { !$0.line.contains("\u{1B}") })
    }

    @Test func aCyclicLinkIsFollowedOnce() throws {
        let grid = HeadlessGrid(Self.few)
        grid.folder.folder("album/inner")
        grid.put(HeadlessGrid.marked[6], as: "inner/99.png")
        symlink("..", grid.album + "/inner/loop")
        symlink("self", grid.album + "/self")
        let run = grid.play(["collection.recursive=true"], rest: 0.1)
        #expect(try run.first.number("count") == 7)
        #expect(run.status == 0)
    }

    // MARK: Cache

    /// The files in the cache, thumbnails as well as failure records.
    private func thumbnails(_ grid: HeadlessGrid) -> [String] {
        ChildProcess.run(["/usr/bin/find", grid.cache, "-name", "*.png"]).output
            .split(separator: "\n").map(String.init)
    }

    /// Shows the grid until all thumbnails are cached: a run does not wait for the cache.
    private func fillCache(of grid: HeadlessGrid) throws -> [String] {
        for _ in 0..<20 where thumbnails(grid).count < 6 { _ = grid.play(rest: 0.1) }
        let files = thumbnails(grid)
        try #require(files.count >= 6)
        return files
    }

    @Test func theGridNeedsNoWritableCache() throws {
        let grid = HeadlessGrid(Self.few)
        grid.folder.folder("cache")
        chmod(grid.cache, 0o555)
        var command = [Binaries.vitrine]
        if getuid() == 0 {
            // Root may write everything, so another user runs the viewer.
            _ = ChildProcess.run(["/bin/cp", Binaries.vitrine, Binaries.decoder, grid.folder.path])
            chmod(grid.folder.path, 0o777)
            command =
                ["/usr/bin/setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
                + [grid.folder / "vitrine"]
        }
        let run = grid.play(rest: 0.1, command: command)
        let shot = try #require(run.shots.last)
        for index in 0..<6 { #expect(shows(shot, index, picture: index)) }
        #expect(run.errors == "" && run.status == 0)
        #expect(thumbnails(grid) == [])
    }

    @Test func aThumbnailOfAnotherDateIsRefused() throws {
        let grid = HeadlessGrid(Self.few)
        let files = try fillCache(of: grid)
        // The picture is replaced; the cached thumbnail still shows the old one.
        grid.put(HeadlessGrid.marked[20], as: "00.png", time: -86400)
        #expect(thumbnails(grid).count == files.count)
        let shot = try #require(grid.play(rest: 0.1).shots.last)
        #expect(shows(shot, 0, picture: 20))
        #expect(shows(shot, 1, picture: 1))
    }

    private enum Damage: CaseIterable {
        case replaced, cutShort, garbled

        func damaged(_ bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .replaced: Array("garbage".utf8)
            case .cutShort: Array(bytes.prefix(bytes.count * 2 / 3))
            // The metadata texts at the beginning of the file stay intact.
            case .garbled:
                bytes.prefix(bytes.count / 2)
                    + [UInt8](repeating: 0xA5, count: bytes.count - bytes.count / 2)
            }
        }
    }

    @Test(arguments: 0..<3) func corruptThumbnailsAreReplaced(_ number: Int) throws {
        let damage = Damage.allCases[number]
        let grid = HeadlessGrid(Self.few)
        for path in try fillCache(of: grid) {
            TestFile.write(damage.damaged(try #require(TestFile.read(path))), to: path)
        }
        let run = grid.play(rest: 0.1)
        let shot = try #require(run.shots.last)
        let shown = (0..<6).filter { shows(shot, $0, picture: $0) }
        #expect(shown == Array(0..<6))
        #expect(run.errors == "" && run.status == 0)
    }
}
