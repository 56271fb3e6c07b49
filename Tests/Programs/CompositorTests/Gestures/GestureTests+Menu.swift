import CompositorKit
import Geometry
import Input
import TestKit
import Testing

/// The menu and the bar, and palms.
///
/// The menu has eleven rows of at least 240 × 48 px, of which this surface shows eight; the sixth opens the
/// part “View” in its place, whose rows are “Back”, “Fit to window”, “Actual size” and four more.
extension LiveTests.GestureTests {
    /// Opens the menu at (200, 60) by a long press, or by the right button.
    private static func openMenu(_ stage: Stage, by device: String) {
        stage.play {
            if device == "finger" {
                $0.touch([1: (200, 60)])
                $0.rest(700)
            } else {
                $0.point(200, 60)
                $0.press(.right)
                $0.release(.right)
            }
        }
        stage.until { $0.showsMenu }
        if device == "finger" { stage.play { $0.lift(1) } }
    }

    /// A tap, or a click.
    private static func choose(_ stage: Stage, _ x: Double, _ y: Double, by device: String) {
        press(stage, x, y, by: device)
        stage.until { !$0.showsMenu }
    }

    private static func press(_ stage: Stage, _ x: Double, _ y: Double, by device: String) {
        stage.play {
            if device == "finger" {
                $0.tap(x, y)
            } else {
                $0.point(x, y)
                $0.click()
            }
        }
    }

    /// Chooses a row of the part “View”, counted from “Back”.
    private static func chooseView(_ stage: Stage, _ row: Double, by device: String) throws {
        press(stage, 320, 8 + 5.5 * 48, by: device)
        #expect(try stage.last.showsMenu)
        choose(stage, 320, 8 + (row + 0.5) * 48, by: device)
    }

    @Test(arguments: ["finger", "mouse"])
    func theMenuOpensAtThePointAndItsRowsWork(_ device: String) throws {
        let stage = try Self.fitted(count: 2)
        Self.openMenu(stage, by: device)
        // The menu stays open after the release, and nothing has moved.
        #expect(try stage.last.showsMenu)
        #expect(try stage.last.rect == Self.fit)
        try Self.chooseView(stage, 2, by: device)
        #expect(try stage.last.rect == Self.full)
        Self.openMenu(stage, by: device)
        try Self.chooseView(stage, 1, by: device)
        #expect(try stage.last.rect == Self.fit)
        // Outside the menu: it closes, even where a click would turn the page.
        Self.openMenu(stage, by: device)
        Self.choose(stage, 630, 100, by: device)
        stage.play { $0.rest(500) }
        #expect(try stage.last.rect == Self.fit)
        #expect(try stage.last.index == 0)
        // Only the pointer has shown the bars.
        #expect(try stage.last.showsChrome == (device == "mouse"))
        Self.openMenu(stage, by: device)
        stage.play {
            // The last row is “Close”.
            $0.key("Up")
            if device == "finger" {
                $0.tap(320, 8 + 7.5 * 48)
            } else {
                $0.point(320, 8 + 7.5 * 48)
                $0.click()
            }
        }
        #expect(stage.untilEnded() == 0)
    }

    @Test func aDragOnTheMenuMovesNothingAndOneOutsideClosesIt() throws {
        let stage = try Self.enlarged()
        Self.openMenu(stage, by: "finger")
        stage.play {
            $0.touch([1: (320, 100)])
            $0.move([1: (320, 250)], in: 200)
            $0.lift(1)
        }
        #expect(try stage.last.showsMenu)
        #expect(try stage.last.rect == Self.full)
        stage.play {
            $0.touch([1: (550, 250)])
            $0.move([1: (550, 150)], in: 200)
            $0.rest(100)
            $0.lift(1)
        }
        #expect(try !stage.last.showsMenu)
        #expect(try stage.last.distance(to: Self.full.moved(0, -90)) < 0.1)
        try stage.expectGoodEnd()
    }

    @Test func aFingerThatMovedOrLeftInTimeOpensNoMenu() throws {
        let stage = try Self.enlarged()
        stage.play {
            $0.touch([1: (320, 200)])
            $0.move([1: (320, 180)], in: 100)
            $0.rest(700)
            $0.lift(1)
            $0.tap(320, 200, for: 400)
            $0.rest(400)
            $0.touch([1: (280, 200)])
            $0.rest(100)
            $0.touch([2: (360, 200)])
            $0.rest(600)
            $0.lift(1, 2)
        }
        #expect(!stage.trace.contains { $0.showsMenu })
        try stage.expectGoodEnd()
    }

