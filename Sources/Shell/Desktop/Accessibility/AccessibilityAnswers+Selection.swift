import Interface

/// The interface `Selection` of the grid: its children are the cells that are shown.
extension AccessibilityAnswers {
    func selection(
        _ method: String, _ part: Part, _ arguments: [BusValue]
    ) -> Answer? {
        switch (method, arguments.count) {
        case ("SelectAll", 0):
            return Answer(value: .tuple([.bool(true)]), request: .setAllSelected(true))
        case ("ClearSelection", 0):
            return Answer(value: .tuple([.bool(true)]), request: .setAllSelected(false))
        case (_, 1): break
        default: return nil
        }
        guard let index = arguments[0].integer else { return nil }
        let (node, tree) = (part.node, part.tree)
        let selected = tree.selectedChildren(of: node.number)
        func child(of children: [Int]) -> AccessibleTree.Node? {
            children.indices.contains(index) ? tree.node(children[index]) : nil
        }
        func set(_ isSelected: Bool, _ child: AccessibleTree.Node?) -> Answer {
            Answer(
                value: .tuple([.bool(child != nil)]),
                request: child.map { .setSelected(isSelected, $0.id) })
        }
        switch method {
        case "GetSelectedChild":
            let found = child(of: selected)?.number
            return Answer(value: .tuple([reference(found, in: part.window.number)]))
        case "IsChildSelected":
            let isSelected = child(of: node.children)?.states.contains(.selected) ?? false
            return Answer(value: .tuple([.bool(isSelected)]))
        case "SelectChild": return set(true, child(of: node.children))
        case "DeselectChild": return set(false, child(of: node.children))
        case "DeselectSelectedChild": return set(false, child(of: selected))
        default: return nil
        }
    }
}
