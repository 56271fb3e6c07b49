package import Geometry
import Localization

/// The interface as assistive technology sees it: widgets with numbers that last.
///
/// Widgets are made anew for every frame. A number belongs to a widget's `id` as long as widgets with
/// this id are shown, and is never given to another id, so that a program which remembers a number finds
/// the same widget or none.
package struct AccessibleTree: Hashable, Sendable {
    /// A widget, with its place in the tree.
    package struct Node: Hashable, Sendable {
        package var number: Int
        /// The number of the parent; nil for the window.
        package var parent: Int?
        /// The place among the children of the parent.
        package var place: Int
        /// The identifier of the widget.
        package var id: String
        package var role: Widget.Role
        package var name: String
        package var description: String
        package var rect: Rect
        package var states: Widget.States
        /// Whether the widget can be pressed.
        package var isPressable: Bool
        /// The keys that press the widget, as AT-SPI writes them; empty without any.
        package var keys: String
        package var value: Value?
        /// Whether the value can be set.
        package var isSettable: Bool
        /// The text of a field; nil for other widgets.
        package var text: String?
        /// The caret of a field that is being edited, in code points of the text.
        package var caret: Int?
        /// The selected code points of the text; nil for none.
        package var selection: Range<Int>?
        /// The place among all parts, where only some of the parts are shown.
        package var setPlace: Widget.Place?
        /// A text that is announced when it changes; kept while the widget has none, as in motion.
        package var announced: String?
        /// The alternative text of a picture; nil if there is none.
        package var alternative: String?
        package var children: [Int]
    }

    /// A number that a widget shows.
    package struct Value: Hashable, Sendable {
        package var current: Double
        package var range: ClosedRange<Double>

        package init(current: Double, range: ClosedRange<Double>) {
            (self.current, self.range) = (current, range)
        }
    }

    /// The widgets by their numbers.
    package private(set) var nodes: [Int: Node] = [:]
    /// The number of the widget with the focus; without a focus, of the content or of the window.
    package private(set) var focus = AccessibleTree.window
    private var numbers: [String: Int] = [:]
    private var lastNumber = AccessibleTree.window

    /// The number of the window.
    package static let window = 0
    /// The most widgets; what comes after them is left out.
    package static let mostNodes = 4096

    /// The tree of an interface; numbers go on from those of the tree before.
    package init(_ interface: Widget, after former: AccessibleTree? = nil) {
        lastNumber = former?.lastNumber ?? Self.window
        _ = add(interface, to: nil, at: 0, after: former)
        focus = chosenFocus
    }

    /// A widget by its number; nil for one that is not shown.
    package func node(_ number: Int) -> Node? { nodes[number] }

    /// The number of a widget; nil if it is not shown.
    package func number(of id: String) -> Int? { numbers[id] }

    /// The innermost widget at a point of the surface, the uppermost one first; nil beside the window.
    package func node(at point: Point, in number: Int = AccessibleTree.window) -> Node? {
        guard let node = nodes[number], node.rect.contains(point) else { return nil }
        for child in node.children.reversed() {
            if let found = self.node(at: point, in: child) { return found }
        }
        return node
    }

    // MARK: Building

    private mutating func add(
        _ widget: Widget, to parent: Int?, at place: Int, after former: AccessibleTree?
    ) -> Int? {
        guard nodes.count < Self.mostNodes else { return nil }
        let number = newNumber(of: widget.id, isWindow: parent == nil, former?.numbers ?? [:])
        let edited = widget.editedText
        var node = Node(
            number: number, parent: parent, place: place, id: widget.id, role: widget.role,
            name: widget.name.withoutIsolates, description: widget.spokenDescription,
            rect: widget.rect,
            states: widget.states,
            isPressable: widget.action != nil && !widget.states.contains(.disabled),
            keys: widget.keys, value: widget.accessibleValue,
            isSettable: widget.role != .progressBar && !widget.states.contains(.disabled),
            text: widget.accessibleText,
            caret: edited?.caret.scalars,
            selection: edited?.selection.map { $0.lowerBound.scalars..<$0.upperBound.scalars },
            setPlace: widget.place,
            announced: widget.announced?.withoutIsolates ?? former?.node(number)?.announced,
            alternative: widget.alternative?.withoutIsolates, children: [])
        nodes[number] = node
        for child in widget.accessibleChildren {
            let added = add(child, to: number, at: node.children.count, after: former)
            if let added { node.children.append(added) }
        }
        nodes[number] = node
        return number
    }

    /// The number of the widget before, or one that was never given.
    private mutating func newNumber(of id: String, isWindow: Bool, _ known: [String: Int]) -> Int {
        if isWindow {
            numbers[id] = Self.window
            return Self.window
        }
        // Of widgets with equal ids the first one has the number that lasts.
        let isFirst = numbers[id] == nil
        if isFirst, let former = known[id], former != Self.window {
            numbers[id] = former
            return former
        }
        lastNumber += 1
        if isFirst { numbers[id] = lastNumber }
        return lastNumber
    }

    private var chosenFocus: Int {
        let focused = nodes.values.filter { $0.states.contains(.focused) }
        if let number = focused.map(\.number).max() { return number }
        let dialog = nodes.values.filter { $0.states.contains(.modal) }.map(\.number).max()
        return dialog ?? numbers["picture"] ?? numbers["failure"] ?? numbers["grid"] ?? Self.window
    }
}

extension Widget {
    /// The innermost widget with a name at a point, the uppermost one first; nil beside the widgets.
    ///
    /// A menu, a prompt or the help hides what lies below.
    package func readable(at point: Point) -> Widget? {
        let sheet = children.lastIndex { $0.states.contains(.modal) } ?? 0
        return children[sheet...].reversed().lazy.compactMap { $0.named(at: point) }.first
    }

    private func named(at point: Point) -> Widget? {
        guard rect.contains(point) else { return nil }
        for child in accessibleChildren.reversed() {
            if let found = child.named(at: point) { return found }
        }
        return name.isEmpty ? nil : self
    }

    /// The children that say something of their own, unlike parts of the widget's looks.
    package var accessibleChildren: [Widget] {
        children.filter { !$0.name.isEmpty || !$0.children.isEmpty || $0.action != nil }
    }

    fileprivate var accessibleValue: AccessibleTree.Value? {
        switch face {
        case .progress(let share): .init(current: share, range: 0...1)
        case .dial(let degrees): .init(current: degrees, range: -45...45)
        case .value(let number, let range): .init(current: number, range: range)
        default: value
        }
    }

    /// The description; of a field, this is the text, which stays as it is.
    fileprivate var spokenDescription: String {
        role == .entry ? description : description.withoutIsolates
    }

    fileprivate var editedText: TextFieldDescription? {
        if case .field(let field) = face { field.edited } else { nil }
    }

    fileprivate var accessibleText: String? {
        if case .field(let field) = face { return field.text }
        return role == .entry ? description : nil
    }
}
