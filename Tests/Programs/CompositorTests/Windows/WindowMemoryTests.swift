import CompositorKit
import Geometry
import Glibc
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

extension LiveTests {
    /// What a window remembers, and what its program hands to the compositor at the start.
    @Suite struct WindowMemoryTests {
        private let folder = TemporaryFolder()
        private var path: String { folder / "state/window" }

        /// A compositor that leaves the size to the window.
        private var open: Setup {
            var setup = Setup()
            setup.windowSize = nil
            return setup
        }

        private func stage() throws -> Stage {
            try Stage.shown(open, stateFolder: folder / "state")
        }

        private func size(_ stage: Stage) throws -> Size? {
            try stage.surface.commits.last?.logicalSize
        }

        private func configure(
            _ stage: Stage, _ size: Size, _ states: Set<XdgToplevel.State> = []
        ) throws {
            try stage.window.configure(size, states: states)
            stage.compositor.run { stage.compositor.window?.isUpToDate == true }
            stage.untilSeen()
        }

        @Test func theFloatingSizeIsRemembered() throws {
            let first = try stage()
            try configure(first, Size(width: 700, height: 500))
            // Sizes that the compositor imposes are not those of the floating window.
            try configure(first, Size(width: 640, height: 800), [.tiledLeft])
            try configure(first, Size(width: 1280, height: 800), [.fullscreen])
            try first.expectGoodEnd()
            #expect(TestFile.text(path) == "size 700x500\nmaximized no\n")
            let second = try stage()
            #expect(try size(second) == Size(width: 700, height: 500))
            try second.expectGoodEnd()
        }

        /// The test waits for the decoder, so that the header is always read before the window appears.
        @Test func theFirstWindowHasTheProportionsOfItsPicture() throws {
            func first(_ pictures: [[UInt8]], onGrid: Bool = false) throws -> Size? {
                let stage = try Stage.shown(
                    open, pictures: pictures, onGrid: onGrid, stateFolder: folder / "state")
                let sizes = Set(try stage.surface.commits.map(\.logicalSize))
                #expect(sizes.count == 1)
                let size = try size(stage)
                try stage.expectGoodEnd()
                return size
            }
            // The screen has 1280 × 800: four fifths are 1024 × 640.
            #expect(try first([Stage.large]) == Size(width: 1024, height: 640))
            let portrait = TestPicture.card(1000, 1600).png()
            #expect(try first([portrait]) == Size(width: 400, height: 640))
            // A small picture has a window in which there is room for more.
            #expect(try first([Stage.small]) == Size(width: 384, height: 240))
            #expect(try first([Stage.large, portrait]) == Size(width: 960, height: 640))
            #expect(try first([portrait], onGrid: true) == Size(width: 960, height: 640))
            // The size that nobody has changed is not remembered.
            #expect(TestFile.text(path) == nil)
        }

        @Test func maximisedIsRemembered() throws {
            let first = try stage()
            try configure(first, Size(width: 1280, height: 800), [.maximized])
            try configure(first, Size(width: 1280, height: 800), [.maximized, .fullscreen])
            try first.expectGoodEnd()
            #expect(TestFile.text(path) == "size 384x240\nmaximized yes\n")
            let second = try stage()
            #expect(try second.window.isMaximized)
            #expect(
                try second.surface.commits.map(\.logicalSize) == [Size(width: 1280, height: 800)])
            try second.expectGoodEnd()
            #expect(TestFile.text(path) == "size 384x240\nmaximized yes\n")
        }

        @Test func whatDidNotChangeIsNotWritten() throws {
            try stage().expectGoodEnd()
            #expect(TestFile.text(path) == nil)
            folder.folder("state")
            _ = folder.file("state/window", "size 700x500\nmaximized no\n")
            let before = fileNumber
            try stage().expectGoodEnd()
            #expect(fileNumber == before && before != nil)
        }

        /// The number of the file, which is another one after a replacement.
        private var fileNumber: UInt64? {
            var info = Glibc.stat()
            return stat(path, &info) == 0 ? UInt64(info.st_ino) : nil
        }

