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

    func desktopAccess() -> DesktopAccess? { run.desktop.access(for: self) }

    func openFiles(_ kind: FileKind) {
        run.desktop.choose(kind, for: self) { [session] in session.open($0, kind) }
    }

    func chooseFolder(_ title: String, onEnd: @escaping (FileChoice) -> Void) {
        run.desktop.choose(.folder, for: self, onEnd: onEnd)
    }

    func lastInputElsewhere(at moment: Moment) -> Moment? {
        run.kioskWindows?.lastInputElsewhere(at: moment)
    }
}
