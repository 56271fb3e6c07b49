import WaylandProtocol
import CompositorKit
import Geometry
import Input
import TestKit
import Testing

extension LiveTests {
    /// The bars, pressed by a finger in a window of 640 × 400: the places of the buttons are those of
    /// `ViewerBars` and `GridBars`.
    @Suite struct BarTests {
        /// Buttons of a picture alone: the bar at the bottom has eight.
        private static let rotateRight = (200.0, 368.0)
        private static let send = (296.0, 368.0)
        private static let fullscreen = (392.0, 368.0)
        private static let help = (440.0, 368.0)
        private static let information = (560.0, 32.0)
        private static let menu = (608.0, 32.0)
        private static let back = (32.0, 32.0)

        private static let folder = (0..<12).map { _ in Stage.small }

        private func shown(
            _ setup: Setup = Setup(), options: [String] = [], count: Int = 1, onGrid: Bool = false
        ) throws -> Stage {
            try Stage.shown(
                setup, options: ["--set", "grid.header=true"] + options,
                pictures: Array(repeating: onGrid ? Stage.small : Stage.large, count: count),
                onGrid: onGrid)
        }

        /// Shows the bars by a tap in the middle.
        private func showBars(_ stage: Stage) throws {
            stage.play {
                $0.tap(320, 200)
                $0.rest(600)
            }
            #expect(try stage.last.showsChrome)
        }

        private func tap(_ stage: Stage, _ place: (x: Double, y: Double)) {
            stage.play {
                $0.tap(place.x, place.y)
                $0.rest(300)
            }
        }

        // MARK: Viewer

        @Test func everyButtonDoesItsWork() throws {
            let stage = try shown()
            try showBars(stage)
            tap(stage, Self.rotateRight)
            #expect(try stage.last.rotation == 90)
            tap(stage, Self.information)
            #expect(try stage.last.showsInformation)
            tap(stage, Self.information)
            #expect(try !stage.last.showsInformation)
            tap(stage, Self.menu)
            #expect(try stage.last.showsMenu)
            tap(stage, (100, 200))
            #expect(try !stage.last.showsMenu)
            // The menu of a button is above it, and the button closes it.
            tap(stage, Self.send)
            #expect(try stage.last.showsMenu)
            tap(stage, Self.send)
            #expect(try !stage.last.showsMenu)
            tap(stage, Self.help)
            #expect(try stage.last.showsHelp)
            // A tap beside the sheet closes it.
            tap(stage, (2, 2))
            #expect(try !stage.last.showsHelp)
            tap(stage, Self.fullscreen)
            #expect(try stage.window.isFullscreen)
            tap(stage, Self.back)
            #expect(stage.untilEnded() == 0)
        }

        @Test func barsLeaveAfterThreeSeconds() throws {
            let stage = try shown()
            try showBars(stage)
            stage.play { $0.rest(2000) }
            #expect(try stage.last.showsChrome)
            stage.play { $0.rest(1500) }
            #expect(try !stage.last.showsChrome)
            // Never under a finger.
            try showBars(stage)
            stage.play {
                $0.touch([1: (300, 368)])
                $0.rest(400)
                $0.move([1: (300, 330)], in: 100)
                $0.rest(6000)
            }
            #expect(try stage.last.showsChrome)
            stage.play {
                $0.lift(1)
                $0.rest(4000)
            }
            #expect(try !stage.last.showsChrome)
            #expect(try stage.last.rect == GestureTests.fit)
            try stage.expectGoodEnd()
        }

        /// A touch that is cancelled on a pressed button has no effect.
        @Test func aCancelledTouchPressesNothing() throws {
            let stage = try shown()
            try showBars(stage)
            stage.play {
                $0.touch([1: Self.rotateRight])
                $0.rest(50)
                $0.cancel()
                $0.rest(300)
            }
            #expect(try stage.last.rotation == 0)
            try stage.expectGoodEnd()
        }

