/// The topics of a viewer on the broker.
package struct BridgeTopics: Hashable, Sendable {
    /// The name of the viewer for people.
    package let name: String
    /// The name in topics and identifiers: letters without case, digits and underscores.
    package let identifier: String
    /// What all topics of the viewer begin with.
    package let base: String
    /// What topics of the discovery begin with; nil without discovery.
    package let discovery: String?

    package init(name: String, prefix: String, discovery: String?) {
        self.name = name
        identifier = Self.identifier(name)
        base = prefix + "/" + identifier
        self.discovery = discovery
    }

    package var availability: String { base + "/availability" }

    /// The topic on which the bridge publishes a state.
    package func state(_ part: String) -> String { base + "/" + part }

    /// The topic on which the bridge receives commands for a part.
    package func command(_ part: String) -> String { base + "/" + part + "/set" }

    /// The part that a topic of commands is for; nil for any other topic.
    package func part(ofCommand topic: String) -> String? {
        let (start, end) = (base + "/", "/set")
        guard topic.hasPrefix(start), topic.hasSuffix(end),
            topic.utf8.count > start.utf8.count + end.utf8.count
        else { return nil }
        return String(topic.dropFirst(start.count).dropLast(end.count))
    }

    /// A name as topics and the identifiers of Home Assistant allow it.
    static func identifier(_ name: String) -> String {
        let text = name.lowercased().map { character -> Character in
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            return isPlain ? character : "_"
        }
        return text.isEmpty ? "viewer" : String(text)
    }

    /// Whether a text may be the beginning of topics.
    package static func isPrefix(_ text: String) -> Bool {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value != 0x7F && $0 != "+" && $0 != "#"
        }
        return isPlain && (1...128).contains(text.utf8.count) && !text.hasPrefix("$")
            && !text.hasPrefix("/") && !text.hasSuffix("/")
    }
}

/// A text that a topic has, until another one replaces it.
package struct Publication: Hashable, Sendable {
    package var topic: String
    package var payload: String

    package init(_ topic: String, _ payload: String) {
        (self.topic, self.payload) = (topic, payload)
    }
}
