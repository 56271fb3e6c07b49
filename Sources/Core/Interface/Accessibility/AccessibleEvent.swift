import Localization

/// A change of the interface that is reported to assistive technology.
package enum AccessibleEvent: Hashable, Sendable {
    /// A widget has appeared: parent, place among its children, and number.
    case added(to: Int, place: Int, Int)
    /// A widget has gone: parent, former place among its children, and number.
    case removed(from: Int, place: Int, Int)
    case name(Int, String)
    case description(Int, String)
    case value(Int, Double)
    /// The text of a field: the parts that have gone and come, at a place in characters.
    case text(Int, place: Int, removed: String, inserted: String)
    /// The caret of a field is at a place in characters.
    case caret(Int, Int)
    /// Another part of the text of a field is selected.
    case textSelection(Int)
    /// Other children of a widget are selected.
    case selection(Int)
    /// Whether a widget has a state.
    case state(Int, Widget.States, Bool)
    /// The focus has moved to a widget.
    case focus(Int, from: Int?)
    /// A text that is said at once: a message, the picture of a page turn, a zoom.
    case announcement(String)
}

extension AccessibleTree {
    /// What has changed since another tree; at first what goes and comes, then what a person hears.
    ///
    /// A widget that goes or comes with its parent is not reported by itself.
    package func events(since former: AccessibleTree) -> [AccessibleEvent] {
        let kept = keptChildren(of: former)
        let numbers = kept.keys.sorted()
        var events: [AccessibleEvent] = []
        for number in numbers {
            events += removals(from: number, of: former, keeping: kept[number] ?? [])
        }
        for number in numbers { events += additions(to: number, keeping: kept[number] ?? []) }
        for number in numbers { events += changes(of: number, since: former) }
        for number in numbers where hasOtherSelection(number, since: former) {
            events.append(.selection(number))
        }
        events += focusChange(since: former)
        return events + announcements(since: former).map { .announcement($0) }
    }

    /// The remaining children of each remaining widget, by the number of the widget.
    ///
    /// Children whose order has changed count as new.
    private func keptChildren(of former: AccessibleTree) -> [Int: Set<Int>] {
        var kept: [Int: Set<Int>] = [:]
        var open = [Self.window]
        while let number = open.popLast() {
            let (before, now) = (former.node(number)?.children ?? [], node(number)?.children ?? [])
            let both = Set(before).intersection(now).filter {
                node($0)?.role == former.node($0)?.role
            }
            let isInOrder = before.filter(both.contains) == now.filter(both.contains)
            kept[number] = isInOrder ? both : []
            if isInOrder { open += both }
        }
        return kept
    }

    /// From the last one on, so that each place is right when it is reported.
    private func removals(
        from number: Int, of former: AccessibleTree, keeping kept: Set<Int>
    ) -> [AccessibleEvent] {
        let children = former.node(number)?.children ?? []
        return children.enumerated().reversed().filter { !kept.contains($0.element) }.map {
            .removed(from: number, place: $0.offset, $0.element)
        }
    }

    private func additions(to number: Int, keeping kept: Set<Int>) -> [AccessibleEvent] {
        let children = node(number)?.children ?? []
        return children.enumerated().filter { !kept.contains($0.element) }.map {
            .added(to: number, place: $0.offset, $0.element)
        }
    }

