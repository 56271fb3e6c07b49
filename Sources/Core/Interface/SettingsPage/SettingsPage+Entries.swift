package import Commands
import Localization
import TOML

/// The settings that the settings page offers, and their words.
///
/// The page offers settings that people change and that a running viewer can change; the tables of
/// settings have more. The application's tests compare both.
extension SettingsPage {
    /// A setting on the page.
    package struct Entry: Hashable, Sendable {
        /// The name of the setting, such as `viewer.keep_zoom`.
        package let name: String
        package let title: String
        /// A sentence below the title; empty for none.
        package let detail: String
        package let control: Control
        /// The command whose keys the setting has; nil for other settings.
        package var command: Command? {
            if case .keys(let command) = control { command } else { nil }
        }

        package init(_ name: String, _ title: String, _ detail: String = "", _ control: Control) {
            self.name = name
            self.title = title
            self.detail = detail
            self.control = control
        }
    }

    package static let entries: [(title: String, entries: [Entry])] = [
        (localized("Appearance"), appearance), (localized("Pictures"), pictures),
        (localized("Gestures"), gestures), (localized("Grid"), grid),
        (localized("Slideshow"), slideshow),
    ]

    private static func choices(_ choices: [(String, String)]) -> Control {
        .choice(choices.map { Choice(.string($0.0), $0.1) })
    }

    /// Commands that people give to gestures.
    private static let common: [Command] = [
        .information, .fullscreen, .favourite, .rotateClockwise, .slideshow, .oneToOne, .grid,
        .delete,
    ]

    private static func commands(_ gesture: CommandGesture) -> Entry {
        var commands = [.menu] + common
        if !commands.contains(gesture.initialCommand) {
            commands.insert(gesture.initialCommand, at: 0)
        }
        return Entry(
            gesture.setting, gesture.title,
            choices(commands.map { ($0.rawValue, CommandTable.entry(of: $0).title) }))
    }

    private static let appearance = [
        Entry(
            "interface.colors", localized("Colours"),
            choices([
                ("desktop", localized("As the desktop")), ("dark", localized("Dark")),
                ("light", localized("Light")),
            ])),
        Entry(
            "interface.contrast", localized("Contrast"),
            choices([
                ("desktop", localized("As the desktop")), ("normal", localized("Normal")),
                ("high", localized("High")),
            ])),
        Entry(
            "interface.text_scale", localized("Size of texts"),
            .choice(
                [Choice(.string("desktop"), localized("As the desktop"))]
                    + [0.8, 1, 1.25, 1.5, 2, 3].map { scale in
                        Choice(.number(scale), percentage(Int((scale * 100).rounded())))
                    })),
        Entry(
            "interface.motion", localized("Animations"),
            choices([
                ("desktop", localized("As the desktop")), ("full", localized("In full")),
                ("reduced", localized("Reduced")),
            ])),
    ]

    private static let pictures = [
        Entry(
            "viewer.enlarge", localized("Enlarge small pictures"),
            localized("A small picture fills the window."), .flag),
        Entry(
            "viewer.keep_zoom", localized("Keep zoom"),
            localized("The next picture is shown at the same zoom and place; 1:1 stays 1:1."), .flag
        ),
        Entry(
            "light", localized("HDR pictures"),
            choices([
                ("full", localized("As bright as the screen can")),
                ("limited", localized("At most twice as bright as white")),
                ("off", localized("No brighter than white")),
            ])),
        Entry(
            "viewer.checkerboard", localized("Checkerboard"),
            localized("Behind transparent areas."), .flag),
        Entry(
            "files.save_turns", localized("Save rotated pictures"),
            localized("Else a turn lasts as long as the picture is shown."), .flag),
    ]

