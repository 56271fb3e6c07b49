import Browser
import Commands
import Folders
import Geometry
import Gestures
import Glibc
import Input
import Interface
import Kiosk
import Motion
import SceneModel
import Viewer

/// The rules of a kiosk, around the pictures.
extension Session {
    /// Whether the screen stays on although nobody touches it.
    var keepsScreenOn: Bool { screenIsOn ?? playsSlideshow }

    /// Whether the screen of a kiosk is on; nil for a person's own viewer.
    var screenIsOn: Bool? { kiosk.map { !$0.isDark } }

    func startKiosk(at moment: Moment) {
        guard options.isKiosk else { return }
        kiosk = KioskModel(options.values.kiosk, on: browser.layout, at: moment)
        applyPolicy()
        watchMedia(at: moment)
        advanceKiosk(to: moment)
    }

    func applyPolicy() {
        if kiosk != nil { browser.setPolicy(options.values.kiosk.allowed) }
        kiosk?.set(browser.layout)
    }

    /// Shows an input event to the kiosk; returns whether the event is for the pictures, too.
    func kioskAllows(_ event: InputEvent, at moment: Moment) -> Bool {
        let isForPictures = kiosk?.handle(event, at: moment) ?? true
        advanceKiosk(to: moment)
        return isForPictures
    }

    func advanceKiosk(to moment: Moment) {
        if let elsewhere = window?.lastInputElsewhere(at: moment) {
            kiosk?.notePresence(at: elsewhere)
        }
        for effect in kiosk?.advance(to: moment, localTime: { .now }) ?? [] {
            // The person who opened the settings page has left.
            if [.restart, .setAttract(true), .returnToSlideshow].contains(effect) {
                browser.hideSettings(at: moment)
            }
            switch effect {
            case .leave: hasEnded = true
            case .restart: restart(at: moment)
            case .setAttract(true): startAttract(at: moment)
            // A slideshow that the kiosk was started with pauses.
            case .setAttract(false):
                if !options.start.playsSlideshow { browser.leaveSlideshow(at: moment) }
            case .returnToSlideshow:
                browser.hasLeftSlideshow = false
                setSlideshow(true, at: moment)
            case .setScreen(let isOn): setScreen(isOn, at: moment)
            case .show(let folder): showOwnPictures(folder)
            case .showMedium(let folder): showMedium(folder)
            case .cancelTouches: cancelTouches(at: moment)
            }
        }
    }

    /// Ends what fingers do, as if the compositor had taken them.
    func cancelTouches(at moment: Moment) {
        cancelTouches(of: interaction.holdingSeat ?? 0, at: moment)
    }

    func cancelTouches(of seat: Int, at moment: Moment) {
        var effects: [ViewerEffect] = []
        for event in ScriptPlayer.ending {
            _ = interaction.handle(event, of: seat, at: moment, effects: &effects)
        }
        perform(effects, at: moment)
    }

    /// Shows the start screen, as if the program had just started.
    private func restart(at moment: Moment) {
        guard album.count > 0 else { return }
        // A slideshow goes on where it was, as after a start.
        let place = options.start.playsSlideshow ? slideshow.recall.place : nil
        perform(showNewAlbum(with: place ?? 0), at: moment)
        if options.start.playsSlideshow, !playsSlideshow { startSlideshow(at: moment) }
    }

    /// Starts the slideshow of the viewer; under a dark screen as soon as the screen is on again.
    func startSlideshow(at moment: Moment) {
        if kiosk?.isDark == true {
            slideshow.suspensions[.dark] = true
        } else {
            browser.startSlideshow(at: moment)
        }
    }

    /// Tells the kiosk whether the slideshow that it was started with was left for the grid.
    func noteLeftSlideshow(at moment: Moment) {
        if playsSlideshow { browser.hasLeftSlideshow = false }
        let isLeft = options.start.playsSlideshow && browser.hasLeftSlideshow
        kiosk?.setReturn(
            toSlideshowAfter: isLeft ? options.values.viewer.slideshow.resume : nil, at: moment)
        kiosk?.setPlays(playsSlideshow, at: moment)
    }

    /// Continues the slideshow without visitors: nobody would look at the grid of a new album.
    func attractWithNewAlbum() -> [ViewerEffect] {
        var effects: [ViewerEffect] = []
        if let kiosk, kiosk.isAttracting, !kiosk.isDark, !playsSlideshow {
            browser.perform(.slideshow, at: now(), effects: &effects)
        }
        return effects
    }

    /// Switches the screen of a kiosk off or on, because a program asks for that.
    func switchScreen(isOn: Bool, at moment: Moment) {
        kiosk?.switchScreen(isOn: isOn, at: moment)
        advanceKiosk(to: moment)
    }

    private func setScreen(_ isOn: Bool, at moment: Moment) {
        if isOn {
            endSuspension(.dark, at: moment)
        } else {
            if playsSlideshow || options.start.playsSlideshow && browser.hasLeftSlideshow {
                slideshow.suspensions[.dark] = true
            }
            browser.stopSlideshow()
        }
    }

    // MARK: The scene

    func addKioskOverlay(to scene: inout Scene, at moment: Moment) {
        guard let overlay = kiosk?.overlay(at: moment) else { return }
        let surface = Rect(x: 0, y: 0, width: scene.size.width, height: scene.size.height)
        switch overlay {
        case .dark:
            scene.items = []
            (scene.backdrop, scene.backdropColor) = (1, .black(1))
        case .page(let page, let focus):
            scene.items.append(.fill(FillItem(rect: surface, color: .black(0.7))))
            scene.items.append(.layer(page.layer(browser.layout.theme, focus)))
        }
    }

    func addingKioskPage(to window: Widget, at moment: Moment) -> Widget {
        guard let overlay = kiosk?.overlay(at: moment) else { return window }
        var window = window
        switch overlay {
        case .dark: window.children = []
        case .page(let page, _): window.children.append(page)
        }
        return window
    }
}

extension CommandPolicy {
    /// Whether a person may cause an effect.
    func allows(_ effect: ViewerEffect) -> Bool {
        switch effect {
        case .want, .present: true
        case .playPause: allows(Command.playPause)
        case .nextFrame: allows(Command.nextFrame)
        case .window(.toggleFullscreen): allows(.fullscreen)
        case .openFiles: allows(Command.openFiles)
        case .openFolder: allows(Command.openFolder)
        case .newWindow: allows(Command.newWindow)
        case .openHomePage: allows(.openWith)
        case .turned: true
        case .files(let command): allows(command)
        case .dragOut: allows(.copy)
        // The command that has asked was allowed.
        case .answered, .choose: true
        case .saveCrop: allows(.crop)
        case .openSettings, .changeSettings: allows(.settings)
        case .sort: allowsSorting
        case .search: allows(.find)
        case .folder: allows(Command.openFolder)
        case .position(.copy): allows(.copy)
        case .position(.openMap): allows(.openWith)
        case .window, .quit: allowsLeaving
        }
    }
}

extension LocalTime {
    /// The time by the wall clock of this machine, in its time zone.
    static var now: LocalTime {
        var seconds = time(nil)
        var parts = tm()
        tzset()
        localtime_r(&seconds, &parts)
        return LocalTime(
            day: (Int(parts.tm_wday) + 6) % 7,
            second: Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec))
    }
}
