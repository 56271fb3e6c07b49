import Interface

/// The numbers of AT-SPI for roles (`AtspiRole`).
extension Widget.Role {
    var accessibilityCode: UInt32 {
        switch self {
        case .frame: 23
        case .panel: 39
        case .toolBar: 63
        case .pushButton: 43
        case .toggleButton: 62
        case .menu: 33
        case .menuItem: 35
        case .checkMenuItem: 8
        case .label: 29
        case .heading: 83
        case .slider: 51
        case .entry: 79
        case .list: 31
        case .listItem: 32
        case .notification: 101
        case .dialog: 16
        case .image: 27
        case .table: 55
        case .separator: 50
        case .progressBar: 42
        case .scrollBar: 48
        case .statusBar: 54
        case .comboBox: 11
        case .radioButton: 44
        case .spinButton: 52
        }
    }
}

/// The numbers and names of AT-SPI for states (`AtspiStateType`).
struct AccessibilityState {
    var code: Int
    var name: String

    static let active = AccessibilityState(code: 1, name: "active")
    static let focused = AccessibilityState(code: 12, name: "focused")
    static let enabled = AccessibilityState(code: 8, name: "enabled")
    static let sensitive = AccessibilityState(code: 24, name: "sensitive")
    static let showing = AccessibilityState(code: 25, name: "showing")
    static let visible = AccessibilityState(code: 30, name: "visible")
    static let selectable = AccessibilityState(code: 22, name: "selectable")
    static let expandable = AccessibilityState(code: 9, name: "expandable")
    static let singleLine = AccessibilityState(code: 26, name: "single-line")

    /// The states of widgets that have a state of AT-SPI with the same meaning.
    static let ofWidgets: [(Widget.States, AccessibilityState)] = [
        (.busy, .init(code: 3, name: "busy")), (.checked, .init(code: 4, name: "checked")),
        (.editable, .init(code: 7, name: "editable")),
        (.expanded, .init(code: 10, name: "expanded")),
        (.focusable, .init(code: 11, name: "focusable")),
        (.modal, .init(code: 16, name: "modal")),
        (.multiselectable, .init(code: 18, name: "multiselectable")),
        (.selected, .init(code: 23, name: "selected")),
        (.checkable, .init(code: 41, name: "checkable")),
    ]

    /// The states of a widget as a set of bits.
    static func bits(
        of node: AccessibleTree.Node, hasFocus: Bool, isActive: Bool
    ) -> [UInt32] {
        var states = [showing, visible]
        if !node.states.contains(.disabled) { states += [enabled, sensitive] }
        if node.role == .listItem { states.append(selectable) }
        if node.role == .entry { states.append(singleLine) }
        if node.states.contains(.expanded) { states.append(expandable) }
        if hasFocus { states.append(focused) }
        if isActive, node.number == AccessibleTree.window { states.append(active) }
        states += ofWidgets.filter { node.states.contains($0.0) }.map(\.1)
        let bits = states.reduce(UInt64(0)) { $0 | 1 << UInt64($1.code) }
        return [UInt32(truncatingIfNeeded: bits), UInt32(truncatingIfNeeded: bits >> 32)]
    }
}