    private func changes(of number: Int, since former: AccessibleTree) -> [AccessibleEvent] {
        guard let old = former.node(number), let new = node(number), old != new else { return [] }
        var events: [AccessibleEvent] = []
        if old.name != new.name { events.append(.name(number, new.name)) }
        if old.description != new.description {
            events.append(.description(number, new.description))
        }
        if let value = new.value, value != old.value {
            events.append(.value(number, value.current))
        }
        if let change = AccessibleTree.change(of: old.text ?? "", to: new.text ?? "") {
            events.append(
                .text(
                    number, place: change.place, removed: change.removed, inserted: change.inserted)
            )
        }
        if let caret = new.caret, caret != old.caret { events.append(.caret(number, caret)) }
        if new.selection != old.selection { events.append(.textSelection(number)) }
        // The focus has an event of its own.
        let changed = old.states.symmetricDifference(new.states).subtracting(.focused)
        for bit in 0..<UInt16.bitWidth {
            let state = Widget.States(rawValue: 1 << UInt16(bit))
            guard changed.contains(state) else { continue }
            events.append(.state(number, state, new.states.contains(state)))
        }
        return events
    }

    private func hasOtherSelection(_ number: Int, since former: AccessibleTree) -> Bool {
        guard node(number)?.states.contains(.multiselectable) == true else { return false }
        return selectedChildren(of: number) != former.selectedChildren(of: number)
    }

    /// The children with the state `selected`, in their order.
    package func selectedChildren(of number: Int) -> [Int] {
        (node(number)?.children ?? []).filter { node($0)?.states.contains(.selected) == true }
    }

    /// The middle of two texts that differs; nil for equal texts.
    ///
    /// The place counts code points, as assistive technology does.
    static func change(
        of old: String, to new: String
    ) -> (place: Int, removed: String, inserted: String)? {
        guard old != new else { return nil }
        let (before, after) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
        let least = min(before.count, after.count)
        let start = (0..<least).first { before[$0] != after[$0] } ?? least
        let end =
            (0..<(least - start)).first { (place: Int) -> Bool in
                let (one, other) = (before.count - 1 - place, after.count - 1 - place)
                return before[one] != after[other]
            } ?? (least - start)
        func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return String(text)
        }
        return (
            start, text(before[start..<(before.count - end)]),
            text(after[start..<(after.count - end)])
        )
    }

    private func focusChange(since former: AccessibleTree) -> [AccessibleEvent] {
        guard focus != former.focus else { return [] }
        return [.focus(focus, from: node(former.focus) == nil ? nil : former.focus)]
    }

    // MARK: Announcements

    private func announcements(since former: AccessibleTree) -> [String] {
        let hasTurned = picture != nil && picture?.name != former.picture?.name
        return messages(since: former) + (hasTurned ? [pageTurn].compactMap(\.self) : [])
            + (hasTurned
                ? [] : newAlternative(since: former) + changedTexts(since: former))
    }

    /// The picture that the viewer shows; nil on the grid.
    private var picture: Node? {
        number(of: "picture").flatMap { node($0) }.flatMap { $0.name.isEmpty ? nil : $0 }
    }

    /// The announcement of a picture after a page turn, which does not move the focus: name, place among
    /// all pictures, and alternative text.
    private var pageTurn: String? {
        guard let picture else { return nil }
        let place = picture.setPlace.map { localizedNumber($0.index + 1, of: $0.count) }
        return [picture.name, place, picture.alternative].compactMap(\.self).joined(separator: ", ")
    }

    /// The alternative text of the picture, if the text has been read after the page turn.
    private func newAlternative(since former: AccessibleTree) -> [String] {
        let text = picture?.alternative
        return text == former.picture?.alternative ? [] : [text].compactMap(\.self)
    }

    private func messages(since former: AccessibleTree) -> [String] {
        nodes.values.sorted { $0.number < $1.number }.filter { node in
            let isMessage = node.role == .notification || node.role == .statusBar
            let old = former.node(node.number)
            return isMessage && !node.name.isEmpty && (old == nil || old?.name != node.name)
        }.map(\.name)
    }

    /// The announcements of changes that no part of a widget shows, such as the zoom of the picture.
    private func changedTexts(since former: AccessibleTree) -> [String] {
        nodes.values.sorted { $0.number < $1.number }.compactMap { node in
            let old = former.node(node.number)?.announced
            return old != nil && old != node.announced ? node.announced : nil
        }
    }
}
