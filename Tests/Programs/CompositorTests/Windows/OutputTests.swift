import CompositorKit
import Geometry
import Input
import TestKit
import Testing
import WaylandServer

extension LiveTests {
    /// A kiosk on several outputs.
    @Suite struct OutputTests {
        private static let left = PixelSize(width: 800, height: 600)
        private static let right = PixelSize(width: 640, height: 480)

        /// A kiosk in the process of the test, on TEST-1 and further outputs, once all windows show
        /// something.
        private static func stage(
            _ setup: Setup = Setup(), in place: Stage.Place = .here, options: [String] = [],
            pictures: Int = 3, more: [PixelSize] = [right], windows: Int? = nil
        ) throws -> Stage {
            var setup = setup
            setup.outputSize = left
            let stage = try Stage(
                setup, in: place, options: ["--kiosk"] + options,
                pictures: (1...pictures).map { TestPicture.card(300 + 2 * $0, 200).png() },
                prepare: { compositor in
                    for size in more { _ = try? compositor.addOutput(size: size) }
                })
            settle(stage, windows ?? more.count + 1)
            return stage
        }

        private static func open(_ stage: Stage) -> [TestWindow] {
            stage.compositor.windows.filter(\.isOpen)
        }

        /// Waits until so many windows are shown and nothing is painted any more.
        private static func settle(
            _ stage: Stage, _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            var commits = -1
            var quiet = 0
            let isSettled = stage.compositor.run(seconds: 30) {
                let open = open(stage)
                let sum = open.reduce(0) { $0 + $1.surface.commits.count }
                let isQuiet =
                    open.count == count && sum == commits
                    && open.allSatisfy { $0.surface.isMapped && !$0.surface.awaitsFrame }
                quiet = isQuiet ? quiet + 1 : 0
                commits = sum
                return quiet > 60 || stage.exitCode != nil
            }
            #expect(
                isSettled && stage.exitCode == nil, "\(open(stage).count) \(stage.errors)",
                sourceLocation: sourceLocation)
        }

        private static func window(_ stage: Stage, _ output: Int) throws -> TestWindow {
            let output = stage.compositor.outputs[output]
            return try #require(stage.compositor.window(on: output))
        }

        /// The width of the picture on a window, which says which picture it is.
        ///
        /// Cards are shown 1:1 in the middle, on black.
        private static func shownWidth(_ window: TestWindow) throws -> Int {
            let pixels = try #require(window.surface.look())
            let row = pixels.size.height / 2
            let lit = (0..<pixels.size.width).filter { x in
                let color = pixels.color(x, row)
                return color.r + color.g + color.b > 30
            }
            return (lit.last ?? 0) - (lit.first ?? 0) + 1
        }

        private static func tap(_ stage: Stage, _ window: TestWindow, swipe: Bool) {
            var hand = Hand()
            let size = window.configures.last?.size ?? .zero
            let (x, y) = (size.width / 2, size.height / 2)
            hand.touch([1: (x + 100, y)])
            if swipe { hand.move([1: (x - 150, y)], in: 120) }
            hand.lift(1)
            stage.compositor.play(hand.finishScript(), on: window)
        }

        @Test func everyOutputHasAWindow() throws {
            let stage = try Self.stage()
            let (first, second) = (try Self.window(stage, 0), try Self.window(stage, 1))
            #expect(first.isFullscreen && second.isFullscreen)
            #expect(first.surface.commits.last?.size == Self.left)
            #expect(second.surface.commits.last?.size == Self.right)
            #expect(try Self.shownWidth(first) == 302)
            #expect(try Self.shownWidth(second) == 302)
            #expect(stage.compositor.idleInhibitors == 2)
            // A swipe on one does not turn the page of the other.
            let commits = first.surface.commits.count
            Self.tap(stage, second, swipe: true)
            Self.settle(stage, 2)
            #expect(try Self.shownWidth(second) == 304)
            #expect(try Self.shownWidth(first) == 302)
            #expect(first.surface.commits.count == commits)
            Self.tap(stage, first, swipe: true)
            Self.settle(stage, 2)
            #expect(try Self.shownWidth(first) == 304)
            #expect(stage.compositor.violations == [])
        }

