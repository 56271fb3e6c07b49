import CompositorKit
import Geometry
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

extension LiveTests {
    /// The viewer with compositors that are slow, broken or gone.
    @Suite struct MisbehaviourTests {
        /// A pan of one second.
        private static let pan =
            "0 key 1\n0 key plus\n300 touch down 1 300 200\n300 touch frame\n"
            + (1...60).map { "\(300 + $0 * 16) touch move 1 \(300 + $0) 200\n" }.joined()
            + "1300 touch up 1\n1300 touch frame\n"

        @Test(arguments: [Setup.Release.immediately, .atNextCommit])
        func buffersAreReusedAndNeverPaintedIntoWhileHeld(_ release: Setup.Release) throws {
            var setup = Setup()
            setup.release = release
            let stage = try Stage.shown(setup)
            try stage.play(Self.pan)
            let surface = try stage.surface
            #expect(surface.commits.count > 20)
            #expect(surface.committedBufferIDs.count <= (release == .immediately ? 1 : 3))
            try stage.expectGoodEnd()
        }

        /// The program after a pan, with a compositor that holds all three frames.
        private static func stageThatHoldsFrames(_ options: [String] = []) throws -> Stage {
            var setup = Setup()
            setup.release = .never
            let stage = try Stage.shown(setup, in: .program, options: options)
            try stage.compositor.play(pan)
            #expect(try stage.surface.heldBufferCount == 3)
            return stage
        }

        @Test func withoutReleasesTheViewerWaitsAndThenGoesOn() throws {
            let stage = try Self.stageThatHoldsFrames()
            let surface = try stage.surface
            let before = (try stage.program.processorTime, try stage.program.wakeUps)
            stage.compositor.ping()
            stage.compositor.run(seconds: 1)
            #expect(stage.compositor.openPings.isEmpty)
            #expect(try stage.program.processorTime - before.0 < 0.1)
            #expect(try stage.program.wakeUps - before.1 < 10)
            let commits = surface.commits.count
            surface.checkHeld()
            stage.compositor.setup.release = .atNextCommit
            surface.releaseAll()
            #expect(stage.compositor.run { surface.commits.count > commits && stage.isAtRest })
            try stage.expectGoodEnd()
        }

        /// How many frames of the program have memory; one has 1000 KiB.
        private static func residentFrames(_ stage: Stage) throws -> Int {
            try stage.program.residentSizes(of: "vitrine-frames").count { $0 >= 1000 }
        }

        /// A program whose motion has used three frames, as with a compositor that holds two.
        private static func stageWithThreeFrames(_ options: [String] = []) throws -> Stage {
            let stage = try stageThatHoldsFrames(options)
            stage.compositor.setup.release = .atNextCommit
            try stage.surface.releaseAll()
            try stage.compositor.play(pan)
            #expect(try residentFrames(stage) == 3)
            return stage
        }

        @Test func theMemoryOfTheThirdFrameIsGivenBackAtRest() throws {
            let stage = try Self.stageWithThreeFrames()
            stage.compositor.run(seconds: 3)
            #expect(try Self.residentFrames(stage) == 2)
            #expect(try stage.comesToRest())
            // A finger that does not move yet: the memory for the motion is prepared, and given back.
            try stage.compositor.play("0 touch down 1 300 200\n0 touch frame\n500 end")
            #expect(try Self.residentFrames(stage) == 3)
            stage.compositor.run(seconds: 3)
            #expect(try Self.residentFrames(stage) == 2)
            try stage.compositor.play("0 touch up 1\n0 touch frame\n500 end")
            try stage.expectGoodEnd()
        }

        /// The next transition needs the memory.
        @Test func aSlideshowKeepsTheMemoryOfTheThirdFrame() throws {
            let stage = try Self.stageWithThreeFrames(["--slideshow", "60"])
            stage.compositor.run(seconds: 3)
            #expect(try Self.residentFrames(stage) == 3)
            try stage.expectGoodEnd()
        }

