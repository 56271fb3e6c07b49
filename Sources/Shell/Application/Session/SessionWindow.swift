import Desktop
import Folders
import Interface
import Motion

/// The window of a session: what the session asks of the compositor, and of the desktop around the window.
///
/// A session without a compositor has none.
protocol SessionWindow: AnyObject {
    func perform(_ request: WindowRequest)
    /// A new frame is needed, though nothing was handled by the loop.
    func invalidate()
    /// The desktop to use now; nil without one.
    func desktopAccess() -> DesktopAccess?
    /// Lets the person choose other files to show.
    func openFiles(_ kind: FileKind)
    /// Lets the person choose a folder, for a purpose that the title names.
    func chooseFolder(_ title: String, onEnd: @escaping (FileChoice) -> Void)
    /// When somebody last used the devices elsewhere, as far as the compositor tells.
    func lastInputElsewhere(at moment: Moment) -> Moment?
}
