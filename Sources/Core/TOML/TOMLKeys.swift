/// The keys and tables that a document has defined so far: nothing may be defined twice.
struct TOMLKeys {
    private enum Kind: Equatable {
        /// Defined only by the name of a table below it.
        case implied
        /// Defined by a header.
        case headed
        /// Defined by dotted keys of this section.
        case dotted(section: Int)
        /// A value, or a table in braces, to which nothing can be added.
        case closed
    }

    private struct Node {
        var kind: Kind
        var children: [String: Int] = [:]
    }

    enum Clash: Error {
        /// The key or the table has been defined before.
        case defined
        /// A part of the key is a value, or a table that cannot be extended.
        case closed
    }

    private var nodes = [Node(kind: .headed)]

    /// Defines a table by a header, and returns its node.
    ///
    /// `node` gets the table also if it was defined before.
    mutating func head(_ path: [String], node: inout Int) throws(Clash) {
        var current = 0
        for part in path {
            if let child = nodes[current].children[part] {
                guard nodes[child].kind != .closed else { throw .closed }
                current = child
            } else {
                current = add(part, .implied, to: current)
            }
        }
        node = current
        guard nodes[current].kind == .implied else { throw .defined }
        nodes[current].kind = .headed
    }

    /// Defines a value by a key of the table `node`, in the section with this number.
    mutating func define(_ path: [String], in node: Int, section: Int) throws(Clash) {
        guard let last = path.last else { return }
        var current = node
        for part in path.dropLast() {
            guard let child = nodes[current].children[part] else {
                current = add(part, .dotted(section: section), to: current)
                continue
            }
            switch nodes[child].kind {
            case .implied: nodes[child].kind = .dotted(section: section)
            case .dotted(section): break
            case .dotted, .headed, .closed: throw .closed
            }
            current = child
        }
        guard nodes[current].children[last] == nil else { throw .defined }
        _ = add(last, .closed, to: current)
    }

    private mutating func add(_ part: String, _ kind: Kind, to parent: Int) -> Int {
        nodes.append(Node(kind: kind))
        nodes[parent].children[part] = nodes.count - 1
        return nodes.count - 1
    }
}
