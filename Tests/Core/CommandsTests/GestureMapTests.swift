import Testing

@testable import Commands

/// The gestures that can have other commands, as the help names them.
@Suite struct GestureMapTests {
    private func text(_ gestures: GestureMap, _ command: Command) -> String {
        gestures.text(of: CommandTable.entry(of: command), in: .viewer)
    }

    @Test func theHelpNamesWhatAGestureDoes() {
        var gestures = GestureMap()
        #expect(text(gestures, .menu) == "Long press")
        #expect(text(gestures, .zoomOut) == "Pinch, tap with two fingers")
        gestures[.longPress] = .rotateClockwise
        gestures[.twoFingerTap] = .crop
        #expect(text(gestures, .menu) == "" && text(gestures, .zoomOut) == "Pinch")
        #expect(text(gestures, .rotateClockwise) == "Twist two fingers, long press")
        #expect(text(gestures, .crop) == "Tap with two fingers")
        #expect(
            gestures.text(of: CommandTable.entry(of: .rotateClockwise), in: .grid) == "")
    }

    @Test func onlyCommandsForThePictureAreAllowed() {
        #expect(GestureMap.allows(.menu) && GestureMap.allows(.delete))
        #expect(!GestureMap.allows(.selectAll) && !GestureMap.allows(.favouritesOnly))
    }
}
