package import Geometry
package import Input
package import Interface
import Localization
package import Motion

/// The rules of a kiosk besides its pictures: exit gesture, hours, and behaviour without visitors.
///
/// Pure: the caller passes every input event first to `handle`, calls `advance` at `deadline`, and
/// carries out the effects.
package struct KioskModel: Hashable, Sendable {
    /// A request of the kiosk to the program around it.
    package enum Effect: Hashable, Sendable {
        /// The program ends.
        case leave
        /// The start screen is shown, as if the program had just started.
        case restart
        /// The slideshow without visitors begins or ends.
        case setAttract(Bool)
        /// The slideshow that was left for the grid continues.
        case returnToSlideshow
        /// The screen goes off or on.
        case setScreen(isOn: Bool)
        /// Another folder is shown; nil for the paths that were given.
        case show(folder: String?)
        /// The pictures of a medium that a visitor has plugged in are shown.
        case showMedium(folder: String)
        /// Fingers that are down do not belong to the pictures any more.
        case cancelTouches
    }

    private(set) var settings: KioskSettings
    private(set) var layout: BarLayout
    private var gesture = ExitGesture()
    private(set) var keypad: Keypad?
    private var codeLock = CodeLock()
    /// The page that offers a medium; nil without one.
    var offer: MediaOffer?
    var media = Media()
    /// When a cleaning of the screen ends; nil without one.
    private var cleaningEnd: Moment?
    /// When the countdown of the cleaning changes; nil without one.
    private var nextCount: Moment?
    /// Where the pointer is, and whether its button is down.
    private var pointer = Pointer()
    private var presence = PresenceFilter()

    private struct Pointer: Hashable, Sendable {
        /// A number that no contact has.
        static let id = -1
        var place = Point.zero
        var isDown = false
    }

    private struct LeftSlideshow: Hashable, Sendable {
        var since: Moment
        /// Milliseconds without input until the slideshow continues.
        var pause: Double
    }

    /// The steps of burn-in care so far, and when the last one was.
    private var orbitSteps = 0
    private var lastStep: Moment
    /// When a person last did something.
    private var lastInput: Moment
    /// Whether the start screen is shown as it was at the start.
    private var isAtStart = true
    /// Whether a slideshow plays that has begun without visitors.
    package private(set) var isAttracting = false
    /// Whether a slideshow plays, for whatever reason.
    private var plays = false
    /// The slideshow that was left for the grid; nil if there is none to go back to.
    private var leftSlideshow: LeftSlideshow?
    private var isInDarkHours = false
    /// When the screen of a dark hour goes off again.
    private var wakeEnd: Moment?
    private var screenIsOn = true
    /// Whether a program has switched the screen off.
    private var isSwitchedOff = false
    private(set) var folder: String?
    /// When the wall clock is to be looked at again; nil without schedules.
    private var clockCheck: Moment?
    var effects: [Effect] = []

    /// How long touches are ignored while the screen is cleaned, in milliseconds.
    package static let cleaningTime = 30_000.0
    /// The wall clock is looked at so often, in seconds: it may leap.
    private static let clockPause = 60

    package init(_ settings: KioskSettings, on layout: BarLayout, at moment: Moment) {
        self.settings = settings
        self.layout = layout
        lastInput = moment
        lastStep = moment
        clockCheck = settings.dark.isEmpty && settings.folders.isEmpty ? nil : moment
    }

    /// Applies settings that have changed.
    package mutating func set(_ settings: KioskSettings, at moment: Moment) {
        guard settings != self.settings else { return }
        self.settings = settings
        clockCheck = moment
    }

    package mutating func set(_ layout: BarLayout) {
        self.layout = layout
        keypad?.layout = layout
        offer?.layout = layout
    }

    /// Whether the surface is black.
    package var isDark: Bool { !screenIsOn }

    // MARK: Input

    /// Handles an input event; returns whether the event is for the pictures, too.
    package mutating func handle(_ event: InputEvent, at moment: Moment) -> Bool {
        switch event {
        case .resize, .scale, .modifiers: return true
        case .touch, .pinch, .swipe, .hold, .pointer, .pen, .key, .textInput: break
        }
        let isUserInput = presence.isUserInput(event)
        if cleaningEnd != nil { return false }
        if isUserInput, wakes(at: moment) { return false }
        let event = asTouch(event)
        if keypad != nil {
            handleOnKeypad(event, at: moment)
            return false
        }
        if offer != nil {
            handle(offer?.handle(event, at: moment), at: moment)
            return false
        }
        gesture.handle(event, on: layout.surface, at: moment)
        return true
    }

    /// Notes that a person is there; returns whether that has only woken the screen.
    private mutating func wakes(at moment: Moment) -> Bool {
        lastInput = moment
        isAtStart = false
        if isInDarkHours || isSwitchedOff {
            isSwitchedOff = false
            wakeEnd = moment.advanced(byMilliseconds: wakeTime)
            // The touch that wakes the screen has no other effect.
            if !screenIsOn {
                setScreen(true)
                return true
            }
        }
        if isAttracting {
            isAttracting = false
            effects.append(.setAttract(false))
        }
        return false
    }

    /// Notes whether a slideshow plays: none begins over one that plays, and one that a program has ended
    /// begins again.
    package mutating func setPlays(_ plays: Bool, at moment: Moment) {
        // The slideshow of a dark screen goes on when the screen does.
        guard plays != self.plays, screenIsOn else { return }
        self.plays = plays
        if !plays, isAttracting { (isAttracting, lastInput) = (false, max(lastInput, moment)) }
    }

    /// Notes input to other programs on the devices of the kiosk: it delays whatever begins without
    /// visitors.
    package mutating func notePresence(at moment: Moment) { lastInput = max(lastInput, moment) }

    /// Notes the seconds without input until a slideshow that was left for the grid continues; nil
    /// without such a slideshow.
    package mutating func setReturn(toSlideshowAfter seconds: Int?, at moment: Moment) {
        guard let seconds else { return leftSlideshow = nil }
        let pause = Double(seconds) * 1000
        leftSlideshow = LeftSlideshow(since: leftSlideshow?.since ?? moment, pause: pause)
    }

    /// The pointer with its left button, and a pen, as fingers; other events as they are.
    private mutating func asTouch(_ event: InputEvent) -> InputEvent {
        switch event {
        case .pointer(let event): asTouch(event)
        case .pen(let event): asTouch(event).map { .touch($0) } ?? .pen(event)
        default: event
        }
    }

    /// The contact of a pen as a finger; nil for everything else.
    private func asTouch(_ event: PenEvent) -> TouchEvent? {
        switch event {
        case .down(_, let place): .down(id: Self.pen, at: place)
        case .move(let place): .move(id: Self.pen, to: place)
        case .up: .up(id: Self.pen)
        case .cancel: .cancel
        case .button: nil
        }
    }

    /// A number that no contact has.
    private static let pen = -2

    private mutating func asTouch(_ event: PointerEvent) -> InputEvent {
        switch event {
        case .move(let place):
            pointer.place = place
            if pointer.isDown { return .touch(.move(id: Pointer.id, to: place)) }
        case .button(.left, let isDown):
            guard isDown != pointer.isDown else { break }
            pointer.isDown = isDown
            return .touch(
                isDown ? .down(id: Pointer.id, at: pointer.place) : .up(id: Pointer.id))
        // What has left does not complete its press.
        case .leave where pointer.isDown:
            pointer.isDown = false
            return .touch(.cancel)
        case .leave, .button, .axis, .axisStop: break
        }
        return .pointer(event)
    }

    private mutating func handleOnKeypad(_ event: InputEvent, at moment: Moment) {
        switch keypad?.handle(event, pin: settings.pin, &codeLock, at: moment) {
        case .leave:
            keypad = nil
            effects.append(.leave)
        case .close: keypad = nil
        case .stay, nil: break
        }
    }

    /// Begins the time in which touches are ignored, so that the screen can be cleaned.
    package mutating func clean(at moment: Moment) {
        cleaningEnd = moment.advanced(byMilliseconds: Self.cleaningTime)
        nextCount = moment.advanced(byMilliseconds: 1000)
        (keypad, offer, gesture) = (nil, nil, ExitGesture())
        effects.append(.cancelTouches)
    }

    /// Switches the screen off until the next touch, the next call or the end of dark hours; or on, in
    /// dark hours for as long as a touch does.
    package mutating func switchScreen(isOn: Bool, at moment: Moment) {
        isSwitchedOff = !isOn
        wakeEnd = isOn && isInDarkHours ? moment.advanced(byMilliseconds: wakeTime) : nil
        setScreen(isOn)
    }

    private mutating func setScreen(_ isOn: Bool) {
        guard isOn != screenIsOn else { return }
        screenIsOn = isOn
        effects.append(.setScreen(isOn: isOn))
        if !isOn { effects.append(.cancelTouches) }
    }

    // MARK: Time

    /// When `advance` is to be called without an event; nil for never.
    package var deadline: Moment? {
        var moments = [
            gesture.deadline, keypad?.deadline(codeLock), offer?.deadline, clockCheck,
            attractMoment, returnMoment, restartMoment, stepMoment,
        ]
        if cleaningEnd != nil { moments += [cleaningEnd, nextCount] }
        if isInDarkHours, screenIsOn { moments.append(wakeEnd) }
        return moments.compactMap(\.self).min()
    }

    private var attractMoment: Moment? {
        guard settings.attract > 0, !isAttracting, !plays, screenIsOn, keypad == nil else {
            return nil
        }
        return lastInput.advanced(byMilliseconds: Double(settings.attract) * 1000)
    }

    /// When the slideshow that was left for the grid continues.
    private var returnMoment: Moment? {
        guard let leftSlideshow, screenIsOn, keypad == nil else { return nil }
        return max(lastInput, leftSlideshow.since).advanced(byMilliseconds: leftSlideshow.pause)
    }

    /// When everything moves next, unless somebody uses the kiosk.
    private var stepMoment: Moment? {
        guard settings.burnIn, screenIsOn else { return nil }
        return max(lastInput, lastStep).advanced(byMilliseconds: BurnInCare.pause)
    }

    /// By how much everything is moved; nil without burn-in care.
    package var burnInOffset: Vector? {
        settings.burnIn ? BurnInCare.offset(after: orbitSteps) : nil
    }

    private var restartMoment: Moment? {
        guard settings.restart > 0, !isAtStart, keypad == nil else { return nil }
        return lastInput.advanced(byMilliseconds: Double(settings.restart) * 1000)
    }

    /// Performs due changes; `localTime` gives the time by the wall clock.
    ///
    /// Returns the effects since the last call.
    package mutating func advance(to moment: Moment, localTime: () -> LocalTime) -> [Effect] {
        if gesture.consume(at: moment) { completeGesture(at: moment) }
        if let keypad, keypad.deadline(codeLock) <= moment { self.keypad = nil }
        if let offer, offer.deadline <= moment { self.offer = nil }
        if let cleaningEnd, cleaningEnd <= moment {
            (self.cleaningEnd, nextCount) = (nil, nil)
            lastInput = moment
        }
        while let count = nextCount, count <= moment {
            nextCount = count.advanced(byMilliseconds: 1000)
        }
        if let clockCheck, clockCheck <= moment { readClock(localTime(), at: moment) }
        if isInDarkHours, wakeEnd.map({ $0 <= moment }) ?? true { setScreen(false) }
        if let stepMoment, stepMoment <= moment {
            orbitSteps += 1
            lastStep = moment
        }
        if let restartMoment, restartMoment <= moment {
            isAtStart = true
            if media.shown == nil { effects.append(.restart) } else { leaveMedium() }
        }
        if let attractMoment, attractMoment <= moment {
            isAttracting = true
            effects.append(.setAttract(true))
        }
        if let returnMoment, returnMoment <= moment {
            leftSlideshow = nil
            effects.append(.returnToSlideshow)
        }
        defer { effects = [] }
        return effects
    }

    private mutating func completeGesture(at moment: Moment) {
        if settings.pin.isEmpty {
            effects.append(.leave)
        } else {
            keypad = Keypad(on: layout, codeLock, at: moment)
            effects.append(.cancelTouches)
        }
    }

    private mutating func readClock(_ time: LocalTime, at moment: Moment) {
        let waits = [settings.dark, settings.folders].compactMap {
            $0.secondsUntilChange(after: time)
        }
        let isUsed = !settings.dark.isEmpty || !settings.folders.isEmpty
        let pause = min(waits.min() ?? Self.clockPause, Self.clockPause)
        clockCheck = isUsed ? moment.advanced(byMilliseconds: Double(pause) * 1000) : nil
        let wasInDarkHours = isInDarkHours
        isInDarkHours = settings.dark.value(at: time) != nil
        if !isInDarkHours {
            wakeEnd = nil
            if wasInDarkHours { isSwitchedOff = false }
            if !isSwitchedOff { setScreen(true) }
        } else if !wasInDarkHours {
            // Whoever uses the kiosk when the dark hours begin is not interrupted.
            wakeEnd = isAtStart ? nil : lastInput.advanced(byMilliseconds: wakeTime)
        }
        let current = settings.folders.value(at: time)
        if current != folder {
            folder = current
            if media.shown == nil { effects.append(.show(folder: current)) }
        }
    }

    private var wakeTime: Double { Double(settings.wake) * 1000 }

    // MARK: The scene

    /// The overlay above the pictures.
    package func overlay(at moment: Moment) -> KioskOverlay? {
        if isDark { return .dark }
        if let keypad { return .page(keypad.widget, keypad.focus) }
        guard let cleaningEnd else {
            return offer.map { .page($0.widget, $0.focus) }
        }
        let rest = Int((cleaningEnd.milliseconds - moment.milliseconds) / 1000) + 1
        let seconds = min(max(rest, 1), Int(Self.cleaningTime / 1000))
        return .page(
            StatusPage.widget(
                localized("The screen can be cleaned"),
                localized(
                    "Touches count again in \(seconds) second.",
                    many: "Touches count again in \(seconds) seconds.", count: seconds),
                icon: .information, layout), WidgetFocus())
    }
}

/// What a kiosk shows above the pictures.
package enum KioskOverlay: Hashable, Sendable {
    /// Nothing but black.
    case dark
    /// A page over dimmed pictures.
    case page(Widget, WidgetFocus)
}
