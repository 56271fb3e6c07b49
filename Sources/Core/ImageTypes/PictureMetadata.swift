/// The metadata of a picture file, as text for people.
package struct PictureMetadata: Hashable, Sendable {
    /// The subject of an entry.
    package enum Group: UInt8, Hashable, Sendable, CaseIterable {
        case file = 1
        case camera, description, place
    }

    package struct Entry: Hashable, Sendable {
        package var group: Group
        package var label: String
        package var value: String

        package init(_ group: Group, _ label: String, _ value: String) {
            self.group = group
            self.label = label
            self.value = value
        }
    }

    /// Where the picture was taken.
    package struct Position: Hashable, Sendable {
        /// Degrees, north positive, −90…90.
        package var latitude: Double
        /// Degrees, east positive, −180…180.
        package var longitude: Double

        /// Nil for coordinates out of range.
        package init?(latitude: Double, longitude: Double) {
            guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// A text that stands for the picture where the picture cannot be seen, in one language.
    package struct AlternativeText: Hashable, Sendable {
        /// A tag of RFC 5646 such as "de-AT", or "x-default"; empty if the file does not say.
        package var language: String
        package var text: String

        package init(_ text: String, language: String) {
            (self.language, self.text) = (language, text)
        }
    }

    package var entries: [Entry]
    package var position: Position?
    /// The same text in several languages, the default one first by the rules of XMP.
    package var alternativeTexts: [AlternativeText] = []

    package init(entries: [Entry] = [], position: Position? = nil) {
        self.entries = entries
        self.position = position
    }

    /// The largest number of entries; more is not worth showing.
    package static let mostEntries = 64
    /// In bytes of UTF-8.
    package static let longestLabel = 64
    /// In bytes of UTF-8; longer texts are not readable beside a picture.
    package static let longestValue = 2048
    /// The largest number of languages of the alternative text.
    package static let mostAlternativeTexts = 16
    /// In bytes: the longest tag of RFC 5646 that has no extension.
    package static let longestLanguage = 35

    /// The alternative text of the picture, for a person who reads `languages`, such as "pt_BR", the
    /// preferred one first; else the text for all languages, or the first one.
    package func alternativeText(in languages: [String]) -> String? {
        for language in languages.map(Self.tag) {
            let exact = alternativeTexts.first { Self.tag($0.language) == language }
            if let found = exact ?? alternativeTexts.first(where: { $0.isRelated(to: language) }) {
                return found.text
            }
        }
        let common = alternativeTexts.first { ["x-default", ""].contains(Self.tag($0.language)) }
        return (common ?? alternativeTexts.first)?.text
    }

    /// A name of a language or locale as a tag.
    fileprivate static func tag(_ name: String) -> String {
        String(name.lowercased().map { $0 == "_" ? "-" : $0 })
    }
}

extension PictureMetadata.AlternativeText {
    /// Whether the text is in the same language, also as spoken elsewhere.
    fileprivate func isRelated(to language: String) -> Bool {
        func primary(_ tag: String) -> Substring { tag.prefix { $0 != "-" } }
        return primary(PictureMetadata.tag(self.language)) == primary(language)
    }
}
