import Desktop
import Folders
import Interface
import Motion
import WaylandClient

/// The window as its session sees it.
extension WindowController: SessionWindow {
    func perform(_ request: WindowRequest) {
        guard let window else { return }
        switch request {
        case .move: window.beginMove(seat: lastSeat)
        case .showMenu(let point): window.showWindowMenu(seat: lastSeat, at: point)
        case .minimize: window.minimize()
        case .toggleMaximized: window.setMaximized(!(window.state?.isMaximized ?? false))
        case .toggleFullscreen: window.setFullscreen(!window.isFullscreen)
        }
    }

    func invalidate() { frames.invalidate() }

    func desktopAccess() -> DesktopAccess? { run.desktopAccess(for: self) }

    func openFiles(_ kind: FileKind) { run.openFiles(kind, for: self) }

    func chooseFolder(_ title: String, onEnd: @escaping (FileChoice) -> Void) {
        run.chooseFolder(title, for: self, onEnd: onEnd)
    }

    func lastInputElsewhere(at moment: Moment) -> Moment? { run.lastInputElsewhere(at: moment) }
}