        /// The session of the first run brings the window of the second one back.
        @Test func thePlaceIsAskedForInLaterRuns() throws {
            let first = try stage()
            #expect(
                try first.window.session
                    == WindowInSession(
                        session: "session-of-the-test", name: "window", reason: .launch,
                        isRestored: false))
            try first.expectGoodEnd()
            #expect(TestFile.text(folder / "state/window-session") == "session-of-the-test\n")
            var setup = open
            setup.knownSessions = ["session-of-the-test"]
            let second = try Stage.shown(setup, stateFolder: folder / "state")
            #expect(try second.window.session?.isRestored == true)
            try second.expectGoodEnd()
        }

        /// A second viewer takes the session over; the window of the first one goes on.
        @Test func aSessionMayBeTakenAway() throws {
            let stage = try stage()
            for session in stage.compositor.sessions { session.replaced() }
            stage.compositor.run { stage.compositor.window?.session == nil }
            #expect(try stage.window.session == nil)
            try configure(stage, Size(width: 700, height: 500))
            try stage.expectGoodEnd()
        }

        @Test(arguments: ["--size=500x300", "--fullscreen"])
        func aWindowWithAPlaceByOptionsHasNoSession(_ option: String) throws {
            let stage = try Stage.shown(
                open, options: option.split(separator: "=").map(String.init),
                stateFolder: folder / "state")
            #expect(try stage.window.session == nil)
            try stage.expectGoodEnd()
            #expect(TestFile.text(folder / "state/window-session") == nil)
        }

        /// Contents that this program does not write, and identifiers that are not stored.
        @Test(arguments: [
            "", "\n", "a\nb\n", "no end\n\n", "\u{1B}[2J\n",
            String(repeating: "x", count: 600) + "\n",
        ])
        func aHostileSessionIsIgnored(_ text: String) throws {
            folder.folder("state")
            _ = folder.file("state/window-session", text)
            var setup = open
            setup.newSession = text
            setup.knownSessions = [text, String(text.dropLast())]
            let stage = try Stage.shown(setup, stateFolder: folder / "state")
            #expect(try stage.window.session?.isRestored == false)
            try stage.expectGoodEnd()
            #expect(TestFile.text(folder / "state/window-session") == text)
        }

        @Test(arguments: ["--size=500x300", "--fullscreen"])
        func optionsHavePriority(_ option: String) throws {
            folder.folder("state")
            let text = "size 700x500\nmaximized yes\n"
            _ = folder.file("state/window", text)
            let options = option.split(separator: "=").map(String.init)
            let stage = try Stage.shown(open, options: options, stateFolder: folder / "state")
            #expect(try !stage.window.isMaximized)
            #expect(
                try size(stage)
                    == (option == "--fullscreen"
                        ? Size(width: 1280, height: 800) : Size(width: 500, height: 300)))
            try configure(stage, Size(width: 444, height: 333))
            try stage.expectGoodEnd()
            #expect(TestFile.text(path) == text)
        }

        @Test(arguments: [
            "", "size 700x500", "size 700x500\nmaximized maybe\n", "size 0x0\nmaximized no\n",
            "size -700x500\nmaximized no\n", "size 700x500x2\nmaximized no\n",
            "size 99999999999999999999x5\nmaximized no\n", "size 20000x500\nmaximized no\n",
            "size nanxinf\nmaximized no\n", "maximized no\nsize 700x500\n", "\u{0}\n\u{0}\n",
            "size 700x500\nmaximized no\nmore\n", "size ٧٠٠x٥٠٠\nmaximized no\n",
        ])
        func aHostileFileIsIgnored(_ text: String) throws {
            folder.folder("state")
            _ = folder.file("state/window", text)
            let stage = try stage()
            #expect(try size(stage) == Size(width: 384, height: 240))
            try configure(stage, Size(width: 700, height: 500))
            try stage.expectGoodEnd()
            #expect(TestFile.text(path) == "size 700x500\nmaximized no\n")
        }

        /// A file of any length, a folder in its place, a folder that cannot be made.
        @Test func whatCannotBeReadOrWrittenIsLeftOut() throws {
            folder.folder("state")
            _ = folder.file(
                "state/window", String(repeating: "size 700x500\nmaximized no\n", count: 100_000))
            try stage().expectGoodEnd()
            for place in ["state/window/beneath", "state/window"] {
                let stage = try Stage.shown(open, stateFolder: folder / place)
                try configure(stage, Size(width: 700, height: 500))
                try stage.expectGoodEnd()
            }
        }

        // MARK: The program

        @Test func theProgramUsesTheFolderAndTheTokenOfItsEnvironment() throws {
            let environment = [
                "XDG_STATE_HOME=\(folder.path)", "XDG_ACTIVATION_TOKEN=a-token",
            ]
            let stage = try Stage.shown(open, in: .program, environment: environment)
            stage.compositor.run { !stage.compositor.activations.isEmpty }
            let activation = try #require(stage.compositor.activations.first)
            #expect(activation.token == "a-token" && activation.commits == 1)
            try configure(stage, Size(width: 700, height: 500))
            try stage.expectGoodEnd()
            #expect(
                TestFile.text(folder / "vitrine/window") == "size 700x500\nmaximized no\n")
        }
    }
}
