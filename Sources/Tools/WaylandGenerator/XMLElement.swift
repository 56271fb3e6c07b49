import XML

/// An element of an XML document, without the text between the tags.
struct XMLElement: Equatable {
    var name: String
    var attributes: [String: String] = [:]
    var children: [XMLElement] = []
    /// The line on which the element starts, for error messages.
    var line = 0

    /// The children with that name, in document order.
    func children(named name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }
}

extension XMLElement {
    /// Returns the root element of a document; `file` is the name in error messages.
    ///
    /// Text is skipped, since bindings do not need the prose of a description.
    static func root(of bytes: [UInt8], file: String) throws(GeneratorError) -> XMLElement {
        var scanner = XMLScanner(bytes)
        do throws(XMLError) {
            guard let root = try root(&scanner) else {
                throw XMLError(.malformed(XMLScanner.unexpectedEnd), line: scanner.line)
            }
            return root
        } catch {
            throw GeneratorError(error.message, file: file, line: error.line)
        }
    }

    private static func root(_ scanner: inout XMLScanner) throws(XMLError) -> XMLElement? {
        var open: [XMLElement] = []
        while let token = try scanner.next() {
            switch token {
            case .start(let tag): open.append(try XMLElement(tag))
            case .end:
                let element = open.removeLast()
                if open.isEmpty { return element }
                open[open.count - 1].children.append(element)
            case .text: break
            }
        }
        return nil
    }

    private init(_ tag: XMLToken.StartTag) throws(XMLError) {
        self.init(name: tag.name, line: tag.line)
        for attribute in tag.attributes {
            guard !attribute.value.contains("\u{FFFD}") else {
                throw XMLError(.malformed("unknown entity"), line: tag.line)
            }
            attributes[attribute.name] = attribute.value
        }
    }
}

extension XMLError {
    /// The message for the person who builds.
    fileprivate var message: String {
        switch problem {
        case .tooLong: "document too long"
        case .encoding: "not UTF-8"
        case .declarations: "unexpected document type"
        case .tooDeep: "elements nested too deeply"
        case .tooMuch: "too many elements or attributes"
        case .malformed(let message): message
        }
    }
}