        @Test func withoutFrameCallbacksTheViewerWaits() throws {
            var setup = Setup()
            setup.frames = .never
            let stage = try Stage.shown(setup, in: .program)
            let surface = try stage.surface
            let commits = surface.commits.count
            try stage.compositor.play(Self.pan)
            let (before, wakeUps) = (try stage.program.processorTime, try stage.program.wakeUps)
            stage.compositor.ping()
            stage.compositor.run(seconds: 1)
            #expect(try stage.program.wakeUps - wakeUps < 10)
            #expect(surface.commits.count == commits)
            #expect(stage.compositor.openPings.isEmpty)
            #expect(try stage.program.processorTime - before < 0.1)
            // Changes in the meantime are shown at once.
            stage.compositor.setup.frames = .paced(hertz: 60)
            surface.finishFrame()
            #expect(stage.compositor.run { surface.commits.count > commits && stage.isAtRest })
            try stage.expectGoodEnd()
        }

        @Test func aHiddenAnimationPauses() throws {
            let frames = (0..<20).map { number in
                TestAnimation.Frame((UInt8(number * 12), 0, 0, 255), 64, 48, duration: 40)
            }
            let stage = try Stage(in: .program, pictures: [TestAnimation.apng(frames)])
            #expect(stage.compositor.run { stage.compositor.surface?.commits.count ?? 0 > 10 })
            stage.compositor.setup.frames = .never
            let surface = try stage.surface
            stage.compositor.run(seconds: 0.5)
            let (commits, wakeUps) = (surface.commits.count, try stage.program.wakeUps)
            let memory = try stage.program.residentBytes
            stage.compositor.run(seconds: 2)
            #expect(surface.commits.count == commits)
            #expect(try stage.program.wakeUps - wakeUps < 10)
            #expect(try stage.program.residentBytes < memory + 8 << 20)
            // Once it is shown again, it goes on at once.
            stage.compositor.setup.frames = .paced(hertz: 60)
            surface.finishFrame()
            #expect(stage.compositor.run(seconds: 5) { surface.commits.count > commits + 5 })
            #expect(try stage.close() == 0)
            #expect(stage.compositor.violations == [])
        }

        @Test(arguments: [Setup.Frames.never, .paced(hertz: 60)])
        func itEndsWhenAskedToWhileItWaits(_ frames: Setup.Frames) throws {
            var setup = Setup()
            setup.frames = frames
            setup.release = .never
            let stage = try Stage.shown(setup, in: .program)
            try stage.compositor.play(Self.pan)
            try stage.program.terminate()
            #expect(stage.untilEnded() == 0)
            #expect(stage.compositor.violations == [])
        }

        @Test func aLostCompositorEndsTheProgramWithItsCode() throws {
            let stage = try Stage.shown(in: .program)
            stage.compositor.disconnect()
            #expect(stage.untilEnded() == 3)
            #expect(stage.errors == "vitrine: the compositor went away\n")
        }

        @Test func aCompositorLostInAGestureEndsTheProgramToo() throws {
            let stage = try Stage.shown()
            try stage.compositor.play(
                "0 touch down 1 100 100\n0 touch frame\n16 touch move 1 150 100\n16 touch frame")
            stage.compositor.disconnect()
            #expect(stage.untilEnded() == 3)
        }

        @Test func aProtocolErrorEndsTheProgramWithItsCode() throws {
            let stage = try Stage.shown(in: .program)
            try stage.surface.resource.postError(1, "a test's own error")
            #expect(stage.untilEnded() == 3)
            #expect(stage.errors.contains("wl_surface"))
            #expect(stage.errors.split(separator: "\n").count == 1)
        }

        @Test func pingsAreAnswered() throws {
            let stage = try Stage.shown()
            for _ in 0..<20 { stage.compositor.ping() }
            #expect(stage.compositor.run(seconds: 1) { stage.compositor.openPings.isEmpty })
            try stage.expectGoodEnd()
        }

        @Test func theViewerWaitsForALateConfigure() throws {
            var setup = Setup()
            setup.configuresByItself = false
            let stage = try Stage(setup)
            #expect(stage.compositor.run { stage.compositor.window?.toplevel != nil })
            stage.compositor.run(seconds: 0.5)
            #expect(stage.exitCode == nil)
            #expect(try stage.surface.commits.isEmpty)
            try stage.window.configure(Size(width: 300, height: 200))
            try stage.untilShown()
            try stage.expectGoodEnd()
        }
    }
}
