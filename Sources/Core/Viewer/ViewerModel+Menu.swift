import Commands
import Geometry
package import Interface

/// The menu of the picture, opened by a long press, the right mouse button or a key.
extension ViewerModel {
    /// The commands of the menu; each of them has a key, too.
    private static let menuCommands: [Command] = [
        .fit, .oneToOne, .rotateClockwise, .rotateAnticlockwise, .playPause, .nextFrame,
        .information, .checkerboard, .fullscreen, .leave,
    ]

    private var menuItems: [Menu.Item] {
        Self.menuCommands.map(CommandTable.entry(of:))
            .filter { $0.condition != .animation || playback != nil }
            .map { entry in
                let isPlay = entry.command == .playPause && playback != .playing
                return Menu.Item(
                    title: isPlay ? "Play" : entry.title, command: entry.command)
            }
    }

    mutating func openMenu(at point: Point) {
        guard zoomPan.isShown else { return }
        chrome.openMenu(menuItems, at: point)
    }

    /// Whether the information panel is shown; its content should then be set.
    package var showsInformation: Bool { chrome.showsInformation }

    /// Sets the content of the information panel; `isOther` says that the content describes another
    /// picture than before.
    package mutating func setInformation(_ information: Information?, isOther: Bool) {
        chrome.setInformation(information, isOther: isOther)
    }
}
