import Commands
import CoreTestKit
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Settings
import Testing

@testable import Interface
@testable import Viewer

/// `gestures.long_press` and `gestures.two_finger_tap`: gestures with other commands.
@Suite struct GestureCommandTests {
    private static let point = Point(x: 900, y: 600)

    private func rig(_ change: (inout ViewerSettings) -> Void = { _ in }) -> Rig {
        var settings = ViewerSettings()
        change(&settings)
        return Rig(Array(repeating: Rig.photo, count: 3), settings: settings)
    }

    private func longPress(_ rig: inout Rig) {
        rig.touch([.down(id: 0, at: Self.point)])
        rig.pass(to: rig.now + 900)
        rig.touch([.up(id: 0)])
        rig.rest()
    }

    private func tapWithTwoFingers(_ rig: inout Rig) {
        rig.touch([
            .down(id: 0, at: Self.point), .down(id: 1, at: Self.point + Vector(dx: 150, dy: 0)),
        ])
        rig.touch([.up(id: 0), .up(id: 1)], after: 60)
        rig.rest()
    }

    @Test func gesturesDoWhatTheyDoByDefault() {
        var rig = rig()
        longPress(&rig)
        #expect(rig.viewer.chrome.menu != nil)
        rig.key("Escape")
        let fit = rig.placement.zoom
        rig.doubleTap(Self.point)
        rig.rest()
        #expect(rig.placement.zoom > fit)
        tapWithTwoFingers(&rig)
        #expect(rig.placement.zoom == fit && rig.viewer.chrome.menu == nil)
    }

    @Test func aLongPressHasAnotherCommand() {
        var rig = rig { $0.gestures[.longPress] = .information }
        longPress(&rig)
        #expect(rig.frame.showsInformation && rig.viewer.chrome.menu == nil)
    }

    /// The right button of the mouse opens the menu whatever a finger does.
    @Test func theRightButtonOpensTheMenu() {
        var rig = rig { $0.gestures[.longPress] = .information }
        rig.send(.pointer(.move(to: Self.point)))
        rig.send(.pointer(.button(.right, isDown: true)))
        rig.send(.pointer(.button(.right, isDown: false)))
        #expect(!rig.frame.showsInformation && rig.viewer.chrome.menu != nil)
    }

    @Test func aTapWithTwoFingersHasAnotherCommand() {
        var rig = rig { $0.gestures[.twoFingerTap] = .menu }
        rig.doubleTap(Self.point)
        rig.rest()
        let zoom = rig.placement.zoom
        tapWithTwoFingers(&rig)
        #expect(rig.viewer.chrome.menu != nil && rig.placement.zoom == zoom)
    }

    @Test func whatIsNotAllowedIsNotDone() {
        var rig = rig { $0.gestures[.longPress] = .information }
        rig.interaction.target.setPolicy(.looking)
        longPress(&rig)
        #expect(!rig.frame.showsInformation)
    }

    /// A change of the settings counts for the next gesture.
    @Test func aRunningViewerTakesTheChange() {
        var rig = rig()
        var settings = rig.viewer.settings
        settings.gestures[.longPress] = .information
        rig.interaction.target.setSettings(settings, at: Moment(milliseconds: rig.now))
        longPress(&rig)
        #expect(rig.frame.showsInformation)
        #expect(rig.viewer.chrome.layout.gestures == settings.gestures)
    }

    @Test(arguments: ["fly", "select-all", ""]) func otherCommandsAreRefused(name: String) {
        var settings = ViewerSettings()
        for gesture in CommandGesture.allCases.map(\.setting) {
            let reason = #expect(throws: SettingRefusal.self) {
                try ViewerSettings.table.set(Setting(gesture, written: name), in: &settings)
            }
            #expect(
                reason?.reason
                    == "\(gesture) takes the identifier of a command for the picture, not “\(name)”"
            )
        }
        #expect(settings == ViewerSettings())
    }
}
