import CompositorKit
import Geometry
import Glibc
import ImageTypes
import Input
import Motion
import StallingFileSystem
import TestKit
import Testing

extension LiveTests {
    /// Pictures on a file system that does not answer, as a network share that was lost.
    ///
    /// Each test expects that the viewer goes on: it answers pings, paints, turns pages and ends at once.
    @Suite(
        .enabled(
            if: StallingFileSystem.obstacle == nil, "\(StallingFileSystem.obstacle ?? "")"))
    struct StallTests {
        /// What opening and reading a file consists of.
        static let opening: [Operation] = [.lookup, .getattr, .open, .read, .flush]

        private static func stage(
            pictures: [[UInt8]] = [Stage.small, Stage.large], onGrid: Bool = false,
            options: [String] = [], height: Double = 400,
            _ stalling: @escaping (StallingFileSystem) -> Void = { _ in }
        ) throws -> Stage {
            var setup = Setup()
            setup.windowSize = Size(width: 640, height: height)
            return try Stage(
                setup, in: .program, options: options, pictures: pictures, onGrid: onGrid,
                stalling: stalling)
        }
    }
}

extension Stage {
    /// The longest time without an answer, in milliseconds; a stall that is waited for takes seconds.
    private static let longestAnswer = 250.0
    /// The usual time: half a frame at 60 Hz.
    private static let usualAnswer = 8.0
    /// An answer takes the viewer and this process two waits for a processor each, at most.
    private static let waits = 4.0

    /// Pings the viewer 100 times a second for some time, and expects an answer each time.
    func expectAnswers(
        seconds: Double, sourceLocation: SourceLocation = #_sourceLocation,
        during action: () -> Void = {}
    ) {
        let end = compositor.now.advanced(byMilliseconds: seconds * 1000)
        let answers = answers {
            action()
            compositor.run(seconds: max(end.seconds(since: compositor.now), 0))
        }
        let times = answers.times.sorted()
        let isComplete = compositor.openPings.isEmpty && !times.isEmpty
        #expect(isComplete, "\(compositor.openPings.count) pings", sourceLocation: sourceLocation)
        guard isComplete else { return }
        FaultRecord(
            table: .stalls, fault: Test.current?.name ?? "", answers: answers, seen: messageShown
        ).write()
        // A busy or slow machine lets every process wait.
        let waits = answers.waits.sorted()
        #expect(
            times[times.count / 2] < Self.usualAnswer + Self.waits * waits[waits.count / 2],
            sourceLocation: sourceLocation)
        #expect(
            times[times.count - 1] < Self.longestAnswer + Self.waits * waits[waits.count - 1],
            sourceLocation: sourceLocation)
    }

    /// Waits until the window has appeared, perhaps without a picture.
    func untilOpen(sourceLocation: SourceLocation = #_sourceLocation) {
        let isOpen = compositor.run(seconds: 3) { compositor.surface?.isMapped == true }
        #expect(isOpen, "\(errors)", sourceLocation: sourceLocation)
    }

    /// Waits until operations stall.
    func untilStalled(
        _ operation: Operation, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let files = try files
        let isStalled = compositor.run(seconds: 5) { files.waiting(operation) > 0 }
        #expect(isStalled, sourceLocation: sourceLocation)
    }

    /// Presses keys without waiting for rest, since something may move as long as a file stalls.
    func type(_ keys: String...) {
        var hand = Hand()
        for key in keys {
            hand.key(key)
            hand.rest(100)
        }
        compositor.play(hand.finishScript())
    }

    /// Moves a finger to and fro for a second, and expects that frames follow.
    ///
    /// A viewer that waits for a file paints none. The number of frames depends on the machine.
    func expectMotion(sourceLocation: SourceLocation = #_sourceLocation) {
        let count = painted.count
        var hand = Hand()
        hand.touch([1: (320, 200)])
        for _ in 0..<2 {
            hand.move([1: (420, 200)], in: 250)
            hand.move([1: (320, 200)], in: 250)
        }
        // A finger that lifts in motion would turn the page.
        hand.rest(200)
        hand.lift(1)
        compositor.play(hand.finishScript())
        #expect(painted.count > count + 5, sourceLocation: sourceLocation)
    }

    /// Waits for the picture of that number, which has that width.
    func untilShows(
        _ index: Int, width: Double, seconds: Double = 10,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isShown = compositor.run(seconds: seconds) {
            guard let last = trace.last else { return false }
            return last.index == index && last.numbers("image").first == width
                && last.text("message") == nil
        }
        #expect(isShown, "\(trace.last?.line ?? "")", sourceLocation: sourceLocation)
    }

    /// Expects that a key ends the program, although a file stalls, and that the file leaves no process
    /// behind after the release.
    func expectQuickEnd(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let children = try program.children
        let start = compositor.now
        type("q")
        // Half a second and, because the machine may be busy, as much again.
        let hasEnded = compositor.run(seconds: 1) { exitCode != nil }
        #expect(
            hasEnded, "\(compositor.now.seconds(since: start)) s", sourceLocation: sourceLocation)
        #expect([0, 1].contains(exitCode), sourceLocation: sourceLocation)
        try files.release()
        let haveEnded = compositor.run(seconds: 5) {
            children.allSatisfy { kill($0, 0) != 0 }
        }
        #expect(haveEnded, sourceLocation: sourceLocation)
    }

    /// Expects that no process has ended without being collected.
    func expectNoZombies(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let program = try program
        let isSo = compositor.run(seconds: 3) {
            program.children.allSatisfy {
                TestFile.text("/proc/\($0)/stat")?.contains(") Z ") != true
            }
        }
        #expect(isSo, sourceLocation: sourceLocation)
    }
}