        /// Two fingers of one seat, each on a screen of its own, are two gestures.
        @Test func fingersOnTwoOutputsAreNotAPinch() throws {
            let stage = try Self.stage()
            let (first, second) = (try Self.window(stage, 0), try Self.window(stage, 1))
            let seat = try #require(stage.compositor.seats.first)
            for (id, window) in [(1, first), (2, second)] {
                seat.send(
                    .touch(.down(id: id, at: Point(x: 400, y: 240))), to: window.surface)
                seat.send(.touch(.frame), to: window.surface)
            }
            for step in 1...12 {
                stage.compositor.run(seconds: 0.01)
                for (id, window) in [(1, first), (2, second)] {
                    let place = Point(x: 400 - Double(20 * step), y: 240)
                    seat.send(.touch(.move(id: id, to: place)), to: window.surface)
                    seat.send(.touch(.frame), to: window.surface)
                }
            }
            for (id, window) in [(1, first), (2, second)] {
                seat.send(.touch(.up(id: id)), to: window.surface)
                seat.send(.touch(.frame), to: window.surface)
            }
            Self.settle(stage, 2)
            #expect(try Self.shownWidth(first) == 304)
            #expect(try Self.shownWidth(second) == 304)
            #expect(stage.compositor.violations == [])
        }

        @Test func aPlaceComesBackWithItsOutput() throws {
            let stage = try Self.stage()
            Self.tap(stage, try Self.window(stage, 1), swipe: true)
            Self.settle(stage, 2)
            stage.compositor.outputs[1].remove()
            Self.settle(stage, 1)
            // A touch on the other one, and new outputs under another and under the same name.
            Self.tap(stage, try Self.window(stage, 0), swipe: true)
            Self.settle(stage, 1)
            _ = try stage.compositor.addOutput("TEST-9", size: Self.right)
            Self.settle(stage, 2)
            #expect(try Self.shownWidth(try Self.window(stage, 2)) == 302)
            _ = try stage.compositor.addOutput("TEST-2", size: Self.right)
            Self.settle(stage, 3)
            #expect(try Self.shownWidth(try Self.window(stage, 3)) == 304)
            #expect(try Self.shownWidth(try Self.window(stage, 0)) == 304)
            #expect(stage.compositor.violations == [])
        }

        @Test func allOutputsGoAndComeBack() throws {
            let stage = try Self.stage(options: ["--slideshow", "3600"])
            Self.tap(stage, try Self.window(stage, 0), swipe: true)
            Self.settle(stage, 2)
            for output in stage.compositor.outputs { output.remove() }
            stage.compositor.run(seconds: 10) { Self.open(stage).isEmpty }
            #expect(Self.open(stage).isEmpty && stage.exitCode == nil)
            stage.compositor.run(seconds: 600)
            for name in ["TEST-2", "TEST-1"] {
                try stage.compositor.addOutput(name, size: Self.left)
            }
            Self.settle(stage, 2)
            #expect(try Self.shownWidth(try Self.window(stage, 2)) == 302)
            #expect(try Self.shownWidth(try Self.window(stage, 3)) == 304)
            #expect(stage.compositor.violations == [])
        }

        /// A slideshow and touches on a screen of one pixel, which becomes one for people.
        @Test(arguments: [Stage.Place.here, .program])
        func aScreenOfOnePixelIsBorne(_ place: Stage.Place) throws {
            let pixel = PixelSize(width: 1, height: 1)
            let stage = try Self.stage(
                in: place, options: ["--slideshow", "3", "--set", "slideshow.transition=cut"],
                more: [pixel])
            let window = try Self.window(stage, 1)
            #expect(window.surface.commits.last?.size == pixel)
            Self.tap(stage, window, swipe: true)
            stage.compositor.run(seconds: 3)
            #expect(stage.exitCode == nil)
            stage.compositor.outputs[1].change(size: Self.right)
            window.followScreen()
            stage.compositor.run(seconds: 10) { window.surface.commits.last?.size == Self.right }
            #expect(window.surface.commits.last?.size == Self.right)
            #expect(stage.compositor.violations == [])
        }

        @Test func anOutputChangesItsMode() throws {
            let stage = try Self.stage()
            stage.compositor.outputs[1].change(size: PixelSize(width: 480, height: 640))
            try Self.window(stage, 1).followScreen()
            Self.settle(stage, 2)
            let second = try Self.window(stage, 1)
            #expect(second.surface.commits.last?.size == PixelSize(width: 480, height: 640))
            #expect(try Self.window(stage, 0).surface.commits.last?.size == Self.left)
        }

