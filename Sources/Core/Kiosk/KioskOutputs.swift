import Localization

/// On which outputs a kiosk shows pictures, and which folder on which.
///
/// Written as entries with semicolons between them: the name of an output, and the folder that is shown
/// there, such as `HDMI-A-1 /srv/left; HDMI-A-2 /srv/right`. An output without a folder shows the given
/// paths.
package struct KioskOutputs: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let name: String
        /// Nil for the given paths.
        package let folder: String?
    }

    package private(set) var entries: [Entry] = []

    /// The most entries.
    package static let most = 16

    /// Every output.
    package init() {}

    /// Throws the reason if the text has an error.
    package init(_ text: String) throws(OutputsError) {
        for part in text.split(separator: ";") {
            let words = part.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            guard let first = words.first else { continue }
            let name = String(first)
            let folder = words.count > 1 ? Self.trimmed(words[1]) : ""
            guard !entries.contains(where: { $0.name == name }) else {
                throw OutputsError(reason: localized("“\(name)” is named twice"))
            }
            guard folder.isEmpty || folder.hasPrefix("/") else {
                throw OutputsError(reason: localized("“\(folder)” is not an absolute path"))
            }
            entries.append(Entry(name: name, folder: folder.isEmpty ? nil : folder))
        }
        guard entries.count <= Self.most else {
            throw OutputsError(reason: localized("there are more than \(Self.most)"))
        }
    }

    /// Without entries a kiosk shows pictures on every output.
    package var isEmpty: Bool { entries.isEmpty }

    package var names: [String] { entries.map(\.name) }

    /// The folder of an output; nil for the given paths.
    package func folder(of name: String) -> String? {
        entries.first { $0.name == name }?.folder
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

/// Why a list of outputs was refused, as a message for people.
package struct OutputsError: Error, Hashable {
    package let reason: String
}
