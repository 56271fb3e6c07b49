import Geometry
import Motion

/// The menu and the keys that work it.
extension ViewerModel {
    mutating func openMenu(at point: Point) {
        switch state {
        case .leaving, .homing, .gone: return
        case .resting, .held, .moving:
            menu = Menu(at: point, on: viewport.size, animation: animation)
        }
    }

    /// A tap while the menu is open: on an item, or beside it, which closes it.
    mutating func tapMenu(
        _ menu: Menu, at point: Point, _ moment: Moment, effects: inout [Effect]
    ) {
        self.menu = nil
        guard let command = menu.command(at: point) else { return }
        perform(command, at: moment, effects: &effects)
    }

    /// Takes a key while the menu is open; tells whether it was the menu's.
    mutating func handleInMenu(
        _ command: KeyCommand, at moment: Moment, effects: inout [Effect]
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
