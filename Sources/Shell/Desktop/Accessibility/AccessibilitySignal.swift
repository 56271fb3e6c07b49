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

    static func state(path: String, _ state: AccessibilityState, _ isOn: Bool) -> Self {
        .init(path: path, member: "StateChanged", detail: state.name, first: isOn ? 1 : 0)
    }

    /// The signals of an event in a window; `answers` have the new tree.
    static func signals(
        of event: AccessibleEvent, in window: Int, _ answers: AccessibilityAnswers
    ) -> [AccessibilitySignal] {
        func path(_ number: Int) -> String { AccessibilityAnswers.path(number, in: window) }
        func state(_ number: Int, _ state: AccessibilityState, _ isOn: Bool) -> Self {
            .state(path: path(number), state, isOn)
        }
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
                    first: Int32(clamping: place), value: answers.reference(number, in: window))
            ]
        case .removed(let parent, let place, let number):
            return [
                .init(
                    path: path(parent), member: "ChildrenChanged", detail: "remove",
                    first: Int32(clamping: place), value: answers.reference(number, in: window))
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
            return [state(number, .enabled, !isOn), state(number, .sensitive, !isOn)]
        case .state(let number, let changed, let isOn):
            return AccessibilityState.ofWidgets.filter { $0.0 == changed }.map {
                state(number, $0.1, isOn)
            }
        case .focus(let number, let former):
            return (former.map { [state($0, .focused, false)] } ?? [])
                + [state(number, .focused, true)]
        case .announcement(let text):
            return [
                .init(
                    path: path(AccessibleTree.window), member: "Announcement", first: polite,
                    value: .text(text.withoutNull))
            ]
        }
    }
}

extension AccessibilityWindow {
    private func path(_ number: Int) -> String {
        AccessibilityAnswers.path(number, in: self.number)
    }

    /// An event of the window.
    fileprivate func event(_ member: String) -> AccessibilitySignal {
        let name = tree.node(AccessibleTree.window)?.name ?? ""
        return .init(
            path: path(AccessibleTree.window), interface: AccessibilityInterface.windowEvents,
            member: member, value: .text(name.withoutNull))
    }

    /// The widget with the focus has it or not.
    fileprivate func focus(_ isOn: Bool) -> AccessibilitySignal {
        .state(path: path(tree.focus), .focused, isOn)
    }

    /// The window is active or not, and what has the focus then.
    func activation() -> [AccessibilitySignal] {
        let signals = [
            event(isActive ? "Activate" : "Deactivate"),
            .state(path: path(AccessibleTree.window), .active, isActive),
        ]
        return isActive ? signals + [focus(true)] : signals
    }

    /// What has changed in the window since another moment, except whether it is active.
    fileprivate func changes(
        since former: AccessibilityWindow, _ answers: AccessibilityAnswers
    ) -> [AccessibilitySignal] {
        var events = tree.events(since: former.tree)
        // The focus of a window counts only while the window has the focus.
        if !hasFocus || !former.hasFocus {
            events.removeAll { if case .focus = $0 { true } else { false } }
        }
        var signals = events.flatMap {
            AccessibilitySignal.signals(of: $0, in: number, answers)
        }
        if former.hasFocus, !hasFocus, tree.node(former.tree.focus) != nil {
            signals.append(former.focus(false))
        }
        // An activation tells the focus.
        if hasFocus, !former.hasFocus, !isActive { signals.append(focus(true)) }
        return signals
    }
}

extension AccessibilityAnswers {
    /// What has changed since other windows: first windows that have gone and come, then what has
    /// changed in the others.
    func signals(since former: [AccessibilityWindow]) -> [AccessibilitySignal] {
        func child(
            _ window: AccessibilityWindow, _ detail: String, _ place: Int
        ) -> AccessibilitySignal {
            .init(
                path: AccessibilityInterface.rootPath, member: "ChildrenChanged", detail: detail,
                first: Int32(clamping: place),
                value: reference(AccessibleTree.window, in: window.number))
        }
        let before = Dictionary(former.map { ($0.number, $0) }, uniquingKeysWith: { old, _ in old })
        let now = Set(windows.map(\.number))
        var signals: [AccessibilitySignal] = []
        // From the last one on, so that each place is right when it is reported.
        for (place, window) in former.enumerated().reversed() where !now.contains(window.number) {
            signals += [window.event("Destroy"), child(window, "remove", place)]
        }
        for (place, window) in windows.enumerated() where before[window.number] == nil {
            signals += [child(window, "add", place), window.event("Create")]
        }
        for window in windows {
            if let old = before[window.number] { signals += window.changes(since: old, self) }
        }
        let changed = windows.filter { $0.isActive != (before[$0.number]?.isActive ?? false) }
        for window in changed where !window.isActive { signals += window.activation() }
        for window in changed where window.isActive { signals += window.activation() }
        return signals
    }
}