        @Test func namedOutputsOnly() throws {
            let stage = try Self.stage(
                options: ["--output", "TEST-3,TEST-2"], more: [Self.right, Self.left], windows: 2)
            #expect(stage.compositor.window(on: stage.compositor.outputs[0]) == nil)
            // The first named output has the first window, of which the trace tells.
            #expect(try stage.last.numbers("view") == [800, 600, 1])
        }

        /// Without version 4 of wl_output the names are those of make and model.
        @Test func makesAndModelsAreNames() throws {
            let stage = try Self.stage(
                Setup(offer: .everything.with("wl_output", version: 3)),
                options: ["--output", "Vitrine-Test-2"], windows: 1)
            #expect(stage.compositor.window(on: stage.compositor.outputs[1]) != nil)
            #expect(stage.compositor.violations == [])
        }

        @Test func aCompositorWithoutOutputsHasOneWindow() throws {
            let stage = try Self.stage(
                Setup(offer: .everything.without("wl_output")), more: [])
            #expect(Self.open(stage).count == 1)
            #expect(try stage.window.isFullscreen)
            // The window moves to the first output that comes.
            let output = try stage.compositor.addOutput(size: Self.right)
            Self.settle(stage, 1)
            #expect(stage.compositor.window(on: output) != nil)
        }

        @Test func eachOutputHasItsFolder() throws {
            let folder = TemporaryFolder()
            for (name, width) in [("left", 250), ("right", 260)] {
                folder.folder(name)
                TestFile.write(
                    TestPicture.card(width, 150).png(), to: folder / "\(name)/a.png")
            }
            let entries = "TEST-2 \(folder / "right"); TEST-1 \(folder / "left")"
            let stage = try Self.stage(options: ["--viewer", "--set", "kiosk.outputs=\(entries)"])
            #expect(try Self.shownWidth(try Self.window(stage, 0)) == 250)
            #expect(try Self.shownWidth(try Self.window(stage, 1)) == 260)
            #expect(stage.compositor.violations == [])
        }

        // MARK: Canvas

        /// The rectangle of the card on a window, in device pixels.
        private static func card(_ window: TestWindow) throws -> PixelRect {
            let pixels = try #require(window.surface.look())
            func isLit(_ x: Int, _ y: Int) -> Bool {
                let color = pixels.color(x, y)
                return color.r + color.g + color.b > 30
            }
            let columns = (0..<pixels.size.width).filter { x in
                (0..<pixels.size.height).contains { isLit(x, $0) }
            }
            let rows = (0..<pixels.size.height).filter { y in
                (0..<pixels.size.width).contains { isLit($0, y) }
            }
            let (left, top) = (columns.first ?? 0, rows.first ?? 0)
            return PixelRect(
                x: left, y: top, width: (columns.last ?? left - 1) - left + 1,
                height: (rows.last ?? top - 1) - top + 1)
        }

        /// 302 × 200 in the middle of 800 + 40 + 640 logical pixels; the last 62 are on the left.
        @Test func aPictureGoesAcrossTheFrame() throws {
            let stage = try Self.stage(
                options: ["--set", "kiosk.canvas=TEST-1 TEST-2 bezel 40"])
            let (first, second) = (try Self.window(stage, 0), try Self.window(stage, 1))
            let left = PixelRect(x: 589, y: 0, width: 211, height: 200)
            var (one, two) = (try Self.card(first), try Self.card(second))
            #expect(one.x == left.x && one.width == left.width && one.height == 200, "\(one)")
            #expect(two.x == 0 && two.width == 302 - 211 - 40 && two.y == one.y, "\(two)")
            // A swipe on one screen turns the page of both.
            Self.tap(stage, second, swipe: true)
            Self.settle(stage, 2)
            (one, two) = (try Self.card(first), try Self.card(second))
            #expect(one.x == 588 && two.width == 304 - 212 - 40, "\(one) \(two)")
            // The fingers of a pinch may be on two screens.
            let seat = try #require(stage.compositor.seats.first)
            for (id, window, x) in [(1, first, 700.0), (2, second, 60.0)] {
                let place = Point(x: x, y: 300)
                seat.send(.touch(.down(id: id, at: place)), to: window.surface)
            }
            seat.send(.touch(.frame), to: second.surface)
            for step in 1...20 {
                stage.compositor.run(seconds: 0.01)
                for (id, window, x) in [(1, first, 700.0), (2, second, 60.0)] {
                    let place = Point(x: x + Double(id == 1 ? -5 * step : 5 * step), y: 300)
                    seat.send(.touch(.move(id: id, to: place)), to: window.surface)
                }
                seat.send(.touch(.frame), to: second.surface)
            }
            stage.compositor.run(seconds: 0.3)
            for id in [1, 2] { seat.send(.touch(.up(id: id)), to: second.surface) }
            seat.send(.touch(.frame), to: second.surface)
            Self.settle(stage, 2)
            // The distance has doubled, without the slop; the picture comes to rest in the middle.
            (one, two) = (try Self.card(first), try Self.card(second))
            let width = Double(one.width + 40 + two.width)
            #expect((530...620).contains(width), "\(one) \(two)")
            #expect(abs(width / 304 - Double(one.height) / 200) < 0.02, "\(one) \(two)")
            #expect(abs(Double(one.x) + width / 2 - 740) <= 1, "\(one) \(two)")
            #expect(stage.compositor.violations == [])
        }

