import Localization

/// How many times the pictures below some folders come in a round of a shuffle.
///
/// Written as folders with numbers and semicolons between them, such as `/srv/new 3; /srv/old 1`. The
/// deepest folder that contains a picture counts.
package struct FolderWeights: Hashable, Sendable {
    /// Why a text was refused, as a message for people.
    package struct Refusal: Error, Hashable {
        package let reason: String
    }

    private struct Entry: Hashable, Sendable {
        /// The names on the way to the folder.
        var names: [[UInt8]]
        var weight: UInt8
    }

    /// As it was written.
    package let text: String
    private let entries: [Entry]

    package static let weights = 1...100
    private static let mostFolders = 100

    /// Every picture comes once.
    package init() { (text, entries) = ("", []) }

    package init(_ text: String) throws(Refusal) {
        var entries: [Entry] = []
        for part in text.split(separator: ";") {
            let words = part.split(separator: " ", omittingEmptySubsequences: true)
            guard let first = words.first, let last = words.last else { continue }
            guard words.count > 1, let weight = Int(last), Self.weights.contains(weight) else {
                throw Refusal(
                    reason:
                        localized(
                            "“\(part[first.startIndex..<last.endIndex])” does not end with a number "
                                + "from 1 to 100"))
            }
            // The path may have blanks.
            let path = part[first.startIndex..<words[words.count - 2].endIndex]
            guard path.first == "/" else {
                throw Refusal(reason: localized("“\(path)” does not begin with /"))
            }
            let names = Self.names(Array(path.utf8))
            guard !entries.contains(where: { $0.names == names }) else {
                throw Refusal(reason: localized("one folder stands there twice"))
            }
            entries.append(Entry(names: names, weight: UInt8(weight)))
        }
        guard entries.count <= Self.mostFolders else {
            throw Refusal(reason: localized("more than \(Self.mostFolders) folders"))
        }
        (self.text, self.entries) = (text, entries)
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// The weight of the pictures in a folder, which is given by its absolute path.
    package func weight(ofFolder path: [UInt8]) -> UInt8 {
        guard !entries.isEmpty else { return 1 }
        let names = Self.names(path)
        let inside = entries.filter { names.starts(with: $0.names) }
        return inside.max { $0.names.count < $1.names.count }?.weight ?? 1
    }

    /// The names of a path, where "." and ".." are followed without a look at the folders.
    private static func names(_ path: [UInt8]) -> [[UInt8]] {
        var names: [[UInt8]] = []
        for name in path.split(separator: UInt8(ascii: "/")) {
            switch Array(name) {
            case [UInt8(ascii: ".")]: break
            case [UInt8(ascii: "."), UInt8(ascii: ".")]: _ = names.popLast()
            case let name: names.append(name)
            }
        }
        return names
    }
}