extension LiveTests.StallTests {
    // MARK: The start

    @Test(arguments: opening)
    func theFirstPictureStalls(_ operation: Operation) throws {
        let stage = try Self.stage { $0.stall(operation, of: "card.png") }
        stage.untilOpen()
        try stage.untilStalled(operation)
        stage.expectAnswers(seconds: 1)
        // The flush of a descriptor that was read does not delay the picture.
        if operation != .flush {
            let isTold = stage.compositor.run(seconds: 4) {
                stage.trace.last?.text("message") ?? stage.trace.last?.text("toast") != nil
            }
            #expect(isTold, "\(stage.trace.last?.line ?? "")")
            stage.expectAnswers(seconds: 0.3)
        }
        // The other picture is shown; it comes first as long as the stalled one is not known.
        let isKnown = operation != .lookup && operation != .getattr
        stage.expectAnswers(seconds: 1) {
            if isKnown { stage.type("Right") }
            stage.untilShows(isKnown ? 1 : 0, width: 1600)
            if isKnown { stage.type("Left") }
        }
        try stage.files.release()
        if !isKnown {
            stage.untilShows(1, width: 1600)
            stage.type("Left")
        }
        stage.untilShows(0, width: 320)
        try stage.expectNoZombies()
        try stage.expectGoodEnd()
    }

    @Test(arguments: opening)
    func theEndWaitsForNoFile(_ operation: Operation) throws {
        let stage = try Self.stage { $0.stall(operation) }
        stage.untilOpen()
        try stage.untilStalled(operation)
        try stage.expectQuickEnd()
    }

