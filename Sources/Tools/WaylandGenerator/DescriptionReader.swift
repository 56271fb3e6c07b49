/// Converts the XML of one protocol description to interfaces.
///
/// Names become part of Swift source, so a name that is not a plain identifier is rejected.
struct DescriptionReader {
    let file: String

    static func read(_ bytes: [UInt8], file: String) throws(GeneratorError) -> [Interface] {
        let root = try XMLElement.root(of: bytes, file: file)
        let reader = DescriptionReader(file: file)
        guard root.name == "protocol" else {
            throw GeneratorError("not a Wayland protocol description", file: file, line: root.line)
        }
        var interfaces: [Interface] = []
        for element in root.children(named: "interface") {
            interfaces.append(try reader.interface(element))
        }
        return interfaces
    }

    private func interface(_ element: XMLElement) throws(GeneratorError) -> Interface {
        var interface = Interface(
            name: try identifier(element), version: try number(element, "version", else: nil),
            summary: summary(element))
        for child in element.children {
            switch child.name {
            case "request": interface.requests.append(try message(child))
            case "event": interface.events.append(try message(child))
            case "enum": interface.enumerations.append(try enumeration(child))
            default: break
            }
        }
        return interface
    }

    private func message(_ element: XMLElement) throws(GeneratorError) -> Message {
        var arguments: [Argument] = []
        for child in element.children(named: "arg") { arguments.append(try argument(child)) }
        return Message(
            name: try identifier(element), since: try number(element, "since", else: 1),
            isDestructor: element.attributes["type"] == "destructor", summary: summary(element),
            arguments: arguments)
    }

    private func argument(_ element: XMLElement) throws(GeneratorError) -> Argument {
        guard let type = Argument.Kind(rawValue: element.attributes["type"] ?? "") else {
            throw GeneratorError("unknown argument type", file: file, line: element.line)
        }
        return Argument(
            name: try identifier(element), type: type, interface: element.attributes["interface"],
            enumeration: element.attributes["enum"],
            isNullable: element.attributes["allow-null"] == "true")
    }

    private func enumeration(_ element: XMLElement) throws(GeneratorError) -> Enumeration {
        var entries: [Enumeration.Entry] = []
        for child in element.children(named: "entry") {
            entries.append(
                Enumeration.Entry(
                    name: try identifier(child),
                    value: UInt32(try number(child, "value", else: nil)),
                    since: try number(child, "since", else: 1),
                    summary: summary(child)))
        }
        return Enumeration(
            name: try identifier(element), isBitfield: element.attributes["bitfield"] == "true",
            summary: summary(element), entries: entries)
    }

    // MARK: Attributes

    private func identifier(_ element: XMLElement) throws(GeneratorError) -> String {
        let name = element.attributes["name"] ?? ""
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": true
            default: false
            }
        }
        guard isPlain, !name.isEmpty else {
            throw GeneratorError(
                "'\(name)' is not a valid name for <\(element.name)>", file: file,
                line: element.line)
        }
        return name
    }

    /// A decimal or hexadecimal attribute from 0 to 2³² − 1.
    private func number(
        _ element: XMLElement, _ name: String, else fallback: Int?
    ) throws(GeneratorError) -> Int {
        guard let text = element.attributes[name] else {
            if let fallback { return fallback }
            throw GeneratorError("missing attribute '\(name)'", file: file, line: element.line)
        }
        let value = text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
        guard let value else {
            throw GeneratorError(
                "'\(text)' is not a 32-bit unsigned number", file: file, line: element.line)
        }
        return Int(value)
    }

    /// The summary of the element or of its description, on one line.
    private func summary(_ element: XMLElement) -> String? {
        let described = element.children(named: "description").first?.attributes["summary"]
        guard let text = described ?? element.attributes["summary"] else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