        /// Both windows show the same moments of a motion.
        @Test func aMotionIsTheSameOnBoth() throws {
            let stage = try Self.stage(
                options: ["--set", "kiosk.canvas=TEST-1 TEST-2"])
            let (first, second) = (try Self.window(stage, 0), try Self.window(stage, 1))
            let counts = (first.surface.commits.count, second.surface.commits.count)
            Self.tap(stage, first, swipe: true)
            Self.settle(stage, 2)
            let moments = [first, second].map { $0.surface.commits.map(\.moment) }
            let motion = (moments[0].dropFirst(counts.0), moments[1].dropFirst(counts.1))
            #expect(motion.0.count > 10 && Array(motion.0) == Array(motion.1))
        }

        @Test func eachPartHasItsScale() throws {
            var setup = Setup(offer: .everything.without("wp_fractional_scale_manager_v1"))
            setup.outputSize = Self.left
            let stage = try Stage(
                setup,
                options: ["--kiosk", "--set", "kiosk.canvas=TEST-1 TEST-2"],
                pictures: [TestPicture.card(300, 200).png()],
                prepare: { compositor in
                    _ = try? compositor.addOutput(
                        size: PixelSize(width: 1600, height: 1200), scale: 2)
                })
            Self.settle(stage, 2)
            let (one, two) = (
                try Self.card(try Self.window(stage, 0)), try Self.card(try Self.window(stage, 1))
            )
            // In the middle of 1600 logical pixels, each half at its own scale.
            #expect(one.x + one.width == 800 && two.x == 0, "\(one) \(two)")
            #expect(abs(two.width - 2 * one.width) <= 1, "\(one) \(two)")
            #expect(stage.compositor.violations == [])
        }

        @Test func aPartThatIsAwayKeepsItsPlace() throws {
            let stage = try Self.stage(
                options: ["--set", "kiosk.canvas=TEST-1 TEST-2 bezel 40"], more: [Self.left])
            let before = try Self.card(try Self.window(stage, 0))
            stage.compositor.outputs[1].remove()
            Self.settle(stage, 1)
            #expect(try Self.card(try Self.window(stage, 0)) == before)
            try stage.compositor.addOutput("TEST-2", size: Self.left)
            Self.settle(stage, 2)
            let after = (
                try Self.card(try Self.window(stage, 0)), try Self.card(try Self.window(stage, 2))
            )
            #expect(after.0 == before && after.1.width == before.width)
            #expect(stage.compositor.violations == [])
        }

        // MARK: Presence

        @Test func inputElsewhereKeepsAttractFromBeginning() throws {
            let stage = try Self.stage(
                options: ["--set", "kiosk.attract=20", "--set", "slideshow.interval=2"], more: [])
            let notification = try #require(stage.compositor.idleNotifications.first)
            stage.compositor.run(seconds: 10)
            notification.resumed()
            stage.compositor.run(seconds: 30)
            #expect(try !stage.last.line.contains("\"slideshow\":{\"on\":true"))
            notification.idled()
            stage.compositor.run(seconds: 17)
            #expect(try !stage.last.line.contains("\"slideshow\":{\"on\":true"))
            stage.compositor.run(seconds: 10)
            #expect(try stage.last.line.contains("\"slideshow\":{\"on\":true"))
            #expect(stage.compositor.violations == [])
        }

