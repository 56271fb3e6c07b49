package import Folders
import Glibc
import SystemCalls
import Threads

/// The folders that the desktop has for a person's files.
package enum UserFolders {
    /// The user's folder for pictures; nil where there is none.
    ///
    /// The folder is that of the file `user-dirs.dirs`; without an entry there, `Pictures` in the home
    /// folder. An entry that names the home folder itself says that there is none.
    package static func pictures(isFolder: (FilePath) -> Bool) -> FilePath? {
        pictures(Environment.value, isFolder: isFolder)
    }

    static func pictures(
        _ variable: (String) -> String?, isFolder: (FilePath) -> Bool
    ) -> FilePath? {
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        let given = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let file = FilePath((given ?? home + "/.config") + "/user-dirs.dirs")
        let entry = read(file).map { UserFoldersFile.folder("PICTURES", in: $0, home: home) }
        let folder: FilePath? =
            switch entry ?? .missing {
            case .missing: FilePath(home + "/Pictures")
            case .disabled: nil
            case .folder(let path): path
            }
        return folder.flatMap { isFolder($0) ? $0 : nil }
    }

    /// The largest file that is read, in bytes.
    private static let limit = 1 << 16

    /// How long the start of the program waits for the file, in milliseconds: the home folder may not
    /// answer.
    private static let patience = 250

    private static func read(_ path: FilePath) -> [UInt8]? {
        PatientCalls(patience: patience).run { contents(path) }
    }

    private static func contents(_ path: FilePath) -> [UInt8]? {
        do throws(SystemError) {
            let descriptor = try reporting {
                path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
            }
            defer { close(descriptor) }
            return try readToEnd(of: descriptor, limit: limit)
        } catch { return nil }
    }
}

/// Parses the file `user-dirs.dirs` of xdg-user-dirs: lines such as `XDG_PICTURES_DIR="$HOME/Pictures"`.
///
/// The file looks like a shell script, but only this form counts: an absolute path, or one that begins
/// with `$HOME/`, in double quotes, in which a backslash escapes the next byte.
enum UserFoldersFile {
    enum Entry: Hashable {
        case missing
        /// The entry is the home folder, which means that there is no such folder.
        case disabled
        case folder(FilePath)
    }

    /// The last valid entry of a folder such as "PICTURES".
    static func folder(_ name: String, in file: [UInt8], home: String) -> Entry {
        var result = Entry.missing
        for line in file.split(separator: UInt8(ascii: "\n")) {
            if let entry = entry(line, "XDG_\(name)_DIR", home: Array(home.utf8)) { result = entry }
        }
        return result
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func entry(_ line: ArraySlice<UInt8>, _ name: String, home: [UInt8]) -> Entry? {
        var rest = line.drop(while: isBlank)
        guard rest.starts(with: name.utf8) else { return nil }
        rest = rest.dropFirst(name.utf8.count).drop(while: isBlank)
        guard rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst().drop(while: isBlank)
        guard rest.first == UInt8(ascii: "\""), let value = unquoted(rest.dropFirst()) else {
            return nil
        }
        return entry(of: value, home: home)
    }

    /// The bytes up to the closing quote, without escapes, and whether a `$` at the start is escaped.
    private static func unquoted(
        _ text: ArraySlice<UInt8>
    ) -> (bytes: [UInt8], isLiteral: Bool)? {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in text {
            if isEscaped {
                bytes.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                return (bytes, text.first == UInt8(ascii: "\\"))
            } else {
                bytes.append(byte)
            }
        }
        return nil
    }

    private static func entry(of value: (bytes: [UInt8], isLiteral: Bool), home: [UInt8]) -> Entry?
    {
        var path = value.bytes
        let variable = Array("$HOME".utf8)
        if path.starts(with: variable), !value.isLiteral {
            let rest = path.dropFirst(variable.count)
            guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
            path = home + rest
        }
        guard path.first == UInt8(ascii: "/"), !path.contains(0) else { return nil }
        let isHome = trimmed(path) == trimmed(home)
        return isHome ? .disabled : .folder(FilePath(path))
    }

    /// A path without separators at its end.
    private static func trimmed(_ path: [UInt8]) -> [UInt8] {
        path.reversed().drop { $0 == UInt8(ascii: "/") }.reversed()
    }
}
