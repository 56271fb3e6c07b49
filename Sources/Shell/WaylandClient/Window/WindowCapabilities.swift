import WaylandProtocol

/// What the compositor can do with a window at the window's request.
///
/// A compositor that does not say is taken to be capable of everything.
package struct WindowCapabilities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shows a menu for the window.
    package static let windowMenu = WindowCapabilities(rawValue: 1)
    package static let maximize = WindowCapabilities(rawValue: 2)
    package static let fullscreen = WindowCapabilities(rawValue: 4)
    package static let minimize = WindowCapabilities(rawValue: 8)

    package static let all: WindowCapabilities = [.windowMenu, .maximize, .fullscreen, .minimize]

    /// The capabilities among the words of a `wm_capabilities` event; unknown ones are ignored.
    init(words: [UInt32]) {
        let known: [(XdgToplevel.WmCapabilities, WindowCapabilities)] = [
            (.windowMenu, .windowMenu), (.maximize, .maximize), (.fullscreen, .fullscreen),
            (.minimize, .minimize),
        ]
        self = known.reduce(into: []) {
            if words.contains($1.0.rawValue) { $0.insert($1.1) }
        }
    }
}
