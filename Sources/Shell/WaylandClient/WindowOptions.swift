package import Geometry

/// The properties of a window from its first frame on.
package struct WindowOptions: Hashable, Sendable {
    package var title: String
    /// The name of the desktop file, without its suffix.
    package var appID: String
    /// The logical size if the compositor leaves the choice.
    package var size: Size
    /// The smallest usable logical size; zero for no limit.
    package var minimumSize: Size
    package var isFullscreen: Bool

    package init(
        title: String, appID: String, size: Size = Size(width: 960, height: 640),
        minimumSize: Size = .zero, isFullscreen: Bool = false
    ) {
        self.title = title
        self.appID = appID
        self.size = size
        self.minimumSize = minimumSize
        self.isFullscreen = isFullscreen
    }
}
