import ImageTypes
import SceneModel

/// The caption of a picture in a slideshow.
package struct Caption: Hashable, Sendable {
    /// The raw values are the words of the setting `slideshow.caption`.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case title, description, date, place
        /// The name of the folder, without those above it.
        case folder
        /// The name of the file.
        case name

        /// Whether the field is in the metadata of the file.
        package var isMetadata: Bool { [.title, .description, .place].contains(self) }
    }

    package enum Line: Hashable, Sendable {
        case title(String)
        /// A text of several lines.
        case paragraph(String)
        /// Short texts beside one another.
        case facts([String])
    }

    package private(set) var lines: [Line] = []

    /// The longest text of a field, in scalars; more cannot be read in the time of a slide.
    private static let longest = 400

    /// The caption of a picture; `date` is as a person of the locale writes it, empty if unknown.
    package init(_ fields: [Field], _ facts: Information.Facts, date: String) {
        var shown: Set<String> = []
        for field in fields {
            let text = Self.cleaned(Self.text(field, facts, date))
            // Some programs write the same text into several fields.
            guard !text.isEmpty, shown.insert(text).inserted else { continue }
            switch field {
            case .title: lines.append(.title(text))
            case .description: lines.append(.paragraph(text))
            case .date, .place, .folder, .name:
                if case .facts(let others)? = lines.last {
                    lines.removeLast()
                    lines.append(.facts(others + [text]))
                } else {
                    lines.append(.facts([text]))
                }
            }
        }
    }

    package var isEmpty: Bool { lines.isEmpty }

    /// The caption as a screen reader says it.
    package var text: String {
        lines.map { line in
            switch line {
            case .title(let text), .paragraph(let text): text.isolated
            case .facts(let texts): Self.joined(texts)
            }
        }.joined(separator: ", ")
    }

    /// Short texts in one line; none of them changes the direction of the others.
    static func joined(_ texts: [String]) -> String {
        texts.map(\.isolated).joined(separator: " · ")
    }

    private static func text(
        _ field: Field, _ facts: Information.Facts, _ date: String
    ) -> String {
        switch field {
        case .title: value(facts, .description, "Title", "Headline")
        case .description: value(facts, .description, "Description")
        case .date: date
        case .place:
            ["City", "State", "Country"].map { value(facts, .place, $0) }
                .filter { !$0.isEmpty }.map(\.isolated).joined(separator: ", ")
        case .folder: facts.folder.split(separator: "/").last.map(String.init) ?? ""
        case .name: facts.name
        }
    }

    /// The value of the first label that the metadata has; empty if there is none.
    private static func value(
        _ facts: Information.Facts, _ group: PictureMetadata.Group, _ labels: String...
    ) -> String {
        for label in labels {
            let entry = facts.metadata.entries.first { entry in
                entry.group == group && entry.label == label && !entry.value.isEmpty
            }
            if let entry { return entry.value }
        }
        return ""
    }

    /// The text without line breaks and control characters, with single blanks, of bounded length.
    private static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var count = 0
        var needsBlank = false
        for scalar in text.unicodeScalars {
            if scalar.isControl || scalar.properties.isWhitespace {
                needsBlank = count > 0
                continue
            }
            if count + 1 >= longest {
                scalars.append("…")
                break
            }
            if needsBlank { scalars.append(" ") }
            scalars.append(scalar)
            count += needsBlank ? 2 : 1
            needsBlank = false
        }
        return String(scalars)
    }
}
