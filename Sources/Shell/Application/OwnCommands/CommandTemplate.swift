import Desktop
import Folders
import Localization
import Settings
import TOML

/// A command of the settings file: a program and its arguments, with codes for pictures.
///
/// | code | stands for |
/// | --- | --- |
/// | `%f` | the path of a picture; the program is started once for each |
/// | `%u` | the URI of a picture, in the same way |
/// | `%d` | the folder of the picture, or of the first one |
/// | `%F`, `%U` | all paths or URIs, each an argument of its own; only as a whole argument |
/// | `%%` | a percent sign |
///
/// No shell reads the command.
struct CommandTemplate: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case text(String)
        case path, uri, folder
    }

    private enum Argument: Hashable, Sendable {
        case parts([Part])
        case allPaths, allURIs
    }

    /// The setting, as it was written.
    let words: [String]
    private let arguments: [Argument]

    /// The most arguments of a command.
    private static let most = 64

    /// Throws where the setting is no list of texts, or has a code that does not exist.
    init(_ setting: Setting) throws(SettingRefusal) {
        let expected = localized("a program and its arguments, such as [\"gimp\", \"%F\"]")
        guard case .array(let values) = setting.value, (1...Self.most).contains(values.count)
        else { throw setting.refusal(expected) }
        var words: [String] = []
        for value in values {
            guard case .string(let word) = value, !word.utf8.contains(0) else {
                throw setting.refusal(expected)
            }
            words.append(word)
        }
        guard !words[0].isEmpty, !words[0].contains("%") else {
            throw setting.refusal(expected)
        }
        self.words = words
        var arguments: [Argument] = []
        for word in words {
            guard let argument = Self.argument(word) else {
                throw SettingRefusal(
                    name: setting.name,
                    problem: localized(
                        "has “\(word)”; the codes are %f, %u, %d, %% and, as whole arguments, "
                            + "%F and %U"))
            }
            arguments.append(argument)
        }
        self.arguments = arguments
        if isForEach, takesAll {
            throw SettingRefusal(
                name: setting.name,
                problem: localized("takes one picture (%f, %u) or all (%F, %U), not both"))
        }
    }

    private static func argument(_ word: String) -> Argument? {
        if word == "%F" { return .allPaths }
        if word == "%U" { return .allURIs }
        var (parts, text): ([Part], String) = ([], "")
        var characters = word.unicodeScalars.makeIterator()
        while let character = characters.next() {
            guard character == "%" else {
                text.unicodeScalars.append(character)
                continue
            }
            let part: Part
            switch characters.next() {
            case "%":
                text += "%"
                continue
            case "f": part = .path
            case "u": part = .uri
            case "d": part = .folder
            default: return nil
            }
            parts += text.isEmpty ? [part] : [.text(text), part]
            text = ""
        }
        return .parts(text.isEmpty && !parts.isEmpty ? parts : parts + [.text(text)])
    }

    private func has(_ codes: [Part]) -> Bool {
        arguments.contains { argument in
            if case .parts(let parts) = argument {
                parts.contains(where: codes.contains)
            } else {
                false
            }
        }
    }

    private var isForEach: Bool { has([.path, .uri]) }
    private var takesAll: Bool { arguments.contains(.allPaths) || arguments.contains(.allURIs) }

    /// The name of the program for messages.
    var program: String { words[0] }

    /// The arguments of each start of the program, for pictures at absolute paths.
    func starts(_ paths: [FilePath]) -> [[[UInt8]]] {
        if isForEach { return paths.map { expanded([$0]) } }
        if takesAll || !has([.folder]) { return [expanded(paths)] }
        // Once for each folder.
        var seen: Set<[UInt8]> = []
        return paths.filter { seen.insert($0.parentPrefix).inserted }.map { expanded([$0]) }
    }

    private func expanded(_ paths: [FilePath]) -> [[UInt8]] {
        arguments.flatMap { argument -> [[UInt8]] in
            switch argument {
            case .allPaths: paths.map(\.bytes)
            case .allURIs: paths.map { Array(LocalFileURI.uri(of: $0).utf8) }
            case .parts(let parts):
                [parts.flatMap { bytes(of: $0, paths.first) }]
            }
        }
    }

    private func bytes(of part: Part, _ path: FilePath?) -> [UInt8] {
        switch part {
        case .text(let text): Array(text.utf8)
        case .path: path?.bytes ?? []
        case .uri: path.map { Array(LocalFileURI.uri(of: $0).utf8) } ?? []
        case .folder: path.map { folder(of: $0) } ?? []
        }
    }

    /// The folder without the separator at its end.
    private func folder(of path: FilePath) -> [UInt8] {
        let prefix = path.parentPrefix
        return prefix.count > 1 ? Array(prefix.dropLast()) : prefix
    }
}
