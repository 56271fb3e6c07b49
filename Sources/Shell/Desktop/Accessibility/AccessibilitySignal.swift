import Interface

/// A signal of AT-SPI for a change of the interface.
struct AccessibilitySignal: Hashable {
    var path: String
    var interface = AccessibilityInterface.objectEvents
    var member: String
    var detail = ""
    var first: Int32 = 0
    var second: Int32 = 0
    var value = BusValue.short(0)

    /// The parameters of the type `(siiva{sv})`.
    var parameters: BusValue {
        .tuple([
            .text(detail), .short(first), .short(second), .variant(value), .array([], of: "{sv}"),
        ])
    }

    /// A text is said after what is being said now (`ATSPI_LIVE_POLITE`).
    private static let polite: Int32 = 1

    static func state(_ number: Int, _ state: AccessibilityState, _ isOn: Bool) -> Self {
        .init(
            path: AccessibilityAnswers.path(number), member: "StateChanged", detail: state.name,
            first: isOn ? 1 : 0)
    }

    static func activation(_ isActive: Bool, name: String) -> [Self] {
        [
            .init(
                path: AccessibilityAnswers.path(AccessibleTree.window),
                interface: AccessibilityInterface.windowEvents,
                member: isActive ? "Activate" : "Deactivate", value: .text(name.withoutNull)),
            .state(AccessibleTree.window, .active, isActive),
        ]
    }

    /// The signals of an event; `answers` have the new tree.
    static func signals(
        of event: AccessibleEvent, _ answers: AccessibilityAnswers
    ) -> [AccessibilitySignal] {
        func path(_ number: Int) -> String { AccessibilityAnswers.path(number) }
        func change(_ number: Int, _ property: String, _ value: BusValue) -> AccessibilitySignal {
            .init(
                path: path(number), member: "PropertyChange", detail: "accessible-" + property,
                value: value)
        }
        switch event {
        case .added(let parent, let place, let number):
            return [
                .init(
                    path: path(parent), member: "ChildrenChanged", detail: "add",
                    first: Int32(clamping: place), value: answers.reference(number))
            ]
        case .removed(let parent, let place, let number):
            return [
                .init(
                    path: path(parent), member: "ChildrenChanged", detail: "remove",
                    first: Int32(clamping: place), value: answers.reference(number))
            ]
        case .name(let number, let name):
            return [change(number, "name", .text(name.withoutNull))]
        case .description(let number, let text):
            return [change(number, "description", .text(text.withoutNull))]
        case .value(let number, let value): return [change(number, "value", .double(value))]
        case .text(let number, let place, let removed, let inserted):
            return [("delete", removed), ("insert", inserted)].filter { !$0.1.isEmpty }.map {
                .init(
                    path: path(number), member: "TextChanged", detail: $0.0,
                    first: Int32(clamping: place),
                    second: Int32(clamping: $0.1.unicodeScalars.count),
                    value: .text($0.1.withoutNull))
            }
        case .caret(let number, let place):
            return [
                .init(
                    path: path(number), member: "TextCaretMoved", first: Int32(clamping: place))
            ]
        case .textSelection(let number):
            return [.init(path: path(number), member: "TextSelectionChanged")]
        case .selection(let number):
            return [.init(path: path(number), member: "SelectionChanged")]
        case .state(let number, .disabled, let isOn):
            return [.state(number, .enabled, !isOn), .state(number, .sensitive, !isOn)]
        case .state(let number, let state, let isOn):
            return AccessibilityState.ofWidgets.filter { $0.0 == state }.map {
                .state(number, $0.1, isOn)
            }
        case .focus(let number, let former):
            return (former.map { [.state($0, .focused, false)] } ?? [])
                + [.state(number, .focused, true)]
        case .announcement(let text):
            return [
                .init(
                    path: path(AccessibleTree.window), member: "Announcement", first: polite,
                    value: .text(text.withoutNull))
            ]
        }
    }
}