        /// A finger that rests on a button for longer than a long press still presses the button.
        @Test func aSlowPressIsAPress() throws {
            let stage = try shown()
            try showBars(stage)
            stage.play {
                $0.touch([1: Self.rotateRight])
                $0.rest(900)
                $0.lift(1)
                $0.rest(600)
            }
            #expect(try stage.last.rotation == 90)
            try stage.expectGoodEnd()
        }

        /// The filmstrip turns pages under the finger; the pages slide away at once.
        @Test func theFilmstripIsScrubbed() throws {
            var setup = Setup()
            setup.windowSize = Size(width: 800, height: 600)
            let stage = try shown(setup, count: 12)
            stage.play {
                $0.tap(400, 250)
                $0.rest(600)
            }
            #expect(try stage.last.showsChrome)
            // The strip is above the bar at the bottom; a cell is 60 px further than the one before.
            stage.play {
                $0.touch([1: (500, 505)])
                $0.rest(50)
                $0.move([1: (500 - 10 - 5 * 60, 505)], in: 500)
            }
            #expect(try stage.last.index == 5)
            stage.play {
                $0.move([1: (500 - 10 - 2 * 60, 505)], in: 300)
                $0.lift(1)
                $0.rest(800)
            }
            #expect(try stage.last.index == 2)
            // A tap on a cell selects its picture.
            stage.play {
                $0.tap(400 + 120, 505)
                $0.rest(800)
            }
            #expect(try stage.last.index == 4)
            try stage.expectGoodEnd()
        }

        // MARK: The percentage

        @Test func aPercentageIsTyped() throws {
            let stage = try shown()
            stage.play {
                $0.point(450, 312)
                $0.rest(300)
                $0.click()
                $0.rest(100)
            }
            #expect(try stage.last.text("focus") == "zoom")
            stage.play { hand in
                for key in ["1", "5", "0", "percent", "Return"] { hand.key(key) }
                hand.rest(600)
            }
            #expect(try abs(stage.last.zoom - 1.5) < 1e-6)
            #expect(try stage.last.text("focus") == nil)
            // Escape leaves the zoom as it is, and digits are commands again.
            stage.play { hand in
                hand.click()
                hand.rest(100)
                for key in ["9", "Escape", "1"] { hand.key(key) }
                hand.rest(600)
            }
            #expect(try stage.last.zoom == 1)
            #expect(stage.exitCode == nil)
            try stage.expectGoodEnd()
        }

        /// On a tablet an on-screen keyboard comes up, and types the percentage.
        @Test func anOnScreenKeyboardTypesAPercentage() throws {
            var setup = Setup()
            setup.windowSize = Size(width: 1000, height: 600)
            let stage = try shown(setup)
            stage.play {
                $0.tap(500, 250)
                $0.rest(600)
                // The zoom control is beside the bar at the bottom.
                $0.tap(1000 - 8 - 268 + 48 + 38, 568)
                $0.rest(300)
            }
            let input = try #require(stage.compositor.seats.first?.textInput)
            #expect(input.isEnabled)
            input.send(TextInputEvent(commit: "200"))
            stage.play {
                $0.rest(200)
                $0.key("Return")
                $0.rest(600)
            }
            #expect(try abs(stage.last.zoom - 2) < 1e-6)
            #expect(!input.isEnabled)
            try stage.expectGoodEnd()
        }

        // MARK: Window