    @Test(arguments: [Operation.lookup, .opendir, .readdir, .getattr])
    func theFolderStalls(_ operation: Operation) throws {
        let pictures = (0..<3).map { LiveTests.GridTests.picture($0) }
        let stage = try Self.stage(pictures: pictures, onGrid: true) { $0.stall(operation) }
        stage.untilOpen()
        try stage.untilStalled(operation)
        stage.expectAnswers(seconds: 1)
        // A list of names looks up none of them: with this operation only the thumbnails stall.
        if operation != .lookup {
            let isTold = stage.compositor.run(seconds: 4) {
                stage.trace.last?.text("toast") != nil
            }
            #expect(isTold, "\(stage.trace.last?.line ?? "")")
            stage.expectAnswers(seconds: 0.3)
        }
        try stage.files.release()
        #expect(
            stage.compositor.run {
                (0..<3).allSatisfy { stage.number(at: 62 + $0 * 129, 62) == $0 }
            })
        try stage.expectGoodEnd()
    }

    @Test(arguments: [Operation.lookup, .opendir, .readdir, .getattr])
    func theEndWaitsForNoFolder(_ operation: Operation) throws {
        let stage = try Self.stage(onGrid: true) { $0.stall(operation) }
        stage.untilOpen()
        try stage.untilStalled(operation)
        try stage.expectQuickEnd()
    }

    // MARK: Later

    @Test(arguments: opening)
    func aPageStalls(_ operation: Operation) throws {
        let stage = try Self.stage(
            pictures: Array(repeating: Stage.small, count: 4) + [Stage.large])
        try stage.untilShown()
        // Neighbours are decoded ahead, so that the one after them stalls.
        try stage.files.stall(operation, of: "card-4.png")
        stage.type("Right", "Right", "Right")
        try stage.untilStalled(operation)
        stage.expectAnswers(seconds: 2.5) { stage.expectMotion() }
        stage.type("Right")
        stage.untilShows(4, width: 1600)
        stage.type("Left")
        try stage.files.release()
        stage.untilShows(3, width: 320)
        try stage.expectGoodEnd()
    }

    @Test(arguments: opening)
    func aCellStalls(_ operation: Operation) throws {
        let pictures = (0..<10).map { LiveTests.GridTests.picture($0) }
        let stage = try Self.stage(pictures: pictures, onGrid: true) {
            $0.stall(operation, of: "03.png")
        }
        stage.untilOpen()
        try stage.untilStalled(operation)
        stage.expectAnswers(seconds: 1) { stage.expectMotion() }
        let row = [0, 1, 2, 4]
        #expect(
            stage.compositor.run { row.allSatisfy { stage.number(at: 62 + $0 * 129, 62) == $0 } })
        try stage.files.release()
        #expect(stage.compositor.run { stage.number(at: 62 + 3 * 129, 62) == 3 })
        try stage.expectNoZombies()
        try stage.expectGoodEnd()
    }

    /// All threads for thumbnails wait; pictures are shown nevertheless.
    @Test func everyCellStalls() throws {
        let pictures = (0..<10).map { LiveTests.GridTests.picture($0) }
        let stage = try Self.stage(pictures: pictures, onGrid: true) {
            for number in 0..<9 { $0.stall(.read, of: "0\(number).png") }
        }
        stage.untilOpen()
        try stage.untilStalled(.read)
        stage.expectAnswers(seconds: 1)
        // The last cell of the second row, which does not stall.
        stage.compositor.play(Self.tap(578, 190))
        stage.untilShows(9, width: 180)
        try stage.expectQuickEnd()
    }

    private static func tap(_ x: Double, _ y: Double) -> GestureScript {
        var hand = Hand()
        hand.tap(x, y)
        hand.rest(400)
        return hand.finishScript()
    }

    /// The chrome appears with the filmstrip, whose cells stall.
    @Test(arguments: [Operation.lookup, .open, .read])
    func theFilmstripStalls(_ operation: Operation) throws {
        let stage = try Self.stage(pictures: Array(repeating: Stage.small, count: 8), height: 480)
        try stage.untilShown()
        for number in 4...8 { try stage.files.stall(operation, of: "card-\(number).png") }
        stage.compositor.play(Self.tap(320, 240))
        try stage.untilStalled(operation)
        stage.expectAnswers(seconds: 1) {
            let count = stage.painted.count
            stage.type("Right", "Left", "Right")
            #expect(stage.painted.count > count + 5)
        }
        try stage.expectQuickEnd()
    }

    @Test(arguments: opening)
    func theInformationPanelStalls(_ operation: Operation) throws {
        let stage = try Self.stage()
        try stage.untilShown()
        try stage.files.stall(operation, of: "card.png")
        stage.type("i")
        try stage.untilStalled(operation)
        stage.expectAnswers(seconds: 1) { stage.expectMotion() }
        stage.type("i", "Right")
        stage.untilShows(1, width: 1600)
        try stage.files.release()
        try stage.expectGoodEnd()
    }

    // MARK: Decoders that cannot end

    /// The page turn kills the decoder, which cannot end before the release.
    @Test func aDecoderThatCannotBeKilledIsNotWaitedFor() throws {
        let stage = try Self.stage { $0.stall(.read, of: "card.png") }
        stage.untilOpen()
        try stage.untilStalled(.read)
        stage.expectAnswers(seconds: 12.5)
        stage.type("Right")
        stage.untilShows(1, width: 1600)
        try stage.files.release()
        try stage.expectNoZombies()
        // The picture may have been given up with a message.
        #expect(try stage.close() == 0)
    }

    /// The process that opens files may be killed when memory runs out.
    @Test func picturesAreOpenedWithoutTheFileServer() throws {
        let stage = try Self.stage(pictures: [Stage.small, Stage.small, Stage.small, Stage.large])
        try stage.untilShown()
        let server = try #require(
            stage.program.children.first {
                TestFile.text("/proc/\($0)/comm") == "vitrine-files\n"
            })
        kill(server, SIGKILL)
        stage.type("Right", "Right", "Right")
        stage.untilShows(3, width: 1600)
        try stage.expectNoZombies()
        try stage.expectGoodEnd()
    }

    @Test func theEndDoesNotWaitForADecoderThatCannotBeKilled() throws {
        let stage = try Self.stage { $0.stall(.read) }
        stage.untilOpen()
        try stage.untilStalled(.read)
        stage.compositor.run(seconds: 11)
        try stage.expectQuickEnd()
    }

    // MARK: The cache folder

    /// A picture that is too large for memory waits for a file in the cache folder; nothing else does.
    @Test func theFileOfAPictureBeyondTheBudgetStalls() throws {
        let size = PixelSize(width: 6000, height: 6000)
        let huge = TestPicture.png(
            [UInt8](repeating: 255, count: size.width * size.height / 8), size, colorType: 0,
            bitDepth: 1)
        let home = TemporaryFolder()
        for name in ["cache", "source", "source/inside"] { home.folder(name) }
        let mount = try StallingFileSystem(of: home / "source", at: home / "cache")
        defer { mount.release() }
        let stage = try Stage.shown(
            in: .program, options: ["--set", "decode.memory=128"],
            pictures: [Stage.small, huge, Stage.large],
            environment: ["XDG_CACHE_HOME=\(home / "cache/inside")"])
        mount.stall(.lookup, of: "inside")
        stage.type("Right")
        let isStalled = stage.compositor.run(seconds: 10) { mount.waiting(.lookup) > 0 }
        #expect(isStalled)
        stage.expectAnswers(seconds: 1) { stage.expectMotion() }
        stage.type("End")
        stage.untilShows(2, width: 1600)
        stage.type("Left")
        mount.release()
        // 144 MB go through the mounted view, a page at a time.
        stage.untilShows(1, width: 6000, seconds: 60)
        #expect(try stage.close() == 0)
    }

    /// Thumbnails are made without the cache of the desktop while its folder does not answer.
    @Test func theCacheOfThumbnailsStalls() throws {
        let folder = TemporaryFolder()
        for name in ["cache", "source", "source/thumbnails", "album"] { folder.folder(name) }
        for number in 0..<5 {
            let path = folder.file("album/\(number).png", LiveTests.GridTests.picture(number))
            // The thumbnail of a new file is not looked for.
            _ = ChildProcess.run(["/usr/bin/touch", "-d", "2020-01-01", path])
        }
        let mount = try StallingFileSystem(of: folder / "source", at: folder / "cache")
        defer { mount.release() }
        mount.stall(.lookup)
        let stage = try Stage(
            in: .program, options: [folder / "album"], pictures: [],
            environment: ["XDG_CACHE_HOME=\(folder / "cache")"])
        stage.untilOpen()
        stage.expectAnswers(seconds: 1)
        #expect(
            stage.compositor.run(seconds: 5) {
                (0..<5).allSatisfy { stage.number(at: 62 + $0 * 129, 62) == $0 }
            })
        #expect(mount.waiting(.lookup) > 0)
        mount.release()
        try stage.expectGoodEnd()
    }

    // MARK: The home folder

    /// Settings, state, fonts, keys and the lists of other programs lie in a home folder that does not
    /// answer; the pictures do not.
    @Test(arguments: [Operation.lookup, .getattr, .open, .opendir])
    func theHomeFolderStalls(_ operation: Operation) throws {
        let folder = TemporaryFolder()
        for name in ["home", "source", "source/inside", "source/inside/.config"] {
            folder.folder(name)
        }
        let mount = try StallingFileSystem(of: folder / "source", at: folder / "home")
        defer { mount.release() }
        mount.stall(operation)
        let home = folder / "home/inside"
        let stage = try Stage.shown(
            in: .program, pictures: [Stage.small, Stage.large, Stage.small],
            environment: [
                "HOME=\(home)", "XDG_CONFIG_HOME=\(home)/.config", "XDG_STATE_HOME=\(home)/state",
                "XDG_DATA_HOME=\(home)/data", "XDG_CACHE_HOME=\(home)/cache",
            ])
        stage.expectAnswers(seconds: 1) { stage.expectMotion() }
        // The touches may have turned a page.
        stage.type("Home", "Right")
        stage.untilShows(1, width: 1600)
        // Texts, first in plain letters.
        stage.type("i")
        stage.expectAnswers(seconds: 1)
        stage.type("i", "Right")
        stage.untilShows(2, width: 320)
        stage.type("q")
        // The kernel keeps the process until the calls return, but the window is gone.
        #expect(stage.compositor.run(seconds: 1) { stage.compositor.window?.isOpen != true })
        mount.release()
        #expect(stage.compositor.run(seconds: 4) { stage.exitCode == 0 })
    }

    // MARK: The folder of the state

    /// Pictures do not wait for the place of a slideshow, which goes on there after the release.
    ///
    /// The viewer ends although the folder stalls.
    @Test(arguments: [Operation.lookup, .open, .read])
    func whatIsRememberedStalls(_ operation: Operation) throws {
        let home = TemporaryFolder()
        for name in ["state", "source", "album"] { home.folder(name) }
        for number in 0..<5 { _ = home.file("album/\(number).png", Stage.small) }
        func stage(interval: String, state: String) throws -> Stage {
            try Stage.shown(
                in: .program,
                options: [
                    "--slideshow", interval, "--set", "slideshow.transition=cut", home / "album",
                ], pictures: [], environment: ["XDG_STATE_HOME=\(home / state)"])
        }
        let first = try stage(interval: "1", state: "source")
        #expect(first.compositor.run(seconds: 20) { first.trace.last?.index == 2 })
        #expect(try first.close() == 0)
        let mount = try StallingFileSystem(of: home / "source", at: home / "state")
        defer { mount.release() }
        mount.stall(operation)
        let stage = try stage(interval: "60", state: "state")
        #expect(stage.trace.last?.index == 0)
        stage.expectAnswers(seconds: 1)
        mount.release()
        #expect(stage.compositor.run(seconds: 5) { stage.trace.last?.index == 2 })
        mount.stall(operation)
        stage.type("q")
        // The kernel keeps the process until the call returns, but the window is gone.
        #expect(stage.compositor.run(seconds: 1) { stage.compositor.window?.isOpen != true })
        mount.release()
        #expect(stage.compositor.run(seconds: 4) { stage.exitCode == 0 })
    }

    /// A kiosk shows its pictures on a new output at once, although the folder of its state stalls.
    @Test func whatAKioskRemembersStalls() throws {
        let home = TemporaryFolder()
        for name in ["state", "source"] { home.folder(name) }
        let mount = try StallingFileSystem(of: home / "source", at: home / "state")
        defer { mount.release() }
        mount.stall(.lookup)
        let stage = try Stage.shown(
            in: .program,
            options: ["--kiosk", "--set", "kiosk.allow=quit", "--slideshow", "60"],
            pictures: [Stage.small],
            environment: ["XDG_STATE_HOME=\(home / "state")"])
        stage.expectAnswers(seconds: 1) { _ = try? stage.compositor.addOutput("TEST-2") }
        let windows = stage.compositor.windows.filter(\.surface.isMapped)
        #expect(windows.count == 2)
        mount.release()
        stage.type("q")
        #expect(stage.untilEnded() == 0)
    }

    // MARK: Folders of other computers

    private static let quickLooks = ["--set", "collection.remote_interval=1"]

    /// A picture appears while it is being copied, and is listed when it is complete.
    @Test func aPictureThatIsCopiedToANetworkFolderAppearsWhole() throws {
        let stage = try Self.stage(
            pictures: [LiveTests.GridTests.picture(0)], onGrid: true, options: Self.quickLooks)
        stage.untilOpen()
        #expect(stage.compositor.run { stage.number(at: 62, 62) == 0 })
        let bytes = LiveTests.GridTests.picture(1)
        let copy = stage.folder / "source/album/01.png"
        for part in 1...4 {
            TestFile.write(Array(bytes.prefix(bytes.count * part / 5)), to: copy)
            stage.compositor.run(seconds: 0.8)
            #expect(stage.trace.last?.line.contains("\"count\":1,") == true)
        }
        TestFile.write(bytes, to: copy)
        #expect(stage.compositor.run { stage.number(at: 62 + 129, 62) == 1 })
        unlink(copy)
        #expect(
            stage.compositor.run { stage.trace.last?.line.contains("\"count\":1,") == true })
        try stage.expectGoodEnd()
    }

    /// Neither the names nor the time of the folder change.
    @Test func aPictureThatIsOverwrittenOnANetworkFolderIsShown() throws {
        let stage = try Self.stage(options: Self.quickLooks)
        stage.untilShows(0, width: 320)
        TestFile.write(Stage.large, to: stage.folder / "source/album/card.png")
        stage.untilShows(0, width: 1600)
        // So is the next one, before a person comes to it.
        TestFile.write(Stage.small, to: stage.folder / "source/album/card-2.png")
        stage.compositor.run(seconds: 3)
        stage.type("Right")
        stage.untilShows(1, width: 320)
        try stage.expectGoodEnd()
    }

    /// A share that answers no question for names for a while has not lost its pictures.
    @Test func anErrorOfANetworkFolderLosesNoPictures() throws {
        let stage = try Self.stage(
            pictures: [LiveTests.GridTests.picture(0)], onGrid: true, options: Self.quickLooks)
        stage.untilOpen()
        #expect(stage.compositor.run { stage.number(at: 62, 62) == 0 })
        let files = try stage.files
        files.fail(.readdir, with: EIO)
        let before = files.received(.readdir)
        #expect(stage.compositor.run { files.received(.readdir) > before })
        stage.compositor.run(seconds: 3)
        #expect(stage.trace.last?.line.contains("\"count\":1,") == true)
        #expect(stage.number(at: 62, 62) == 0)
        files.release()
        TestFile.write(LiveTests.GridTests.picture(1), to: stage.folder / "source/album/01.png")
        #expect(stage.compositor.run { stage.number(at: 62 + 129, 62) == 1 })
        #expect(stage.errors.contains("album: cannot be opened: Input/output error"))
        #expect(try stage.close() == 0)
    }

    /// A picture of which a third has arrived is shown whole when the rest is there.
    @Test func aPictureThatArrivesInPartsIsShownWhole() throws {
        let picture = TestPicture.photograph(400, 300)
        let bytes = picture.png()
        let stage = try Self.stage(
            pictures: [Array(bytes.prefix(bytes.count / 3))], options: Self.quickLooks)
        stage.until { $0.numbers("image").first == 400 }
        stage.compositor.run(seconds: 3)
        #expect(!stage.showsLowerPart(of: picture))
        TestFile.write(bytes, to: stage.folder / "source/album/card.png")
        #expect(stage.compositor.run { stage.showsLowerPart(of: picture) })
        #expect(try stage.close() == 0)
    }
}

extension Stage {
    /// Whether the picture on the surface has the colors of these points below its middle.
    fileprivate func showsLowerPart(of picture: TestPicture) -> Bool {
        guard let frame = trace.last, let pixels = compositor.surface?.pixels else { return false }
        return [(20, 180), (200, 220), (380, 240)].allSatisfy { x, y in
            guard let place = frame.place(of: Point(x: Double(x), y: Double(y))) else {
                return false
            }
            let (seen, color) = (pixels.color(Int(place.x), Int(place.y)), picture.color(x, y))
            return abs(seen.r - color.r) < 8 && abs(seen.g - color.g) < 8
                && abs(seen.b - color.b) < 8
        }
    }
}