    private static let gestures = [
        Entry(
            "gestures.double_tap", localized("Double tap"),
            choices([
                ("ladder", localized("Goes through all zooms")),
                ("toggle", localized("Zooms in, and out again")),
            ])),
        commands(.longPress), commands(.twoFingerTap),
        Entry("gestures.rotate", localized("Rotate by twisting two fingers"), .flag),
        Entry(
            "viewer.swipe_up", localized("Swipe up"),
            choices([
                ("dismiss", localized("Closes the picture")),
                ("information", localized("Shows information")),
            ])),
        Entry(
            "viewer.dismiss_by_distance", localized("Close by a slow drag"),
            localized("A long slow drag closes the picture, too."), .flag),
        Entry("viewer.scroll_dismisses", localized("Close by scrolling on a touchpad"), .flag),
        Entry(
            "viewer.tap_sides", localized("Turn pages at the sides"),
            choices([
                ("off", localized("Off")), ("pointer", localized("By clicks")),
                ("touch", localized("By clicks and taps")),
            ])),
        Entry(
            "viewer.wheel", localized("Mouse wheel"),
            choices([
                ("page", localized("Turns pages")), ("zoom", localized("Zooms")),
            ])),
        Entry(
            "gestures.pen", localized("Tip of a pen"),
            choices([
                ("touch", localized("Acts as a finger")), ("mouse", localized("Acts as a mouse")),
            ])),
        commands(.penEraser), commands(.firstPenButton), commands(.secondPenButton),
        commands(.thirdPenButton),
    ]

    private static let grid = [
        Entry(
            "collection.sort", localized("Sorted by"),
            .choice(
                SortChoice.Key.allCases.map { Choice(.string($0.rawValue), $0.title) })),
        Entry("collection.descending", localized("In reverse order"), .flag),
        Entry(
            "grid.pinch", localized("Spread two fingers"),
            choices([
                ("zoom", localized("Enlarges all pictures")),
                ("peek", localized("Lifts one picture")),
            ])),
        Entry(
            "peek.release", localized("Let a lifted picture go"),
            choices([
                ("back", localized("Puts it back")),
                ("open", localized("Opens it if it is large")),
            ])),
    ]

    private static let slideshow = [
        Entry(
            "slideshow.interval", localized("Time per picture"),
            .number(
                [
                    0.1, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 45, 60, 120, 180,
                    300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400,
                ], .seconds)),
        Entry(
            "slideshow.order", localized("Order"),
            choices([
                ("listing", localized("As the pictures are sorted")),
                ("name", localized("By name")),
                ("date", localized("By date")), ("shuffle", localized("At random")),
            ])),
        Entry(
            "slideshow.transition", localized("Transition"),
            choices([
                ("cut", localized("At once")), ("fade", localized("Fade")),
                ("slide", localized("Slide")),
            ])),
        Entry(
            "slideshow.transition_time", localized("Length of a fade"),
            .number(
                [0, 200, 400, 600, 800, 1000, 1500, 2000, 3000, 5000, 10_000], .milliseconds)),
        Entry(
            "slideshow.motion", localized("Movement"),
            choices([
                ("still", localized("Stand still")),
                ("pan-zoom", localized("Move slowly over the picture")),
            ])),
        Entry(
            "slideshow.pairs", localized("Pictures in pairs"),
            localized("Two upright pictures share a wide screen, two wide ones an upright screen."),
            .flag),
        Entry(
            "slideshow.caption", localized("Caption"),
            choices([
                ("", localized("Nothing")), ("title", localized("Title")),
                ("title, date", localized("Title and date")),
                ("title, description, date, place", localized("All that is known")),
                ("name", localized("File name")),
            ])),
        Entry("slideshow.clock", localized("Show the time"), .flag),
        Entry(
            "slideshow.progress", localized("Show how soon the next picture is due"), .flag),
        Entry(
            "slideshow.resume", localized("Go on after the last touch"),
            .number(
                [1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 300, 600, 1800, 3600, 86400], .seconds)),
    ]
}

extension SettingsPage.Entry {
    /// A setting without a sentence below the title.
    fileprivate init(_ name: String, _ title: String, _ control: SettingsPage.Control) {
        self.init(name, title, "", control)
    }
}