    @Test func keysOperateTheMenu() throws {
        let stage = try Self.fitted(count: 2)
        func times(_ count: Int, _ key: String) -> [String] { Array(repeating: key, count: count) }
        let rows: [(keys: [String], rect: Rect)] = [
            (times(6, "Down") + ["Return", "Down"], Self.full),
            (times(6, "Down") + ["Right"], Self.fit),
            (times(6, "Up") + ["Return"] + times(8, "Up"), Self.full),
        ]
        for (keys, rect) in rows {
            stage.play { $0.key("Menu") }
            #expect(try stage.last.showsMenu)
            stage.play { hand in
                for key in keys { hand.key(key) }
                hand.key("Return")
            }
            #expect(try !stage.last.showsMenu)
            #expect(try stage.last.rect == rect)
        }
        // Return without a selection, Menu and Escape only close the menu.
        for key in ["Return", "Menu", "Escape"] {
            stage.play {
                $0.key("Menu")
                $0.key(key)
            }
            #expect(try !stage.last.showsMenu && !stage.last.showsChrome)
            #expect(try stage.last.rect == Self.full)
        }
        #expect(stage.exitCode == nil)
        try stage.expectGoodEnd()
    }

    // MARK: The bar

    @Test func aTouchThatStartsOnTheBarMovesNothing() throws {
        let stage = try Self.enlarged()
        stage.play { $0.key("Return") }
        #expect(try stage.last.showsChrome)
        let frames = stage.play {
            $0.touch([1: (80, 30)])
            $0.move([1: (320, 300)], in: 200)
            $0.lift(1)
            // Taps on the bar do not reach the picture either.
            $0.tap(80, 30)
            $0.rest(100)
            $0.tap(80, 30)
            $0.rest(400)
        }
        #expect(frames.allSatisfy { $0.rect == Self.full && $0.showsChrome })
        // Nor does it disturb another finger's drag.
        stage.play {
            $0.touch([1: (80, 30)])
            $0.touch([2: (320, 200)])
            $0.move([1: (420, 120), 2: (320, 140)], in: 200)
        }
        #expect(try stage.last.gesture == "pan")
        #expect(try stage.last.distance(to: Self.full.moved(0, -50)) < 0.1)
        stage.play {
            $0.rest(100)
            $0.lift(1, 2)
        }
        #expect(try stage.last.distance(to: Self.full.moved(0, -50)) < 0.1)
        stage.play { $0.tap(30, 30) }
        #expect(stage.untilEnded() == 0)
    }

    // MARK: Palms

    /// The palm lands after the finger, or before it.
    @Test(arguments: [true, false])
    func aPalmBesideAFingerIsNoPinch(_ isLater: Bool) throws {
        let stage = try Self.enlarged()
        let frames = stage.play {
            if isLater {
                $0.touch([1: (320, 200)])
                $0.move([1: (320, 170)], in: 100)
            }
            $0.touch(2, at: (560, 330), major: 120, minor: 90)
            if !isLater {
                $0.touch([1: (320, 200)])
                $0.move([1: (320, 170)], in: 100)
            }
            $0.move([1: (320, 100), 2: (600, 380)], in: 200)
        }
        #expect(try stage.last.gesture == "pan")
        #expect(try stage.last.distance(to: Self.full.moved(0, -90)) < 0.1)
        stage.play {
            $0.rest(100)
            $0.lift(2)
            $0.rest(100)
            $0.lift(1)
        }
        #expect(try stage.last.distance(to: Self.full.moved(0, -90)) < 0.1)
        #expect(frames.allSatisfy { $0.zoom == 1 })
        try stage.expectGoodEnd()
    }

    @Test func aPalmAloneDoesNothing() throws {
        let stage = try Self.fitted()
        stage.play {
            $0.touch(1, at: (320, 200), major: 120, minor: 90)
            $0.move([1: (320, 350)], in: 100)
            $0.lift(1)
            $0.touch(1, at: (320, 200), major: 120, minor: 90)
            $0.rest(700)
            $0.lift(1)
            $0.rest(400)
        }
        #expect(stage.trace.allSatisfy { !$0.showsMenu && !$0.showsChrome })
        #expect(try stage.last.rect == Self.fit)
        #expect(stage.dismissals == 0)
        try stage.expectGoodEnd()
    }
}
