package import Interface

/// A window of the viewer as assistive technology sees it.
struct AccessibilityWindow: Hashable, Sendable {
    /// Identifies the window; never given to another one.
    var number: Int
    var tree: AccessibleTree
    /// Whether the window is the active one of the desktop.
    var isActive: Bool
    /// Whether the widget with the focus is in the window: in the active one, else in the one that was
    /// active last.
    var hasFocus: Bool
}

/// The interface of a window that is shown.
package struct AccessibleInterface {
    var window: Int
    var interface: Widget?
    var isActive: Bool

    /// Without an interface the window keeps the one that was shown before.
    ///
    /// `window` identifies the window, and is never given to another one; windows are listed by these
    /// numbers.
    package init(_ interface: Widget?, of window: Int, isActive: Bool) {
        (self.interface, self.window, self.isActive) = (interface, window, isActive)
    }
}

/// What assistive technology asks for, and the number of the window.
struct WindowAccessibilityRequest: Hashable, Sendable {
    var request: AccessibilityRequest
    var window: Int
}

extension [AccessibilityWindow] {
    /// The windows that are shown next; what has changed keeps the numbers of its widgets.
    func showing(_ interfaces: [AccessibleInterface]) -> [AccessibilityWindow] {
        let former = Dictionary(map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        var windows = interfaces.compactMap { shown -> AccessibilityWindow? in
            let before = former[shown.window]
            let tree = shown.interface.map { AccessibleTree($0, after: before?.tree) }
            guard let tree = tree ?? before?.tree else { return nil }
            return AccessibilityWindow(
                number: shown.window, tree: tree, isActive: shown.isActive,
                hasFocus: shown.isActive)
        }
        windows.sort { $0.number < $1.number }
        if !windows.isEmpty, !windows.contains(where: \.isActive) {
            let last = windows.firstIndex { former[$0.number]?.hasFocus == true }
            windows[last ?? 0].hasFocus = true
        }
        return windows
    }
}