        // MARK: Burn-in care

        /// A picture of the size of the screen, without a visitor.
        @Test func aPictureMovesSlowlyAndShowsNoEdge() throws {
            var setup = Setup()
            setup.outputSize = Self.left
            let stage = try Stage(
                setup, options: ["--kiosk"],
                pictures: [TestPicture.card(800, 600).png(), TestPicture.card(800, 600).png()])
            Self.settle(stage, 1)
            let window = try Self.window(stage, 0)
            let before = try #require(window.surface.look())
            let count = window.surface.commits.count
            stage.compositor.run(seconds: 6 * 180 + 5)
            let after = try #require(window.surface.look())
            #expect(after.rowOfDifference(from: before) != nil)
            for x in [0, 400, 799] {
                for y in [0, 300, 599] {
                    let color = after.color(x, y)
                    #expect(color.r + color.g + color.b > 30, "\(x) \(y)")
                }
            }
            // A step is a frame, and another one at full quality.
            let frames = window.surface.commits.count - count
            #expect((4...15).contains(frames), "\(frames)")
            Self.tap(stage, window, swipe: true)
            Self.settle(stage, 1)
            #expect(try stage.last.index == 1)
            #expect(stage.compositor.violations == [])
        }

        @Test func messagesNameAnOutput() throws {
            let stage = try Self.stage(in: .program)
            let peer = try MessagePeer(stage)
            let outputs = peer.ask(#"{"command":"outputs"}"#) ?? ""
            #expect(outputs.contains(#""name":"TEST-2","make":"Vitrine","model":"Test""#))
            #expect(outputs.components(of: #""shown":true"#) == 2, "\(outputs)")
            let watcher = try MessagePeer(stage)
            let watched = watcher.ask(#"{"command":"watch","output":"TEST-2"}"#) ?? ""
            #expect(watched.contains(#""index":0"#) && watched.contains(#""output":"TEST-2""#))
            #expect(stage.message("--output", "TEST-2", "next").output == "{\"ok\":true}\n")
            #expect(watcher.line()?.contains(#""index":1"#) == true)
            let states = ["TEST-1", "TEST-2"].map {
                peer.ask(#"{"command":"state","output":"\#($0)"}"#) ?? ""
            }
            #expect(states[0].contains(#""index":0"#) && states[0].contains(#""view":[800,600,1]"#))
            #expect(states[1].contains(#""index":1"#) && states[1].contains(#""view":[640,480,1]"#))
            #expect(states[0].contains(#""fullscreen":true,"locked":false,"output":"TEST-1"}"#))
            // Each window has shown its own pictures.
            let shown = ["TEST-1", "TEST-2"].map {
                peer.ask(#"{"command":"history","output":"\#($0)"}"#)?.components(of: #""path""#)
            }
            #expect(shown == [1, 2])
            let shot = stage.folder / "shot.png"
            #expect(
                peer.ask(#"{"command":"screenshot","output":"TEST-2","arguments":["\#(shot)"]}"#)
                    == #"{"ok":true}"#)
            #expect(Screenshot(shot)?.size == Self.right)
            stage.expectScreens("off", [true, true, false, false])
            stage.expectScreens("on", [true, true, false, false, true, true])
            // The first window is the one that is left.
            stage.compositor.outputs[0].remove()
            Self.settle(stage, 1)
            #expect(peer.ask(#"{"command":"state"}"#)?.contains(#""output":"TEST-2""#) == true)
            let gone = peer.ask(#"{"command":"next","output":"TEST-1"}"#) ?? ""
            #expect(gone.hasPrefix(#"{"error":"no window is on an output"#), "\(gone)")
            #expect(stage.message("quit").status == 0)
            #expect(stage.untilEnded() == 0)
            #expect(stage.errors == "" && stage.compositor.violations == [])
        }
    }
}

extension Stage {
    fileprivate func expectScreens(_ state: String, _ switches: [Bool]) {
        #expect(message("screen", state).status == 0)
        compositor.run(seconds: 10) { compositor.screenSwitches.count == switches.count }
        #expect(compositor.screenSwitches == switches)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        ranges(of: part).count
    }
}
