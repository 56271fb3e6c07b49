import Folders

/// The command line of a desktop entry, its key `Exec` (Desktop Entry Specification, "The Exec key").
///
/// No shell reads it: quotes and escapes only divide it into arguments.
struct DesktopEntryCommand: Hashable, Sendable {
    /// The arguments with their field codes.
    private let arguments: [String]

    /// Nil for an empty command, and where a quotation does not end.
    init?(_ text: String) {
        guard let arguments = Self.split(text), let program = arguments.first, !program.isEmpty
        else { return nil }
        self.arguments = arguments
    }

    private static func split(_ text: String) -> [String]? {
        var (arguments, current): ([String], String?) = ([], nil)
        var quote: Character?
        var characters = text.makeIterator()
        while let character = characters.next() {
            switch (character, quote) {
            case ("\\", nil), ("\\", "\""):
                guard let next = characters.next() else { return nil }
                // Inside double quotes only four characters need an escape.
                let isKept = quote != nil && !"\"`$\\".contains(next)
                current = (current ?? "") + (isKept ? "\\" : "") + String(next)
            case (_, let end?) where character == end: quote = nil
            case ("\"", nil), ("'", nil): (quote, current) = (character, current ?? "")
            case (_, nil) where character == " " || character == "\t" || character == "\n":
                if let done = current { arguments.append(done) }
                current = nil
            default: current = (current ?? "") + String(character)
            }
        }
        guard quote == nil else { return nil }
        return arguments + (current.map { [$0] } ?? [])
    }

    /// What the field codes of the entry stand for.
    struct Facts {
        var name = ""
        var icon = ""
        /// The path of the desktop entry.
        var file = ""
    }

    /// Whether one start opens several files.
    private var takesAll: Bool { arguments.contains("%F") || arguments.contains("%U") }

    /// The arguments of each start: one for all files, or one for each.
    func starts(_ files: [FilePath], _ facts: Facts) -> [[[UInt8]]] {
        takesAll || files.isEmpty
            ? [expanded(files, facts)] : files.map { expanded([$0], facts) }
    }

    private func expanded(_ files: [FilePath], _ facts: Facts) -> [[UInt8]] {
        var (result, hasFiles): ([[UInt8]], Bool) = ([], false)
        for argument in arguments {
            switch argument {
            case "%F": (hasFiles, result) = (true, result + files.map(\.bytes))
            case "%U":
                (hasFiles, result) = (
                    true, result + files.map { Array(LocalFileURI.uri(of: $0).utf8) }
                )
            case "%i":
                if !facts.icon.isEmpty { result += [Array("--icon".utf8), Array(facts.icon.utf8)] }
            // Without a file there is no argument for it.
            case "%f" where files.isEmpty, "%u" where files.isEmpty: break
            default:
                hasFiles = hasFiles || argument.contains("%f") || argument.contains("%u")
                result.append(expanded(argument, files.first, facts))
            }
        }
        // Many entries without a code for files still open files.
        return hasFiles ? result : result + files.map(\.bytes)
    }

    private func expanded(_ argument: String, _ file: FilePath?, _ facts: Facts) -> [UInt8] {
        var result: [UInt8] = []
        var bytes = argument.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            switch bytes.next() {
            case UInt8(ascii: "%"): result.append(byte)
            case UInt8(ascii: "f"): result += file?.bytes ?? []
            case UInt8(ascii: "u"):
                result += file.map { Array(LocalFileURI.uri(of: $0).utf8) } ?? []
            case UInt8(ascii: "c"): result += Array(facts.name.utf8)
            case UInt8(ascii: "k"): result += Array(facts.file.utf8)
            // The other codes are of former versions of the specification.
            default: break
            }
        }
        return result
    }
}
