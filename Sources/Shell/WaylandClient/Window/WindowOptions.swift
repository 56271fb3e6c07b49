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
    package var isMaximized: Bool
    /// The name of the icon in the icon theme; nil leaves the choice to the compositor.
    package var iconName: String?
    /// The token with which another program has started this one; nil if there is none.
    package var activationToken: String?
    /// The name by which rules of the desktop can refer to the window, in no language; nil for none.
    package var tag: String?
    /// Nil for a window that no session brings back.
    package var session: WindowSessionOptions?

    package init(
        title: String, appID: String, size: Size = Size(width: 960, height: 640),
        minimumSize: Size = .zero, isFullscreen: Bool = false, isMaximized: Bool = false,
        iconName: String? = nil, activationToken: String? = nil, tag: String? = nil,
        session: WindowSessionOptions? = nil
    ) {
        self.title = title
        self.appID = appID
        self.size = size
        self.minimumSize = minimumSize
        self.isFullscreen = isFullscreen
        self.isMaximized = isMaximized
        self.iconName = iconName
        self.activationToken = activationToken
        self.tag = tag
        self.session = session
    }
}
