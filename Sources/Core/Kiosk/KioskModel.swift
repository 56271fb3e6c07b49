package import Geometry
package import Input
package import Interface
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

    /// A page above the pictures, and above an offer of a medium.
    enum Page: Hashable, Sendable {
        case keypad(Keypad)
        case cleaning(Cleaning)
    }

    private var settings: KioskSettings
    private var layout: BarLayout
    private var page: Page?
    private var gesture = ExitGesture()
    private var codeLock = CodeLock()
    var media = Media()
    private var emulatedTouch = EmulatedTouch()
    private var presence: VisitorPresence
    private var attract = AttractMode()
    private var power = ScreenPower()
    private(set) var hours: KioskHours
    private var burnInSteps: BurnInCare.Steps
    var effects: [Effect] = []

    package init(_ settings: KioskSettings, on layout: BarLayout, at moment: Moment) {
        self.settings = settings
        self.layout = layout
        presence = VisitorPresence(at: moment)
        hours = KioskHours(settings, at: moment)
        burnInSteps = BurnInCare.Steps(at: moment)
    }

    /// Applies settings that have changed.
    package mutating func set(_ settings: KioskSettings, at moment: Moment) {
        guard settings != self.settings else { return }
        self.settings = settings
        hours.checkSoon(at: moment)
    }

    package mutating func set(_ layout: BarLayout) { self.layout = layout }

    /// Whether the surface is black.
    package var isDark: Bool { !power.isOn }

    /// Whether a slideshow plays that has begun without visitors.
    package var isAttracting: Bool { attract.isOn }

    /// The page that asks for the code; nil without it.
    var keypad: Keypad? { if case .keypad(let keypad) = page { keypad } else { nil } }

    // MARK: Input

    /// Handles an input event; returns whether the event is for the pictures, too.
    package mutating func handle(_ event: InputEvent, at moment: Moment) -> Bool {
        switch event {
        case .resize, .scale, .modifiers: return true
        case .touch, .pinch, .swipe, .hold, .pointer, .pen, .key, .textInput: break
        }
        let isUserInput = presence.isUserInput(event)
        if case .cleaning = page { return false }
        if isUserInput, wakes(at: moment) { return false }
        let event = emulatedTouch.translate(event)
        if var keypad {
            let outcome = keypad.handle(
                event, pin: settings.pin, &codeLock, on: layout.surface, at: moment)
            page = outcome == .stay ? .keypad(keypad) : nil
            if outcome == .leave { effects.append(.leave) }
            return false
        }
        if let outcome = media.offer?.handle(event, on: layout.surface, at: moment) {
            handle(outcome)
            return false
        }
        gesture.handle(event, on: layout.surface, at: moment)
        return true
    }

    /// Notes that a person is there; returns whether that has only woken the screen.
    private mutating func wakes(at moment: Moment) -> Bool {
        presence.noteInput(at: moment)
        let wasDark = isDark
        changePower { $0.wake(at: moment, for: $1) }
        // The touch that wakes the screen has no other effect.
        if wasDark, !isDark { return true }
        if attract.end() { effects.append(.setAttract(false)) }
        return false
    }

    /// Notes whether a slideshow plays: none begins over one that plays, and one that a program has ended
    /// begins again.
    package mutating func setPlays(_ plays: Bool, at moment: Moment) {
        // The slideshow of a dark screen goes on when the screen does.
        guard power.isOn, attract.setPlays(plays) else { return }
        presence.postpone(to: moment)
    }

    /// Notes input to other programs on the devices of the kiosk: it delays whatever begins without
    /// visitors.
    package mutating func notePresence(at moment: Moment) { presence.postpone(to: moment) }

    /// Notes the seconds without input until a slideshow that was left for the grid continues; nil
    /// without such a slideshow.
    package mutating func setReturn(toSlideshowAfter seconds: Int?, at moment: Moment) {
        attract.setReturn(after: seconds, at: moment)
    }

    /// Begins the time in which touches are ignored, so that the screen can be cleaned.
    package mutating func clean(at moment: Moment) {
        page = .cleaning(Cleaning(at: moment))
        (media.offer, gesture) = (nil, ExitGesture())
        effects.append(.cancelTouches)
    }

    /// Switches the screen off until the next touch, the next call or the end of dark hours; or on, in
    /// dark hours for as long as a touch does.
    package mutating func switchScreen(isOn: Bool, at moment: Moment) {
        changePower { $0.set(isOn: isOn, at: moment, for: $1) }
    }

    /// Makes a change, which gets the time that a touch wakes the screen in milliseconds, and reports a
    /// screen that goes off or on.
    private mutating func changePower(_ change: (inout ScreenPower, Double) -> Void) {
        let wasOn = power.isOn
        change(&power, Double(settings.wake) * 1000)
        guard power.isOn != wasOn else { return }
        effects.append(.setScreen(isOn: power.isOn))
        if !power.isOn { effects.append(.cancelTouches) }
    }

    // MARK: Time

    /// When `advance` is to be called without an event; nil for never.
    package var deadline: Moment? {
        [
            gesture.deadline, media.offer?.deadline, hours.check, attractMoment, returnMoment,
            restartMoment, stepMoment, power.deadline, pageMoment,
        ].compactMap(\.self).min()
    }

    /// When a page changes or closes.
    private var pageMoment: Moment? {
        switch page {
        case .keypad(let keypad): keypad.deadline(codeLock)
        case .cleaning(let cleaning): min(cleaning.end, cleaning.nextCount)
        case nil: nil
        }
    }

    private var attractMoment: Moment? {
        guard power.isOn, keypad == nil else { return nil }
        return attract.start(after: settings.attract, without: presence.lastInput)
    }

    /// When the slideshow that was left for the grid continues.
    private var returnMoment: Moment? {
        guard power.isOn, keypad == nil else { return nil }
        return attract.resumption(without: presence.lastInput)
    }

    /// When everything moves next, unless somebody uses the kiosk.
    private var stepMoment: Moment? {
        guard settings.burnIn, power.isOn else { return nil }
        return burnInSteps.next(afterInput: presence.lastInput)
    }

    /// By how much everything is moved; nil without burn-in care.
    package var burnInOffset: Vector? {
        settings.burnIn ? BurnInCare.offset(after: burnInSteps.count) : nil
    }

    private var restartMoment: Moment? {
        guard settings.restart > 0, keypad == nil else { return nil }
        return presence.lastUse?.advanced(byMilliseconds: Double(settings.restart) * 1000)
    }

    /// Performs due changes; `localTime` gives the time by the wall clock.
    ///
    /// Returns the effects since the last call.
    package mutating func advance(to moment: Moment, localTime: () -> LocalTime) -> [Effect] {
        if gesture.consume(at: moment) { completeGesture(at: moment) }
        advancePages(to: moment)
        if let check = hours.check, check <= moment { readClock(localTime(), at: moment) }
        changePower { power, _ in power.advance(to: moment) }
        if let stepMoment, stepMoment <= moment { burnInSteps.step(at: moment) }
        if let restartMoment, restartMoment <= moment {
            presence.returnToStart()
            if media.shown == nil { effects.append(.restart) } else { leaveMedium() }
        }
        if let attractMoment, attractMoment <= moment {
            attract.start()
            effects.append(.setAttract(true))
        }
        if let returnMoment, returnMoment <= moment {
            attract.resume()
            effects.append(.returnToSlideshow)
        }
        defer { effects = [] }
        return effects
    }

    private mutating func completeGesture(at moment: Moment) {
        if settings.pin.isEmpty {
            effects.append(.leave)
        } else {
            page = .keypad(Keypad(codeLock, at: moment))
            effects.append(.cancelTouches)
        }
    }

    private mutating func advancePages(to moment: Moment) {
        switch page {
        case .keypad(let keypad): if keypad.deadline(codeLock) <= moment { page = nil }
        case .cleaning(var cleaning):
            cleaning.advance(to: moment)
            page = cleaning.end <= moment ? nil : .cleaning(cleaning)
            if page == nil { presence.postpone(to: moment) }
        case nil: break
        }
        if let offer = media.offer, offer.deadline <= moment { media.offer = nil }
    }

    private mutating func readClock(_ time: LocalTime, at moment: Moment) {
        let folder = hours.folder
        hours.read(time, settings, at: moment)
        let (isDark, lastUse) = (settings.dark.value(at: time) != nil, presence.lastUse)
        changePower { $0.follow(isInDarkHours: isDark, lastUse: lastUse, for: $1) }
        if hours.folder != folder, media.shown == nil {
            effects.append(.show(folder: hours.folder))
        }
    }

    // MARK: The scene

    /// The overlay above the pictures.
    package func overlay(at moment: Moment) -> KioskOverlay? {
        if isDark { return .dark }
        switch page {
        case .keypad(let keypad): return .page(keypad.widget(on: layout.surface), keypad.focus)
        case .cleaning(let cleaning):
            return .page(cleaning.widget(on: layout, at: moment), WidgetFocus())
        case nil: return media.offer.map { .page($0.widget(on: layout.surface), $0.focus) }
        }
    }
}

/// What a kiosk shows above the pictures.
package enum KioskOverlay: Hashable, Sendable {
    /// Nothing but black.
    case dark
    /// A page over dimmed pictures.
    case page(Widget, WidgetFocus)
}
