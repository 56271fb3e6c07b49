import CompositorKit
import Geometry
import Glibc
import Motion
import TestKit
import Testing
import WaylandServer

extension LiveTests {
    /// A compositor that goes away at any message of a conversation.
    @Suite struct DisconnectTests {
        /// How the connection ends before a message.
        enum Cut: CaseIterable {
            /// All earlier events arrive.
            case between
            /// The next event arrives in part.
            case within
            /// Earlier events of the same batch are lost.
            case abruptly
        }

        private static let gestures = """
            0 touch down 1 40 30
            0 touch frame
            16 touch move 1 60 30
            16 touch frame
            40 touch cancel
            60 pointer move 40 20
            80 pointer axis vertical 15 wheel 120
            120 key plus
            200 pinch begin 2
            220 pinch update 1 1 1.2 5
            240 pinch end
            260 end
            """
        private static let picture = TestPicture.card(32, 20).png()

        /// Starts the viewer, resizes it and makes some gestures; the connection ends at a message.
        ///
        /// Returns the number of messages.
        @discardableResult
        private static func converse(_ cut: Cut = .between, at place: Int = .max) throws -> Int {
            var setup = Setup()
            setup.windowSize = Size(width: 160, height: 100)
            setup.checksPixels = false
            let state = TemporaryFolder()
            var count = 0
            var isShown = false
            let watch = { (compositor: TestCompositor) in
                compositor.server.watchMessages { message in
                    count += 1
                    guard count == place else { return }
                    isShown = compositor.window?.surface.commits.count ?? 0 > 1
                    if cut != .abruptly { message.client.flush() }
                    message.client.cut(after: cut == .within ? [1, 0, 0, 0, 0, 0] : [])
                }
            }
            let stage: Stage
            do {
                stage = try Stage(
                    setup, pictures: [picture], stateFolder: state / "state", prepare: watch)
            } catch {
                // The connection ended before the viewer knew the globals.
                #expect(place < .max)
                return count
            }
            stage.compositor.run(seconds: 5) {
                stage.exitCode != nil || stage.compositor.surface?.isMapped == true
            }
            if stage.exitCode == nil {
                try stage.window.configure(Size(width: 180, height: 120))
                try stage.compositor.play(gestures)
            }
            stage.compositor.run(seconds: place == .max ? 0.1 : 2) { stage.exitCode != nil }
            guard place < .max else { return count }
            #expect(stage.exitCode == 3, "\(cut) at \(place)")
            if isShown {
                #expect(
                    TestFile.text(state / "state/window") == "size 180x120\nmaximized no\n",
                    "\(cut) at \(place)")
            }
            return count
        }

        /// The test takes every 7th message, and with `VITRINE_EVERY_MESSAGE=1` all.
        @Test(arguments: Cut.allCases)
        func theViewerEndsWhereverTheConnectionDoes(_ cut: Cut) throws {
            let count = try Self.converse()
            #expect(count > 150)
            let step = getenv("VITRINE_EVERY_MESSAGE") == nil ? 7 : 1
            for place in stride(from: 1, to: count - 20, by: step) {
                try Self.converse(cut, at: place)
            }
        }

        /// The line and the exit code of the program; the first messages announce the globals.
        @Test(arguments: [1, 2, 10, 30, 45, 60, 90])
        func theProgramSaysThatTheCompositorWentAway(_ place: Int) throws {
            var count = 0
            var cut: Moment?
            let stage = try Stage(
                in: .program,
                prepare: { compositor in
                    compositor.server.watchMessages { [unowned compositor] message in
                        count += 1
                        guard count == place else { return }
                        cut = compositor.now
                        message.client.cut()
                    }
                })
            stage.compositor.run(seconds: 5) {
                stage.exitCode != nil || stage.compositor.surface?.isMapped == true
            }
            if stage.exitCode == nil { try stage.compositor.play("0 key plus\n500 end") }
            #expect(stage.untilEnded() == 3)
            #expect(stage.errors == "vitrine: the compositor went away\n")
            let end = try stage.compositor.now.seconds(since: #require(cut))
            FaultRecord(
                table: .cuts, fault: "message \(place)",
                answers: Answers(times: [end * 1000], longestTurn: 0),
                seen: stage.errors
            ).write()
        }
    }
}
