import Commands
import Geometry
import Motion

/// The menu and its keys.
extension ViewerModel {
    mutating func openMenu(at point: Point) {
        switch state {
        case .leaving, .returningToCell, .gone: return
        case .resting, .held, .moving:
            menu = Menu(at: point, on: viewport.size, animation: animation)
        }
    }

    /// Handles a tap while the menu is open: performs the item at `point`, and closes the menu.
    mutating func tapMenu(
        _ menu: Menu, at point: Point, _ moment: Moment, effects: inout [Effect]
    ) {
        self.menu = nil
        guard let command = menu.command(at: point) else { return }
        perform(command, at: moment, effects: &effects)
    }

    /// Handles a key while the menu is open; returns whether the menu consumed the key.
    mutating func handleInMenu(
        _ command: Command, at moment: Moment, effects: inout [Effect]
    ) -> Bool {
        guard var menu else { return false }
        self.menu = nil
        switch command {
        case .down, .up:
            menu.moveFocus(by: command == .down ? 1 : -1)
            self.menu = menu
        case .chrome, .next:
            guard let focused = menu.focusedCommand else { return command == .chrome }
            perform(focused, at: moment, effects: &effects)
        case .leave, .menu: break
        default: return false
        }
        return true
    }
}
