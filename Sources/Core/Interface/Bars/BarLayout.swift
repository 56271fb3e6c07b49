package import Commands
package import Geometry
import Localization
package import SceneModel

/// The surface that bars are laid out on, and the looks of the bars.
package struct BarLayout: Hashable, Sendable {
    /// In logical pixels.
    package var surface: Size
    package var theme: Theme
    package var text: TextMeasurement
    /// Whether bars, panels and sheets move at once; motions that have begun go on.
    package var reducesMotion: Bool
    /// The buttons of the window that the bars include; nil where the compositor draws them.
    package var windowControls: WindowControls?
    /// Whether the pointer was used last, so that controls for it are shown.
    package var usesPointer = false
    /// The commands that have buttons, menu items and rows of the help.
    package var policy = CommandPolicy.everything
    /// The keys that menus and the help name.
    package var keys = KeyMap()
    /// The gestures that the help names.
    package var gestures = GestureMap()

    package init(
        surface: Size, theme: Theme, text: TextMeasurement, reducesMotion: Bool = false
    ) {
        self.surface = surface
        self.theme = theme
        self.text = text
        self.reducesMotion = reducesMotion
    }

    /// The distance between bars and the edges of the surface, in logical pixels.
    static let margin = Theme.Space.widget
    /// The side of a button and the height of a bar, in logical pixels: at least that of a touch target, and more
    /// with larger texts where the surface has room for a row of buttons.
    package var target: Double {
        let room = max(min(surface.width, surface.height) / Self.fewestButtons, Theme.target)
        return min(Theme.target * max(theme.textScale, 1), Self.largestTarget, room).rounded(.down)
    }

    private static let largestTarget = 72.0
    /// A surface is at least as wide and as high as so many large buttons.
    private static let fewestButtons = 6.5

    /// The height of the strip at the top that bars take, in logical pixels.
    package var top: Double { target + 2 * Self.margin }

    /// The largest width of a name at the top, in logical pixels.
    var nameWidth: Double { max(420, (surface.width * 0.45).rounded(.down)) }

    /// Whether a bar has room for one line of text only.
    var isLarge: Bool { theme.textScale * Theme.target > Self.largestForTwoLines * target }

    /// The largest text scale with which two lines fit into a bar of the usual height.
    private static let largestForTwoLines = 1.2

    /// A square button with an icon.
    func button(
        _ id: String, _ icon: Icon, _ name: String, _ action: Widget.Action, at x: Double,
        y: Double, states: Widget.States = []
    ) -> Widget {
        Widget(
            id, states.contains(.checkable) ? .toggleButton : .pushButton, name,
            rect: Rect(x: x, y: y, width: target, height: target),
            states: states.union(.focusable), action: action, face: .icon(icon))
    }

    /// A button for a command, with the name and the keys of the command table.
    func button(
        _ command: Command, _ icon: Icon, at x: Double, y: Double, states: Widget.States = []
    ) -> Widget {
        let entry = CommandTable.entry(of: command)
        return button(
            command.rawValue, icon, entry.title, .command(command), at: x, y: y, states: states)
    }

    /// A rounded bar around buttons.
    func bar(_ id: String, _ name: String, _ rect: Rect, _ children: [Widget]) -> Widget {
        Widget(
            id, .toolBar, name, rect: rect,
            face: .ground(radius: min(rect.height / 2, target / 2), isDense: false),
            children: children)
    }

    /// A text without so much of its middle that it fits into a width in logical pixels.
    func shortened(_ string: String, _ style: TextStyle, to width: Double) -> String {
        guard text(string, style).width > width else { return string }
        var (least, most) = (1, string.count)
        while least < most {
            let middle = (least + most + 1) / 2
            let fits = text(string.withoutMiddle(beyond: middle), style).width <= width
            if fits { least = middle } else { most = middle - 1 }
        }
        return string.withoutMiddle(beyond: least)
    }

    /// The widgets, mirrored for right-to-left languages.
    func oriented(_ widgets: [Widget]) -> [Widget] {
        theme.isRightToLeft ? widgets.map { $0.mirrored(onWidth: surface.width) } : widgets
    }

    /// A rectangle, mirrored for right-to-left languages.
    func oriented(_ rect: Rect) -> Rect {
        guard theme.isRightToLeft else { return rect }
        return Rect(
            x: surface.width - rect.maxX, y: rect.y, width: rect.width, height: rect.height)
    }

    // MARK: Window controls

    /// The bars of the window's controls at both ends of the top, and the range of x between them.
    ///
    /// Without room for a button there are no bars at the top, and the range is empty.
    func windowBars() -> (bars: [Widget], left: Double, right: Double) {
        guard surface.height >= top else { return ([], 0, 0) }
        var (left, right) = (Self.margin, surface.width - Self.margin)
        guard let windowControls else { return ([], left, right) }
        var bars: [Widget] = []
        let width = Double(windowControls.right.count) * target
        if width > 0, right - width >= left {
            right -= width
            bars.append(controls(windowControls.right, windowControls, "window", at: right))
            right -= Self.margin
        }
        let leftWidth = Double(windowControls.left.count) * target
        if leftWidth > 0, left + leftWidth + target <= right {
            bars.append(controls(windowControls.left, windowControls, "window-left", at: left))
            left += leftWidth + Self.margin
        }
        return (bars, left, right)
    }

    private func controls(
        _ actions: [Widget.WindowAction], _ controls: WindowControls, _ id: String, at x: Double
    ) -> Widget {
        let rect = Rect(
            x: x, y: Self.margin, width: Double(actions.count) * target,
            height: target)
        let buttons = actions.enumerated().map { number, action in
            button(
                "window-" + action.rawValue, controls.icon(action), controls.name(action),
                .window(action), at: x + Double(number) * target, y: rect.y)
        }
        return bar(id, localized("Window"), rect, buttons)
    }
}

/// The buttons of a window that draws its own decorations.
package struct WindowControls: Hashable, Sendable {
    /// At the left end and at the right end of the top, from left to right.
    package var left: [Widget.WindowAction]
    package var right: [Widget.WindowAction]
    package var isMaximized: Bool

    package init(
        left: [Widget.WindowAction] = [],
        right: [Widget.WindowAction] = [.minimize, .toggleMaximized, .close],
        isMaximized: Bool = false
    ) {
        self.left = left
        self.right = right
        self.isMaximized = isMaximized
    }

    func icon(_ action: Widget.WindowAction) -> Icon {
        switch action {
        case .minimize: .minimize
        case .toggleMaximized: isMaximized ? .restore : .maximize
        case .close: .close
        }
    }

    func name(_ action: Widget.WindowAction) -> String {
        switch action {
        case .minimize: localized("Minimise")
        case .toggleMaximized: isMaximized ? localized("Restore") : localized("Maximise")
        case .close: localized("Close")
        }
    }
}
