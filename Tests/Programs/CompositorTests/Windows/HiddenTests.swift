import CompositorKit
import Geometry
import Glibc
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

extension LiveTests {
    /// A window that nobody sees: without screens, without frame callbacks, suspended.
    @Suite struct HiddenTests {
        private static let hour = 3600.0
        private static let animation = TestAnimation.apng(
            (0..<20).map { .init((UInt8($0 * 12), 0, 0, 255), 64, 48, duration: 40) })

        /// What goes on while the window is hidden.
        enum Activity: CaseIterable {
            case rest, animation, fling, heldKey, pings, resizes, pointer
        }

        private static func stage(_ activity: Activity) throws -> Stage {
            var setup = Setup()
            setup.checksPixels = false
            switch activity {
            case .animation:
                let stage = try Stage(setup, pictures: [animation])
                stage.compositor.run { stage.compositor.surface?.commits.count ?? 0 > 5 }
                return stage
            default: return try Stage.shown(setup, pictures: [Stage.large])
            }
        }

        /// Resident memory of this process, in bytes.
        private static var memory: Int {
            let pages = TestFile.text("/proc/self/statm")?.split(separator: " ").dropFirst().first
            return pages.flatMap { Int($0) }.map { $0 * 4096 } ?? 0
        }

        /// The instances of inotify of this process.
        private static var watchers: Int {
            (0..<1024).count { descriptor in
                var target = [CChar](repeating: 0, count: 64)
                let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
                return length > 0
                    && target.prefix(length).elementsEqual(
                        "anon_inode:inotify".utf8CString.dropLast())
            }
        }

        /// The system has 128 instances of inotify for all programs of a person.
        @Test func endedWindowsGiveBackTheirWatches() throws {
            let before = Self.watchers
            for _ in 0..<4 {
                let stage = try Stage.shown(pictures: [Stage.small])
                withExtendedLifetime(stage) { #expect(Self.watchers > before) }
            }
            // The threads that read folders end after their sessions.
            for _ in 0..<100 where Self.watchers > before { usleep(50_000) }
            #expect(Self.watchers == before)
        }

        @Test(arguments: Activity.allCases)
        func anHourHiddenCostsNothing(_ activity: Activity) throws {
            let stage = try Self.stage(activity)
            let surface = try stage.surface
            if activity == .fling {
                stage.play { $0.key("1") }
                try stage.compositor.play(
                    "0 touch down 1 300 200\n0 touch frame\n"
                        + (1...9).map { "\($0 * 8) touch move 1 \(300 + $0 * 20) 200\n" }.joined()
                        + "80 touch up 1\n80 touch frame")
            }
            stage.compositor.setup.frames = .never
            if activity == .heldKey {
                for keyboard in stage.compositor.seats[0].keyboards {
                    keyboard.repeatInfo(rate: 25, delay: 600)
                }
                try stage.compositor.play("0 key plus down\n20 end")
            }
            stage.compositor.run(seconds: 1)
            if activity == .animation { stage.untilDecoderRests() }
            let (commits, memory) = (surface.commits.count, Self.memory)
            var wakeUps = 0
            for second in 0..<60 {
                switch activity {
                case .pings: stage.compositor.ping()
                case .resizes:
                    try stage.window.configure(
                        Size(width: 400 + Double(second), height: 300), states: [.suspended])
                case .pointer: try stage.compositor.play("0 pointer move \(second * 9) 200")
                default: break
                }
                stage.compositor.server.pump()
                wakeUps += stage.time.sleep(seconds: Self.hour / 60)
                stage.compositor.server.pump()
            }
            // Each motion of the pointer is handled, and shows the bars again.
            #expect(wakeUps <= (activity == .pointer ? 120 : 2))
            #expect(surface.commits.count <= commits + 1)
            #expect(Self.memory < memory + 16 << 20)
            // The compositor is heard again, and the window shows its state.
            stage.compositor.setup.frames = .paced(hertz: 60)
            surface.finishFrame()
            let size = Size(width: 500, height: 300)
            try stage.window.configure(size)
            #expect(stage.compositor.run { surface.commits.last?.logicalSize == size })
            if activity == .animation {
                #expect(stage.compositor.run(seconds: 2) { surface.commits.count > commits + 6 })
            }
            stage.compositor.run(seconds: 0.5)
            #expect(try stage.close() == 0)
            #expect(stage.compositor.violations == [])
        }

        /// A desktop that goes to sleep removes its screens, and has others when it wakes up.
        @Test(arguments: [[], ["--fullscreen"]])
        func allScreensGoAndAnotherOneComes(_ options: [String]) throws {
            var setup = Setup(offer: .withoutViewporter.with("wl_compositor", version: 5))
            setup.checksPixels = false
            let stage = try Stage.shown(setup, options: options, pictures: [Stage.large])
            let (surface, old) = (try stage.surface, try #require(stage.compositor.outputs.first))
            surface.resource.enter(output: try #require(old.resources.first))
            stage.compositor.run(seconds: 0.1)
            surface.resource.leave(output: try #require(old.resources.first))
            old.remove()
            stage.compositor.setup.frames = .never
            stage.compositor.run(seconds: 0.1)
            #expect(stage.time.sleep(seconds: 60) <= 2)
            try stage.compositor.play("0 key 1\n400 end")
            stage.compositor.setup.outputScale = 2
            let new = try stage.compositor.addOutput()
            stage.compositor.setup.frames = .paced(hertz: 60)
            stage.compositor.run(seconds: 0.1)
            surface.resource.enter(output: try #require(new.resources.first))
            surface.finishFrame()
            let size = Size(width: 500, height: 300)
            try stage.window.configure(size)
            #expect(
                stage.compositor.run {
                    surface.commits.last?.size == PixelSize(width: 1000, height: 600)
                })
            #expect(surface.commits.last?.logicalSize == size)
            stage.press("0", "1")
            #expect(try abs(stage.last.zoom * 2 - 1) < 1e-6)
            #expect(try stage.close() == 0)
        }

        @Test func aSuspendedWindowRestsUntilItIsShown() throws {
            let stage = try Self.stage(.animation)
            let surface = try stage.surface
            try stage.window.configure(Size(width: 640, height: 400), states: [.suspended])
            stage.compositor.setup.frames = .never
            stage.compositor.run(seconds: 0.2)
            stage.untilDecoderRests()
            let commits = surface.commits.count
            #expect(stage.time.sleep(seconds: Self.hour) <= 2)
            try stage.window.configure(Size(width: 640, height: 400))
            stage.compositor.setup.frames = .paced(hertz: 60)
            surface.finishFrame()
            #expect(stage.compositor.run(seconds: 2) { surface.commits.count > commits + 5 })
            #expect(try stage.close() == 0)
            #expect(stage.compositor.violations == [])
        }
    }
}
