import XML

/// The prefixes of the namespaces of a document.
///
/// A prefix counts from its declaration on, also outside of the element that declares it.
struct XMLPrefixes {
    private var namespaces: [String: String] = [:]
    private static let most = 64

    /// Notes the declarations of a tag.
    mutating func declare(_ tag: XMLToken.StartTag) {
        for attribute in tag.attributes where namespaces.count < Self.most {
            if attribute.name.hasPrefix("xmlns:") {
                namespaces[String(attribute.name.dropFirst(6))] = attribute.value
            }
        }
    }

    /// A name with its prefix replaced by the namespace.
    func expanded(_ name: String) -> String {
        guard let colon = name.firstIndex(of: ":") else { return name }
        return (namespaces[String(name[..<colon])] ?? "") + name[name.index(after: colon)...]
    }
}
