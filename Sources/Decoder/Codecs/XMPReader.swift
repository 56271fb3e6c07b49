/// Reads the few properties of an XMP packet that are displayed.
///
/// The XML scanner supports elements, attributes and the five predefined references, and rejects
/// document type declarations. Entities are never expanded, so that a small packet cannot become a
/// large text. Sources: XMP part 1 (ISO 16684-1), chapter 7; XML 1.0, chapters 2 and 3; Namespaces
/// in XML 1.0.
struct XMPReader {
    enum Property: Hashable, Sendable {
        case title, description, creator, rights, subject, rating, lens, tool, headline, city, state
        case country, created
    }

    /// The reason why a packet was not read completely.
    enum Problem: String, Error {
        case tooLong = "it is longer than 1 MiB"
        case declarations = "it declares a document type"
        case damaged = "it is not well-formed XML"
        case tooDeep = "it is nested too deeply"
        case tooMuch = "it has too many elements"
        case encoding = "it is not UTF-8"
    }

    private(set) var values: [Property: [String]] = [:]
    private(set) var problem: Problem?

    private static let longest = 1 << 20
    private static let deepest = 64
    private static let mostElements = 20_000
    /// Maximum number of values of one property.
    private static let mostValues = 64
    private static let mostPrefixes = 64

    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let dublinCore = "http://purl.org/dc/elements/1.1/"
    private static let basic = "http://ns.adobe.com/xap/1.0/"
    private static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
    private static let names: [String: Property] = [
        dublinCore + "title": .title, dublinCore + "description": .description,
        dublinCore + "creator": .creator, dublinCore + "rights": .rights,
        dublinCore + "subject": .subject, basic + "Rating": .rating, basic + "CreatorTool": .tool,
        basic + "CreateDate": .created, "http://ns.adobe.com/exif/1.0/aux/Lens": .lens,
        "http://cipa.jp/exif/1.0/LensModel": .lens, photoshop + "Headline": .headline,
        photoshop + "City": .city, photoshop + "State": .state, photoshop + "Country": .country,
    ]

    private var scanner: XMLScanner
    private var prefixes: [String: String] = [:]
    /// The elements that are open: the name of each, and the property that its text belongs to.
    private var open: [(name: String, property: Property?)] = []
    private var text = ""
    private var elements = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        scanner = XMLScanner(bytes)
        do throws(Problem) {
            guard bytes.count <= Self.longest else { throw .tooLong }
            // UTF-16 and UTF-32 contain zeros, or begin with a byte order mark.
            guard bytes.first != 0xFE, bytes.first != 0xFF, bytes.first != 0,
                bytes.dropFirst().first != 0
            else { throw .encoding }
            try read()
        } catch {
            problem = error
        }
    }

    private mutating func read() throws(Problem) {
        while let token = try scanner.next() {
            switch token {
            case .start(let name, let attributes, let isEmpty):
                try begin(name, attributes)
                if isEmpty { end() }
            case .end(let name):
                guard open.last?.name == name else { throw .damaged }
                end()
            case .text(let more): if open.last?.property != nil { text += more }
            }
        }
        guard open.isEmpty else { throw .damaged }
    }

    private mutating func begin(
        _ name: String, _ attributes: [(name: String, value: String)]
    ) throws(Problem) {
        elements += 1
        guard elements <= Self.mostElements else { throw .tooMuch }
        guard open.count < Self.deepest else { throw .tooDeep }
        for (name, value) in attributes where prefixes.count < Self.mostPrefixes {
            if name.hasPrefix("xmlns:") { prefixes[String(name.dropFirst(6))] = value }
        }
        let full = expanded(name)
        if full == Self.rdf + "Description" {
            for (name, value) in attributes {
                if let property = Self.names[expanded(name)] { add(value, to: property) }
            }
        }
        open.append((name, Self.names[full] ?? open.last?.property))
        text = ""
    }

    /// Ends an element; the text since the last tag is a value, also of a list item.
    private mutating func end() {
        guard let last = open.popLast() else { return }
        if let property = last.property { add(text, to: property) }
        text = ""
    }

    private mutating func add(_ value: String, to property: Property) {
        guard values[property, default: []].count < Self.mostValues,
            let tidy = MetadataText.tidy(value)
        else { return }
        values[property, default: []].append(tidy)
    }

    /// A name with its prefix replaced by the namespace.
    private func expanded(_ name: String) -> String {
        guard let colon = name.firstIndex(of: ":") else { return name }
        return (prefixes[String(name[..<colon])] ?? "") + name[name.index(after: colon)...]
    }
}
