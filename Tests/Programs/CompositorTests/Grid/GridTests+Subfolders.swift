import CompositorKit
import Geometry
import Glibc
import Input
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

/// Folders as cells before the pictures.
extension LiveTests.GridTests {
    /// An album with 60 pictures and the folders Alps (3 pictures and the folder Deep) and Sea (none).
    private func filled() throws -> Stage {
        let stage = try Stage.shown(
            options: ["--set", "grid.header=true"], pictures: (0..<60).map { Self.picture($0) },
            onGrid: true)
        for name in ["Alps", "Alps/Deep", "Sea"] {
            mkdir(stage.folder / "album/\(name)", 0o755)
        }
        for number in 70..<73 {
            TestFile.write(
                Self.picture(number), to: stage.folder / "album/Alps/\(number).png")
        }
        TestFile.write(Self.picture(75), to: stage.folder / "album/Alps/Deep/75.png")
        // The tiles push the pictures down.
        let hasTiles = stage.compositor.run { stage.number(at: 62, 340) == 0 }
        #expect(hasTiles)
        stage.untilSeen()
        return stage
    }

    /// A cover comes without any input: three pictures, the first one on the left.
    @Test func aCoverShowsTheFirstPictures() throws {
        let stage = try filled()
        let isShown = stage.compositor.run {
            stage.number(at: 60, 140) == 70 && stage.number(at: 160, 100) == 71
                && stage.number(at: 160, 180) == 72
        }
        #expect(isShown)
        try stage.expectGoodEnd()
    }

    /// By touch: into a folder, into its folder, and back to the place from before.
    @Test func aFingerEntersFoldersAndComesBack() throws {
        let stage = try filled()
        stage.play {
            $0.drag(through: Point(x: 320, y: 200), by: Vector(dx: 0, dy: -30), in: 300)
            $0.rest(200)
            $0.lift(1)
        }
        let scroll = try stage.last.scroll.y
        #expect(scroll > 0)
        stage.play { $0.tap(100, 110) }
        stage.untilCount(is: 3)
        #expect(try stage.last.path.contains("Alps/70.png"))
        stage.play { $0.tap(100, 110) }
        stage.untilCount(is: 1)
        // The button at the start of the header.
        stage.play { $0.tap(32, 32) }
        stage.untilCount(is: 3)
        stage.play { $0.tap(32, 32) }
        stage.untilCount(is: 60)
        #expect(try stage.last.scroll.y == scroll)
        try stage.expectGoodEnd()
    }

    /// By keys: Return enters, Escape and Alt+Left come back, Alt+Up goes to the folder above.
    @Test func keysEnterFoldersAndComeBack() throws {
        let stage = try filled()
        stage.press("Home", "Return")
        stage.untilCount(is: 3)
        stage.press("Escape")
        stage.untilCount(is: 60)
        stage.press("Home", "Right", "Return")
        stage.untilCount(is: 0)
        stage.play { $0.key("Up", .alt) }
        stage.untilCount(is: 60)
        stage.play { $0.key("Left", .alt) }
        stage.untilCount(is: 0)
        stage.press("Escape")
        stage.untilCount(is: 60)
        #expect(stage.exitCode == nil)
        try stage.expectGoodEnd()
    }

    /// A folder that vanishes while it is shown says so, and the way back is open.
    @Test func aFolderVanishesWhileItIsShown() throws {
        let stage = try filled()
        stage.press("Home", "Return")
        stage.untilCount(is: 3)
        for number in 70..<73 { unlink(stage.folder / "album/Alps/\(number).png") }
        unlink(stage.folder / "album/Alps/Deep/75.png")
        rmdir(stage.folder / "album/Alps/Deep")
        rmdir(stage.folder / "album/Alps")
        stage.untilCount(is: 0)
        stage.press("Escape")
        stage.untilCount(is: 60)
        #expect(stage.exitCode == nil)
    }

    /// Files that are dropped on a folder are put into the folder: pictures of the album are moved, others copied.
    ///
    /// The drop is that of another program, which may name pictures of the album; FileChangesByTouchTests drag the
    /// viewer's own.
    @Test(arguments: [true, false]) func aDropOnAFolderPutsFilesThere(isListed: Bool) throws {
        let stage = try filled()
        let other = stage.folder.file("other.png", Self.picture(61))
        let own = stage.folder / "album/59.png"
        let path = isListed ? own : other
        let data = stage.compositor.data
        let offer = data.makeOffer(["text/uri-list"], actions: [.copy, .ask])
        let surface = try #require(stage.compositor.surface)
        func color() -> Int? { stage.compositor.surface?.pixels.map { $0.color(300, 100).b } }
        let before = color()
        data.device?.enter(
            serial: 1, surface: surface.resource, x: 600, y: 400, id: offer.resource)
        offer.resource.action(dndAction: .copy)
        // Over the folder Sea, whose cell is marked.
        data.device?.motion(time: 1, x: 300, y: 100)
        #expect(stage.compositor.run { color() != before }, "the folder is not marked")
        data.device?.drop()
        #expect(stage.compositor.run { !offer.pipes.isEmpty })
        offer.send(Array("file://\(path)\r\n".utf8))
        let name = path.split(separator: "/").last ?? ""
        let target = stage.folder / "album/Sea/\(name)"
        #expect(stage.compositor.run { TestFile.read(target) != nil })
        #expect((TestFile.read(path) == nil) == isListed)
        // The cover shows the picture that has come.
        let isCovered = stage.compositor.run { stage.number(at: 320, 140) == (isListed ? 59 : 61) }
        #expect(isCovered)
        try stage.expectGoodEnd()
    }
}
