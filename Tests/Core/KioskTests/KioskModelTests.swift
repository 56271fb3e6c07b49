import CoreTestKit
import Geometry
import Input
import Interface
import Motion
import Testing

@testable import Kiosk

/// A kiosk on a clock of the test: what is shown when, and who gets out.
@Suite struct KioskModelTests {
    private static let surface = Size(width: 1280, height: 800)

    private struct Rig {
        var kiosk: KioskModel
        var now = 0.0
        /// The wall clock is this far ahead of the clock of the kiosk, in seconds since Monday.
        var local = 9 * 3600.0
        var effects: [KioskModel.Effect] = []

        init(_ change: (inout KioskSettings) -> Void) {
            var settings = KioskSettings()
            change(&settings)
            kiosk = KioskModel(
                settings, on: BarLayout(surface: surface, theme: Theme(), text: .fixed), at: .zero)
            pass(to: 0)
        }

        var moment: Moment { Moment(milliseconds: now) }

        /// Advances at each deadline, as the loop of the program does.
        mutating func pass(to seconds: Double) {
            var turns = 0
            while let deadline = kiosk.deadline, deadline.milliseconds <= seconds * 1000 {
                now = max(now, deadline.milliseconds)
                advance()
                turns += 1
                precondition(turns < 100_000, "a deadline does not pass")
            }
            now = seconds * 1000
            advance()
        }

        private mutating func advance() {
            let second = Int(local + now / 1000)
            effects += kiosk.advance(to: moment) {
                LocalTime(day: second / 86_400 % 7, second: second % 86_400)
            }
        }

        @discardableResult
        mutating func touch(_ event: TouchEvent) -> Bool {
            kiosk.handle(.touch(event), at: moment)
        }

        mutating func tap(_ x: Double, _ y: Double) -> Bool {
            let isForPictures = touch(.down(id: 1, at: Point(x: x, y: y)))
            now += 50
            touch(.up(id: 1))
            return isForPictures
        }

        mutating func leave() {
            for _ in 0..<4 {
                _ = tap(10, 10)
                now += 100
            }
            touch(.down(id: 1, at: Point(x: 10, y: 10)))
            pass(to: now / 1000 + 2.5)
            touch(.up(id: 1))
        }

        /// Taps keys of the keypad, by their names.
        mutating func type(_ names: String...) throws {
            for name in names {
                guard case .page(let page, _)? = kiosk.overlay(at: moment) else {
                    throw Failure.noKeypad
                }
                let key = try #require(page.children.first { $0.id == "keypad/" + name })
                let reaches1 = tap(key.rect.center.x, key.rect.center.y)
                #expect(!reaches1)
                now += 100
            }
            pass(to: now / 1000)
        }

        enum Failure: Error { case noKeypad }
    }

    @Test func attractAndRestartComeAfterTheLastInput() {
        var rig = Rig { ($0.attract, $0.restart) = (20, 60) }
        rig.pass(to: 19)
        #expect(rig.effects == [])
        rig.pass(to: 21)
        #expect(rig.effects == [.setAttract(true)])
        rig.pass(to: 500)
        // Nobody has done anything, so the start screen is there.
        #expect(rig.effects == [.setAttract(true)])
        rig.effects = []
        let reaches2 = rig.tap(600, 400)
        #expect(reaches2)
        rig.pass(to: 501)
        #expect(rig.effects == [.setAttract(false)])
        rig.pass(to: 600)
        #expect(rig.effects == [.setAttract(false), .setAttract(true), .restart])
        // The slideshow goes on after the start screen has come back.
        #expect(rig.kiosk.isAttracting)
        // Only burn-in care goes on.
        #expect(rig.kiosk.deadline == Moment(milliseconds: 680_050))
    }

    /// The way out is open to a mouse and to a pen, which are fingers for it.
    @Test(arguments: ["mouse", "pen"]) func everyDeviceLeaves(device: String) {
        var rig = Rig { _ in }
        let corner = Point(x: 10, y: 10)
        func press(_ isDown: Bool) {
            let event: InputEvent =
                switch (device, isDown) {
                case ("mouse", _): .pointer(.button(.left, isDown: isDown))
                case (_, true): .pen(.down(.tip, at: corner))
                case (_, false): .pen(.up)
                }
            _ = rig.kiosk.handle(event, at: rig.moment)
        }
        _ = rig.kiosk.handle(.pointer(.move(to: corner)), at: rig.moment)
        for _ in 0..<4 {
            press(true)
            rig.now += 50
            press(false)
            rig.now += 100
        }
        press(true)
        rig.pass(to: rig.now / 1000 + 2.5)
        #expect(rig.effects.contains(.leave))
    }