        @Test func theWindowIsControlledByTouch() throws {
            var setup = Setup()
            setup.decoration = .clientSide
            setup.windowSize = Size(width: 640, height: 400)
            let stage = try shown(setup)
            /// Taps a button of the window, counted from the right end.
            func press(_ number: Double) throws {
                let width = try #require(try stage.surface.commits.last).logicalSize.width
                tap(stage, (width - 32 - 48 * number, 32))
            }
            try showBars(stage)
            try press(1)
            #expect(try stage.window.isMaximized)
            try press(1)
            #expect(try !stage.window.isMaximized)
            try press(2)
            #expect(try stage.window.isMinimized)
            // Two taps on a free part maximise, a long press opens the menu, a drag moves.
            stage.play {
                $0.tap(300, 32)
                $0.rest(100)
                $0.tap(300, 32)
                $0.rest(300)
            }
            #expect(try stage.window.isMaximized)
            stage.play {
                $0.touch([1: (300, 32)])
                $0.rest(700)
                $0.lift(1)
                $0.rest(100)
            }
            #expect(try stage.window.menus == [Point(x: 300, y: 32)])
            stage.play {
                $0.touch([1: (300, 32)])
                $0.move([1: (340, 60)], in: 100)
                $0.rest(100)
            }
            #expect(try stage.window.moves == 1)
            stage.play { $0.lift(1) }
            try press(0)
            #expect(stage.untilEnded() == 0)
        }

        // MARK: Grid

        @Test func theGridIsSortedAndSelectedByTouch() throws {
            let stage = try shown(count: 12, onGrid: true)
            #expect(try stage.last.path.hasSuffix("00.png"))
            tap(stage, (512, 32))
            // The last of the menu's seven rows is “Z to A”.
            tap(stage, (450, 368))
            stage.play {
                $0.tap(60, 130)
                $0.rest(800)
            }
            #expect(try stage.last.path.hasSuffix("11.png"))
            tap(stage, (2, 200))
            stage.play {
                $0.key("Escape")
                $0.rest(800)
            }
            // Taps select after the button, and the ✕ ends it.
            tap(stage, (560, 32))
            tap(stage, (60, 130))
            tap(stage, (190, 130))
            #expect(try stage.last.selected == 2)
            tap(stage, (32, 32))
            #expect(try stage.last.selected == 0)
            try stage.expectGoodEnd()
        }

        /// The trace tells which menu or help is open over the grid, and which button has the focus.
        @Test func theTraceHasTheMenuAndTheHelpOfTheGrid() throws {
            let stage = try shown(count: 12, onGrid: true)
            #expect(try !stage.last.showsMenu && !stage.last.showsHelp)
            tap(stage, Self.menu)
            #expect(try stage.last.showsMenu)
            stage.play { $0.key("Escape") }
            stage.play {
                $0.key("question")
                $0.rest(300)
            }
            #expect(try !stage.last.showsMenu && stage.last.showsHelp)
            stage.play {
                $0.key("question")
                $0.key("Tab")
                $0.rest(300)
            }
            #expect(try !stage.last.showsHelp && stage.last.text("focus") != nil)
            try stage.expectGoodEnd()
        }

        /// The dates are read when a person sorts by them, and not before; the newest comes first.
        @Test func picturesAreSortedByTheDateInTheirMetadata() throws {
            let pictures = ["2021:05:01", "2024:03:01", "2023:07:01"].map {
                TestPicture.dated("\($0) 12:00:00")
            }
            let stage = try Stage.shown(
                options: ["--set", "grid.header=true"], pictures: pictures, onGrid: true)
            tap(stage, (512, 32))
            tap(stage, (450, 80))
            stage.play {
                $0.rest(500)
                $0.tap(60, 130)
                $0.rest(800)
            }
            #expect(try stage.last.path.hasSuffix("01.png"))
            try stage.expectGoodEnd()
        }

        @Test func anEmptyFolderHasAPage() throws {
            let stage = try Stage(
                options: ["--set", "grid.header=true"], pictures: [], onGrid: true)
            stage.compositor.run { stage.compositor.surface?.commits.isEmpty == false }
            let pixels = try #require(try stage.surface.pixels)
            let letters = (100..<300).contains { y in
                (120..<520).contains { pixels.color($0, y).g > 150 }
            }
            #expect(letters)
            // No picture was shown.
            stage.play { $0.key("q") }
            #expect(stage.untilEnded() == 1)
        }
    }
}
