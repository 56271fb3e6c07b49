/// Writes the class of one interface for one side.
struct InterfaceEmitter {
    let interface: Interface
    let side: Side
    let interfaces: [Interface]

    /// Writes the class, or only the enumerations for an interface that libwayland implements
    /// itself.
    func emit(into text: inout SourceText) {
        text.line()
        text.comment(interface.summary ?? interface.name)
        let name = side.className(interface.name)
        guard !side.isBuiltIn(interface) else {
            text.block("package enum \(name)") { text in emitEnumerations(into: &text) }
            return
        }
        let base = side == .client ? "Proxy" : "Resource"
        text.block("package final class \(name): \(base)") { text in
            emitInterface(into: &text)
            if side == .client { emitEnumerations(into: &text) }
            emitIncoming(into: &text)
            for (opcode, message) in side.outgoing(interface).enumerated() {
                text.line()
                emitOutgoing(message, opcode: opcode, into: &text)
            }
        }
    }

    private func emitInterface(into text: inout SourceText) {
        let index = interfaces.firstIndex(of: interface) ?? 0
        text.line("package override class var interface: Interface { Interface(index: \(index)) }")
    }

    private func emitEnumerations(into text: inout SourceText) {
        for enumeration in interface.enumerations {
            text.line()
            EnumerationEmitter(enumeration: enumeration).emit(into: &text)
        }
    }

    private func code(_ argument: Argument) -> ArgumentCode {
        ArgumentCode(
            argument: argument, side: side, interface: interface, interfaces: interfaces)
    }

    // MARK: Incoming

    private func emitIncoming(into text: inout SourceText) {
        let messages = side.incoming(interface)
        guard !messages.isEmpty else { return }
        text.line()
        text.block("package enum \(side.incomingType)") { text in
            for message in messages { emitCase(message, into: &text) }
        }
        text.line()
        text.line("/// Receives the other side's messages; released when the object is destroyed.")
        text.line("package var \(side.handler): ((\(side.incomingType)) -> Void)?")
        text.line()
        text.block("package override func clearHandler()") { $0.line("\(side.handler) = nil") }
        text.line()
        let head = "package override func dispatch(_ opcode: UInt32, _ arguments: WireArguments)"
        text.block(head) { text in
            text.line("switch opcode {")
            for (opcode, message) in messages.enumerated() {
                text.line("case \(opcode):")
                for line in dispatchLines(message) { text.line("    " + line) }
            }
            text.line("default: break")
            text.line("}")
        }
    }

    private func emitCase(_ message: Message, into text: inout SourceText) {
        text.comment(message.summary, since: message.since)
        let payload = message.arguments.map { "\(code($0).label): \(code($0).incomingType)" }
        let list = payload.isEmpty ? "" : "(\(payload.joined(separator: ", ")))"
        text.line("case \(Naming.member(message.name))\(list)")
    }

    /// The lines that pass one message to the handler.
    ///
    /// New objects are adopted and descriptors are closed even without a handler.
    private func dispatchLines(_ message: Message) -> [String] {
        let payload = message.arguments.enumerated().map { index, argument in
            "\(code(argument).label): \(code(argument).decoded(at: index))"
        }
        let list = payload.isEmpty ? "" : "(\(payload.joined(separator: ", ")))"
        let value = ".\(Naming.member(message.name))\(list)"
        let owned = message.arguments.contains { $0.type == .newID || $0.type == .fd }
        guard owned else { return ["\(side.handler)?(\(value))"] }
        let closing = message.arguments.enumerated().filter { $0.element.type == .fd }.map {
            "if \(side.handler) == nil { arguments.closeDescriptor(\($0.offset)) }"
        }
        let event = "let message = \(side.incomingType)\(value)"
        return [event] + closing + ["\(side.handler)?(message)"]
    }

    // MARK: Outgoing

    private func emitOutgoing(_ message: Message, opcode: Int, into text: inout SourceText) {
        text.comment(message.summary, since: message.since)
        let created = side == .client ? message.created : nil
        let result = created.map { createdType($0) + (message.since > 1 ? "?" : "") }
        let generic = created?.isUntypedObject == true ? "<T: Proxy>" : ""
        let name = Naming.member(message.name)
        let returns = result.map { " -> \($0)" } ?? ""
        text.block("package func \(name)\(generic)(\(parameters(message)))\(returns)") { text in
            if message.since > 1 {
                let early = returnWhenTooOld(message, creates: created != nil)
                text.line("guard version >= \(message.since) else { \(early) }")
            }
            let lent = message.arguments.compactMap { argument in
                code(argument).lending.map { "\($0) { \(code(argument).name) in " }
            }
            let call = call(message, opcode: opcode, created: created)
            let returning = created != nil && message.since > 1 ? "return " : ""
            text.line(returning + lent.joined() + call + String(repeating: " }", count: lent.count))
        }
    }

    private func createdType(_ argument: Argument) -> String {
        argument.interface.map(side.className) ?? "T"
    }

    /// The return statement for a message that is newer than the object's version.
    ///
    /// Such a message is not sent; a destructor still destroys the object on this side.
    private func returnWhenTooOld(_ message: Message, creates: Bool) -> String {
        if creates { return "return nil" }
        return side == .client && message.isDestructor ? "return discard()" : "return"
    }

    private func parameters(_ message: Message) -> String {
        message.arguments.compactMap { argument in
            if side == .client, argument.type == .newID {
                return argument.isUntypedObject ? "_ type: T.Type, version: UInt32" : nil
            }
            return "\(code(argument).label): \(code(argument).outgoingType)"
        }.joined(separator: ", ")
    }

    private func call(_ message: Message, opcode: Int, created: Argument?) -> String {
        let values = message.arguments.map { argument in
            side == .client && argument.isUntypedObject
                ? "wl_argument(s: T.interface.cName), wl_argument(u: version), wl_argument(o: nil)"
                : code(argument).encoded
        }
        let list = values.isEmpty ? "" : ", [\(values.joined(separator: ", "))]"
        if let created {
            let version = created.isUntypedObject ? "version" : "self.version"
            return "create(\(createdType(created)).self, \(version), \(opcode)\(list))"
        }
        let ends = side == .client && message.isDestructor
        return "\(ends ? "sendDestructor" : "send")(\(opcode)\(list))"
    }
}
