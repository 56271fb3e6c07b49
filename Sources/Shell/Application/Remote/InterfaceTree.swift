import Commands
import Geometry
import Interface
import JSON

/// The interface as JSON, for `--ui-at` and `--ui`: each widget with its children.
enum InterfaceTree {
    static func text(_ widget: Widget) -> String {
        var line = JSONLine()
        add(widget, to: &line)
        return line.close()
    }

    private static func add(_ widget: Widget, to line: inout JSONLine) {
        line.add("role", widget.role.rawValue)
        line.add("name", widget.name)
        line.add("description", widget.description)
        let rect = widget.rect
        line.add("rect", [rect.x, rect.y, rect.width, rect.height])
        line.add("states", names(widget.states))
        line.add("command", command(widget.action))
        line.objects("children", widget.accessibleChildren) { add($0, to: &$1) }
    }

    private static let stateNames: [(Widget.States, String)] = [
        (.focusable, "focusable"), (.focused, "focused"), (.checkable, "checkable"),
        (.checked, "checked"), (.selected, "selected"), (.expanded, "expanded"),
        (.modal, "modal"), (.editable, "editable"), (.busy, "busy"),
    ]

    /// The names of the states; a widget is enabled unless its state says otherwise.
    private static func names(_ states: Widget.States) -> [String] {
        let named = stateNames.filter { states.contains($0.0) }.map(\.1)
        return named + (states.contains(.disabled) ? [] : ["enabled"]) + ["showing", "visible"]
    }

    /// The identifier of the command that the widget performs; nil for none.
    private static func command(_ action: Widget.Action?) -> String? {
        switch action {
        case .command(let command): command.rawValue
        case .back: "leave"
        case .window(let action): "window-" + action.rawValue
        case .show, .present, .closeSheet, .endSearch, .folder, .position, .zoom, .about, .homePage,
            .openMenu,
            .beginSelection,
            .endSelection,
            .edit, .sort,
            .answer,
            .crop, .setting, nil:
            nil
        }
    }
}
