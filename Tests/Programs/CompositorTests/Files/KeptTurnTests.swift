import CompositorKit
import Glibc
import Input
import TestKit
import Testing

extension LiveTests {
    /// Turns that are kept in the file: as the picture is seen, and whichever way the program ends.
    @Suite struct KeptTurnTests {
        private let home = TemporaryFolder()

        private func stage() throws -> Stage {
            try Stage.shown(
                in: .program,
                environment: [
                    "HOME=" + home.path, "XDG_DATA_HOME=" + home / "data",
                    "XDG_STATE_HOME=" + home / "state", "XDG_CONFIG_HOME=" + home / "config",
                ])
        }

        /// The EXIF orientation of the file; 1 without one.
        private func orientation(_ stage: Stage) -> Int {
            let file = TestFile.read(stage.pictures[0]) ?? []
            // The chunk of a turned picture: a TIFF header and a directory of one entry.
            let tag = Array("eXIfMM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}".utf8)
            guard file.count > tag.count + 8 else { return 0 }
            let place = file.indices.dropLast(tag.count + 8).first {
                file[$0] == tag[0] && file[$0..<$0 + tag.count].elementsEqual(tag)
            }
            return place.map { Int(file[$0 + tag.count + 7]) } ?? 1
        }

        /// Twists the picture by a quarter turn, which is a matter of the view alone.
        private func twist(_ stage: Stage, degrees: Double = 90) {
            stage.play { hand in
                hand.touch([1: (260, 200), 2: (380, 200)])
                hand.turn(degrees: degrees, in: 500)
                hand.rest(200)
                hand.lift(1, 2)
                hand.rest(1000)
            }
        }

        /// Ways out of the program within a second of a turn.
        enum WayOut: CaseIterable {
            case key, message, closeRequest, signal, compositorGone

            func take(_ stage: Stage) throws {
                switch self {
                case .key: stage.type("Escape")
                case .message: _ = stage.message("quit")
                case .closeRequest: try stage.window.close()
                case .signal: kill(try stage.program.number, SIGTERM)
                case .compositorGone: stage.compositor.disconnect()
                }
            }
        }

        @Test(arguments: WayOut.allCases)
        func everyWayOutWaitsForTheFile(_ way: WayOut) throws {
            let stage = try stage()
            stage.type("r")
            stage.until { $0.number("rotation") == 90 }
            #expect(orientation(stage) == 1)
            try way.take(stage)
            #expect(stage.untilEnded() == (way == .compositorGone ? 3 : 0))
            #expect(orientation(stage) == 6)
        }

        /// A twist and a turn back: the picture is upright on the screen and in the file.
        @Test func aTurnKeepsWhatIsSeen() throws {
            let stage = try stage()
            twist(stage)
            stage.until { $0.number("rotation") == 90 }
            let before = TestFile.read(stage.pictures[0])
            stage.press("R")
            stage.until { $0.number("rotation") == 0 }
            stage.compositor.run(seconds: 2)
            #expect(TestFile.read(stage.pictures[0]) == before)
            // Seen turned to the left, and so in the file.
            stage.press("R")
            stage.compositor.run { orientation(stage) == 8 }
            stage.until { $0.numbers("image") == [200, 320] && $0.number("rotation") == 0 }
            try stage.expectGoodEnd()
        }

        /// A twist and a turn the same way: upside down on the screen and in the file.
        @Test func aTwistIsPartOfTheTurn() throws {
            let stage = try stage()
            twist(stage)
            stage.press("r")
            stage.compositor.run { orientation(stage) != 1 }
            #expect(orientation(stage) == 3)
            stage.until { $0.number("rotation") == 0 }
            #expect(try stage.last.numbers("image") == [320, 200])
            try stage.expectGoodEnd()
        }

        /// A flip is made in the picture as it is seen.
        @Test func aFlipKeepsTheTwist() throws {
            let stage = try stage()
            twist(stage)
            stage.press("h")
            stage.compositor.run { orientation(stage) != 1 }
            // Turned to the right, then mirrored from left to right: transposed.
            #expect(orientation(stage) == 5)
            stage.until { $0.numbers("image") == [200, 320] && $0.number("rotation") == 0 }
            try stage.expectGoodEnd()
        }
    }
}