    /// A pointer that leaves with its button down, as where a pen goes that is a mouse, presses anew when it
    /// comes back.
    @Test func aPointerThatLeavesHoldsNothing() {
        var rig = Rig { _ in }
        let corner = Point(x: 10, y: 10)
        func send(_ event: PointerEvent) {
            _ = rig.kiosk.handle(.pointer(event), at: rig.moment)
        }
        send(.move(to: corner))
        send(.button(.left, isDown: true))
        send(.leave)
        for _ in 0..<4 {
            send(.move(to: corner))
            send(.button(.left, isDown: true))
            rig.now += 50
            send(.button(.left, isDown: false))
            rig.now += 100
        }
        send(.button(.left, isDown: true))
        rig.pass(to: rig.now / 1000 + 2.5)
        #expect(rig.effects.contains(.leave))
    }

    /// Whoever takes the offer of a medium is there: the slideshow begins anew after the usual time.
    @Test func aMediumThatIsTakenEndsTheAttractLoop() throws {
        var rig = Rig { $0.attract = 20 }
        rig.pass(to: 21)
        #expect(rig.kiosk.isAttracting)
        rig.kiosk.setMedia([Self.stick], offersNew: true, at: rig.moment)
        let show = try button(rig, "media/show")
        _ = rig.tap(show.x, show.y)
        rig.effects = []
        rig.pass(to: 22)
        #expect(
            rig.effects == [.cancelTouches, .setAttract(false), .showMedium(folder: Self.stick)])
        rig.pass(to: 50)
        #expect(rig.effects.last == .setAttract(true))
    }

    @Test func noSlideshowBeginsOverOneThatPlays() {
        var rig = Rig { $0.attract = 5 }
        rig.kiosk.setPlays(true, at: rig.moment)
        rig.pass(to: 100)
        #expect(rig.effects == [] && !rig.kiosk.isAttracting)
        // Once that one has ended, the time without input counts.
        rig.kiosk.setPlays(false, at: rig.moment)
        rig.pass(to: 101)
        #expect(rig.effects == [.setAttract(true)])
    }

    /// A program may show the grid while nobody is there.
    @Test func aSlideshowThatAProgramEndsBeginsAgain() {
        var rig = Rig { $0.attract = 5 }
        rig.pass(to: 6)
        rig.kiosk.setPlays(true, at: rig.moment)
        rig.pass(to: 60)
        rig.kiosk.setPlays(false, at: rig.moment)
        rig.pass(to: 64)
        #expect(rig.effects == [.setAttract(true)])
        rig.pass(to: 66)
        #expect(rig.effects == [.setAttract(true), .setAttract(true)])
    }

    /// A compositor that ends takes fingers and the pointer away; a window may open under a pointer at rest.
    @Test func whatACompositorDoesIsNoInput() {
        var rig = Rig {
            ($0.dark, $0.attract) = (try! WeeklySchedule("00:00-24:00"), 5)
        }
        rig.pass(to: 1)
        #expect(rig.kiosk.isDark)
        for event in [
            InputEvent.touch(.cancel), .pointer(.move(to: .zero)), .pointer(.leave),
            .pointer(.move(to: .zero)),
        ] {
            _ = rig.kiosk.handle(event, at: rig.moment)
            #expect(rig.kiosk.isDark)
        }
        _ = rig.kiosk.handle(.pointer(.move(to: Point(x: 1, y: 0))), at: rig.moment)
        #expect(!rig.kiosk.isDark)
    }

    @Test func theSlideshowThatWasLeftGoesOnAfterAPause() {
        var rig = Rig { $0.pin = "1" }
        rig.pass(to: 100)
        rig.kiosk.setReturn(toSlideshowAfter: 10, at: rig.moment)
        rig.pass(to: 105)
        _ = rig.tap(600, 400)
        // The pause counts from the last input, however often the same is noted.
        rig.kiosk.setReturn(toSlideshowAfter: 10, at: rig.moment)
        rig.pass(to: 115)
        #expect(rig.effects == [])
        rig.pass(to: 116)
        #expect(rig.effects == [.returnToSlideshow])
        rig.pass(to: 300)
        #expect(rig.effects == [.returnToSlideshow])
        // A program that opens the grid is no input: the pause begins with that.
        rig.kiosk.setReturn(toSlideshowAfter: 10, at: rig.moment)
        rig.pass(to: 309)
        rig.kiosk.setReturn(toSlideshowAfter: nil, at: rig.moment)
        rig.pass(to: 400)
        #expect(rig.effects == [.returnToSlideshow])
    }

    @Test func darkHoursAndTheirTouches() {
        var rig = Rig {
            ($0.dark, $0.wake) = (try! WeeklySchedule("10:00-11:00"), 30)
        }
        rig.pass(to: 3599)
        #expect(!rig.kiosk.isDark && rig.effects == [])
        rig.pass(to: 3601)
        #expect(rig.kiosk.isDark && rig.kiosk.overlay(at: rig.moment) == .dark)
        #expect(rig.effects == [.setScreen(isOn: false), .cancelTouches])
        // The touch that wakes the screen does nothing else.
        let reaches3 = rig.tap(600, 400)
        #expect(!reaches3)
        #expect(!rig.kiosk.isDark)
        rig.now += 1000
        let reaches4 = rig.tap(600, 400)
        #expect(reaches4)
        rig.pass(to: 3625)
        #expect(!rig.kiosk.isDark)
        rig.pass(to: 3640)
        #expect(rig.kiosk.isDark)
        rig.pass(to: 7300)
        #expect(!rig.kiosk.isDark)
    }

    // MARK: Media

    private static let stick = "/media/ann/STICK"

    /// The middle of the button of the page that offers a medium.
    private func button(_ rig: Rig, _ id: String) throws -> Point {
        guard case .page(let page, _) = rig.kiosk.overlay(at: rig.moment) else {
            throw KioskTestError.noPage
        }
        return try #require(page.children.first { $0.id == id }).rect.center
    }

    private enum KioskTestError: Error { case noPage }

    @Test func aMediumIsOfferedAndGoneWhenItIsPulled() throws {
        var rig = Rig { _ in }
        rig.kiosk.setMedia([Self.stick], offersNew: true, at: rig.moment)
        let show = try button(rig, "media/show")
        let reaches = rig.tap(show.x, show.y)
        rig.pass(to: 1)
        #expect(!reaches && rig.effects.last == .showMedium(folder: Self.stick))
        #expect(rig.kiosk.overlay(at: rig.moment) == nil)
        rig.kiosk.setMedia([], offersNew: true, at: rig.moment)
        rig.pass(to: 2)
        #expect(rig.effects.last == .show(folder: nil))
        // A medium that was not shown goes without an effect.
        rig.effects = []
        rig.kiosk.setMedia(["/media/other"], offersNew: false, at: rig.moment)
        rig.kiosk.setMedia([], offersNew: true, at: rig.moment)
        rig.pass(to: 3)
        #expect(rig.effects == [])
    }

    @Test func anOfferEndsByAButtonByTimeAndWithItsMedium() throws {
        var rig = Rig { _ in }
        rig.kiosk.setMedia([Self.stick], offersNew: true, at: rig.moment)
        let decline = try button(rig, "media/decline")
        _ = rig.tap(decline.x, decline.y)
        #expect(rig.kiosk.overlay(at: rig.moment) == nil)
        // The same medium is not offered twice.
        rig.kiosk.setMedia([Self.stick], offersNew: true, at: rig.moment)
        #expect(rig.kiosk.overlay(at: rig.moment) == nil)
        rig.kiosk.setMedia([Self.stick, "/media/b"], offersNew: true, at: rig.moment)
        #expect(rig.kiosk.overlay(at: rig.moment) != nil)
        rig.kiosk.setMedia([Self.stick], offersNew: true, at: rig.moment)
        #expect(rig.kiosk.overlay(at: rig.moment) == nil)
        rig.kiosk.setMedia([Self.stick, "/media/c"], offersNew: true, at: rig.moment)
        rig.pass(to: 40)
        #expect(rig.kiosk.overlay(at: rig.moment) == nil)
        #expect(!rig.effects.contains { if case .showMedium = $0 { true } else { false } })
    }

    @Test func theStartScreenIsThatOfTheKiosk() throws {
        var rig = Rig { $0.restart = 60 }
        rig.kiosk.setMedia([Self.stick], offersNew: true, at: rig.moment)
        let show = try button(rig, "media/show")
        _ = rig.tap(show.x, show.y)
        rig.pass(to: 100)
        #expect(rig.effects.last == .show(folder: nil))
        #expect(!rig.effects.contains(.restart))
    }

    @Test func aProgramSwitchesTheScreenUntilATouch() {
        var rig = Rig { ($0.dark, $0.wake) = (try! WeeklySchedule("10:00-11:00"), 30) }
        rig.pass(to: 1)
        rig.kiosk.switchScreen(isOn: false, at: rig.moment)
        rig.pass(to: 200)
        #expect(rig.kiosk.isDark)
        // The touch that wakes the screen does nothing else.
        let reaches = rig.tap(600, 400)
        #expect(!reaches && !rig.kiosk.isDark)
        // The screen is off until the dark hours are over, but for the time of a touch.
        rig.kiosk.switchScreen(isOn: false, at: rig.moment)
        rig.pass(to: 3700)
        rig.kiosk.switchScreen(isOn: true, at: rig.moment)
        rig.pass(to: 3720)
        #expect(!rig.kiosk.isDark)
        rig.pass(to: 3740)
        #expect(rig.kiosk.isDark)
        rig.kiosk.switchScreen(isOn: false, at: rig.moment)
        rig.pass(to: 7300)
        #expect(!rig.kiosk.isDark)
    }

    @Test(arguments: [31_536_000.0, -31_503_600, 1800, -1800])
    func aClockThatJumpsIsFollowedWithinAMinute(_ jump: Double) {
        var rig = Rig {
            $0.dark = try! WeeklySchedule("sat,sun 00:00-24:00; 08:30-09:00; 09:20-09:40")
        }
        rig.pass(to: 100)
        rig.local = (rig.local + jump).truncatingRemainder(dividingBy: 7 * 86_400)
        if rig.local < 0 { rig.local += 7 * 86_400 }
        rig.pass(to: 161)
        let second = Int(rig.local) + 161
        let time = LocalTime(day: second / 86_400 % 7, second: second % 86_400)
        let schedule = try! WeeklySchedule("sat,sun 00:00-24:00; 08:30-09:00; 09:20-09:40")
        #expect(rig.kiosk.isDark == (schedule.value(at: time) != nil))
    }

    @Test func foldersFollowTheSchedule() {
        var rig = Rig {
            $0.folders = try! WeeklySchedule(
                "09:10-09:20 /srv/a b; 09:20-09:30 /c", hasValues: true)
        }
        rig.pass(to: 3600)
        #expect(
            rig.effects == [
                .show(folder: "/srv/a b"), .show(folder: "/c"), .show(folder: nil),
            ])
    }

    @Test func theGestureLeavesWithoutACode() {
        var rig = Rig { _ in }
        rig.leave()
        #expect(rig.effects == [.leave])
    }

    @Test func theCodeIsAskedForAndCounts() throws {
        var rig = Rig { $0.pin = "1207" }
        rig.leave()
        #expect(rig.effects == [.cancelTouches])
        try rig.type("1", "2", "0", "OK")
        #expect(!rig.effects.contains(.leave))
        try rig.type("1", "2", "3", "⌫", "0", "7", "OK")
        #expect(rig.effects.last == .leave)
    }

    @Test func keysTypeTheCode() {
        var rig = Rig { $0.pin = "90" }
        rig.leave()
        for name in ["KP_9", "x", "0", "Return"] {
            _ = rig.kiosk.handle(.key(KeyEvent(name: name, modifiers: [])), at: rig.moment)
        }
        rig.pass(to: 10)
        #expect(rig.effects.last == .leave)
    }

    @Test func wrongCodesAreSlowedDown() throws {
        var rig = Rig { $0.pin = "1" }
        rig.leave()
        for _ in 0..<5 { try rig.type("2", "OK") }
        try rig.type("1", "OK")
        #expect(!rig.effects.contains(.leave))
        // The keypad stays, so that it cannot be opened anew.
        rig.pass(to: rig.now / 1000 + 50)
        #expect(rig.kiosk.keypad != nil)
        try rig.type("1")
        rig.pass(to: rig.now / 1000 + 12)
        try rig.type("1", "OK")
        #expect(rig.effects.last == .leave)
    }

    /// A keypad that is closed and opened anew knows the wrong codes of the one before.
    @Test(arguments: ["close", "Escape"])
    func closingTheKeypadGivesNoFurtherCodes(_ way: String) throws {
        var rig = Rig { $0.pin = "1" }
        func close() throws {
            if way == "close" {
                try rig.type("close")
            } else {
                _ = rig.kiosk.handle(.key(KeyEvent(name: way)), at: rig.moment)
            }
            try #require(rig.kiosk.keypad == nil)
            rig.now += 1000
        }
        rig.leave()
        for _ in 0..<3 { try rig.type("2", "OK") }
        try close()
        rig.leave()
        for _ in 0..<2 { try rig.type("2", "OK") }
        let lock = rig.now
        try close()
        rig.leave()
        try rig.type("1", "OK")
        #expect(!rig.effects.contains(.leave))
        guard case .page(let page, _)? = rig.kiosk.overlay(at: rig.moment) else {
            throw Rig.Failure.noKeypad
        }
        #expect(page.children.contains { $0.name == "Too many wrong codes: wait a minute" })
        rig.pass(to: lock / 1000 + 59)
        try rig.type("1", "OK")
        #expect(!rig.effects.contains(.leave))
        rig.now += 2000
        try rig.type("1", "OK")
        #expect(rig.effects.last == .leave)
    }

    @Test func theKeypadClosesByItself() {
        var rig = Rig { $0.pin = "1" }
        rig.leave()
        rig.pass(to: rig.now / 1000 + 21)
        #expect(rig.kiosk.overlay(at: rig.moment) == nil)
        let reaches5 = rig.tap(600, 400)
        #expect(reaches5)
    }

    @Test func theCountdownIsAboveAnOffer() throws {
        var rig = Rig { _ in }
        rig.kiosk.setMedia([Self.stick], offersNew: true, at: rig.moment)
        rig.kiosk.clean(at: rig.moment)
        #expect(pageIDs(rig)?.contains("media/show") == false)
        rig.kiosk.setMedia([], offersNew: true, at: rig.moment)
        rig.kiosk.setMedia([Self.stick], offersNew: true, at: rig.moment)
        #expect(pageIDs(rig)?.contains("media/show") == false)
    }

    /// The identifiers of what is on the page above the pictures; nil without one.
    private func pageIDs(_ rig: Rig) -> [String]? {
        guard case .page(let page, _) = rig.kiosk.overlay(at: rig.moment) else { return nil }
        return page.children.map(\.id)
    }

    @Test func cleaningIgnoresTouchesAndCounts() throws {
        var rig = Rig { _ in }
        rig.kiosk.clean(at: rig.moment)
        var texts: Set<String> = []
        for second in 0..<30 {
            rig.pass(to: Double(second) + 0.5)
            let reaches6 = rig.tap(600, 400)
            #expect(!reaches6)
            guard case .page(let page, _)? = rig.kiosk.overlay(at: rig.moment) else {
                Issue.record("no page")
                return
            }
            texts.formUnion(page.children.map(\.name))
        }
        #expect(texts.count == 30 + 2)
        rig.pass(to: 30.1)
        let reaches7 = rig.tap(600, 400)
        #expect(reaches7)
    }

    @Test func theKeypadFitsEverySurface() {
        for (width, height) in [(1.0, 1.0), (120, 80), (320, 240), (240, 320), (3840, 2160)] {
            var rig = Rig { $0.pin = "1" }
            rig.leave()
            rig.kiosk.set(
                BarLayout(
                    surface: Size(width: width, height: height), theme: Theme(), text: .fixed))
            guard case .page(let page, _)? = rig.kiosk.overlay(at: rig.moment) else {
                Issue.record("no keypad")
                continue
            }
            guard width > 200 else { continue }
            for child in page.children {
                #expect(child.rect.x >= 0 && child.rect.maxX <= width, "\(child.id)")
                #expect(child.rect.y >= 0 && child.rect.maxY <= height, "\(child.id)")
            }
        }
    }
}
