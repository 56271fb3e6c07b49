/// Writes the interface descriptions for libwayland: names, versions, signatures, and the
/// interfaces of object arguments as indices of the list.
struct TableEmitter {
    let interfaces: [Interface]

    func emit(into text: inout SourceText) {
        text.line()
        text.line("/// The interface descriptions for libwayland.")
        text.block("enum GeneratedInterfaces") { text in
            text.line("static let all: [InterfaceDescription] = [")
            for interface in interfaces {
                text.line("    \(Naming.member(interface.name)),")
            }
            text.line("]")
            for interface in interfaces {
                text.line()
                emit(interface, into: &text)
            }
        }
    }

    private func emit(_ interface: Interface, into text: inout SourceText) {
        let name = Naming.member(interface.name)
        text.block("private static var \(name): InterfaceDescription") { text in
            text.line("InterfaceDescription(")
            text.line("    name: \"\(interface.name)\", version: \(interface.version),")
            text.line("    requests: [")
            for message in interface.requests { text.line("        \(description(message)),") }
            text.line("    ],")
            text.line("    events: [")
            for message in interface.events { text.line("        \(description(message)),") }
            text.line("    ])")
        }
    }

    private func description(_ message: Message) -> String {
        let types = message.arguments.flatMap { argument in
            argument.isUntypedObject ? ["nil", "nil", "nil"] : [index(argument.interface)]
        }
        let destructor = message.isDestructor ? ", isDestructor: true" : ""
        return "MessageDescription(name: \"\(message.name)\", signature: \"\(message.signature)\", "
            + "since: \(message.since), types: [\(types.joined(separator: ", "))]\(destructor))"
    }

    private func index(_ name: String?) -> String {
        guard let index = interfaces.firstIndex(where: { $0.name == name }) else { return "nil" }
        return String(index)
    }
}
