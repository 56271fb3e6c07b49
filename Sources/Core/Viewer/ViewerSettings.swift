package import Commands
package import Input
import Localization
package import Settings

/// The viewer's settings; `table` has their names in the settings file.
package struct ViewerSettings: Hashable, Sendable {
    package enum Dismiss: String, Hashable, Sendable, CaseIterable {
        case quit
        case grid
        case off
    }

    package enum DoubleTap: String, Hashable, Sendable, CaseIterable {
        /// Steps through all zoom levels of the ladder.
        case ladder
        /// Switches between fit and the first step above it.
        case toggle
    }

    package enum Wheel: String, Hashable, Sendable, CaseIterable {
        case page
        case zoom
    }

    package enum TapSides: String, Hashable, Sendable, CaseIterable {
        case off
        /// Only clicks turn pages.
        case pointer
        /// Clicks and taps turn pages.
        case touch
    }

    /// What a swipe upwards does.
    package enum SwipeUp: String, Hashable, Sendable, CaseIterable {
        case dismiss
        case information
    }

    /// Whether fit enlarges a picture that is smaller than the surface.
    package var enlarge = false
    /// What a dismissal does; nil returns to where the picture was opened from.
    package var dismiss: Dismiss?
    /// Whether a drag also dismisses by its distance, without the speed of a fling.
    package var dismissByDistance = false
    /// Whether the next picture shows the zoom and the place of the last one.
    package var keepZoom = false
    package var swipeUp = SwipeUp.dismiss
    package var doubleTap = DoubleTap.ladder
    package var wheel = Wheel.page
    /// What turns the page beside the left and the right edge of the surface.
    package var tapSides = TapSides.pointer
    /// Whether scrolling by touchpad can dismiss a picture as a finger can.
    package var scrollDismisses = false
    /// Whether twisting two fingers rotates the picture.
    package var rotate = true
    /// The commands of gestures that can have other commands.
    package var gestures = GestureMap()
    /// What the tip of a pen is.
    package var pen = PenContact.touch
    package var reducedMotion = false
    /// Whether a checkerboard is drawn behind transparent areas instead of the backdrop.
    package var checkerboard = false
    package var slideshow = SlideshowSettings()

    package init() {}
}

extension ViewerSettings {
    /// The settings `viewer.*`, `gestures.*` and `slideshow.*`.
    package static let table: [SettingEntry<ViewerSettings>] =
        [
            .flag("viewer.enlarge", \.enlarge, "Whether fit enlarges small pictures."),
            .choice(
                "viewer.dismiss", \.dismiss,
                "What a throw does. By default the picture goes back to where it was opened from."),
            .flag(
                "viewer.dismiss_by_distance", \.dismissByDistance,
                "Whether a long slow drag dismisses, too."),
            .choice(
                "viewer.swipe_up", \.swipeUp,
                "Whether a throw upwards dismisses the picture or opens the information panel."),
            .flag(
                "viewer.scroll_dismisses", \.scrollDismisses,
                "Whether a two-finger scroll on a touchpad dismisses a picture."),
            .choice(
                "viewer.wheel", \.wheel, "Whether the wheel turns pages or zooms."),
            .flag(
                "viewer.keep_zoom", \.keepZoom,
                "Whether the next picture keeps the place and the zoom: 1:1 and chosen percentages in "
                    + "pixels, else relative to fit."),
            .choice(
                "viewer.tap_sides", \.tapSides,
                "Whether clicks, or clicks and taps, beside the left and right edge turn the page."),
            .flag(
                "viewer.checkerboard", \.checkerboard,
                "Whether a checkerboard is shown behind transparent areas."),
            .choice(
                "gestures.double_tap", \.doubleTap,
                "Whether double taps go through all steps of the zoom, or toggle between fit and the "
                    + "first step."),
            .flag("gestures.rotate", \.rotate, "Whether a twist rotates the picture."),
            .choice(
                "gestures.pen", \.pen,
                "Whether the tip of a pen is a finger or the left button of a mouse. A pen that hovers is "
                    + "a pointer, and fingers beside a pen are ignored."),
        ]
        + CommandGesture.allCases.map(command) + SlideshowSettings.table

    /// The setting that gives a gesture a command.
    private static func command(_ gesture: CommandGesture) -> SettingEntry<ViewerSettings> {
        .choice(
            gesture.setting, \.gestures[gesture], values: "COMMAND",
            expected: localized("the identifier of a command for the picture"),
            gesture.documentation + " vitrine msg commands lists all commands.",
            accepted: GestureMap.allows)
    }
}
