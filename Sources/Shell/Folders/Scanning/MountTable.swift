import Glibc

/// The file systems that are mounted, as /proc/self/mountinfo lists them (proc(5)).
package struct MountTable: Hashable, Sendable {
    struct Mount: Hashable, Sendable {
        /// Differs for each mount, also at the same place.
        var number: [UInt8]
        /// Where the file system is mounted.
        var point: [UInt8]

        /// Whether the mount is at, above or below a path.
        func isAround(_ path: [UInt8]) -> Bool {
            MountTable.contains(point, path) || MountTable.contains(path, point)
        }
    }

    /// The newest last.
    let mounts: [Mount]

    /// The system's limit of mounts is 100,000; a table of one tenth of that is believed.
    private static let longest = 2 << 20

    /// Reads the table from its begin; empty if that is impossible.
    package init(reading descriptor: Int32) {
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while text.count < Self.longest {
            let count = pread(descriptor, &part, part.count, text.count)
            guard count > 0 else { break }
            text += part.prefix(count)
        }
        self.init(parsing: text)
    }

    /// Parses the lines of mountinfo; lines that are not understood are left out.
    package init(parsing text: [UInt8]) {
        mounts = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // Number, number of the parent, device, root, mount point, options …
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 5 else { return nil }
            return Mount(number: Array(fields[0]), point: Self.unescaped(fields[4]))
        }
    }

    /// Blanks and backslashes are written as three octal digits.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = field
        while let first = rest.popFirst() {
            let digits = rest.prefix(3)
            if first == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(first)
            }
        }
        return bytes
    }

    /// The mount points below folders, which are paths without a trailing separator.
    package func points(below folders: [[UInt8]]) -> [[UInt8]] {
        mounts.map(\.point).filter { point in
            folders.contains { Self.contains($0, point) && $0 != point }
        }
    }

    /// Where the file system is mounted that a path leads to; nil if the table is not known.
    func source(of path: [UInt8]) -> [UInt8]? {
        let path = Self.trimmed(path)
        return mounts.map(\.point).filter { Self.contains($0, path) }
            .max { $0.count < $1.count }
    }

    /// Whether a path is that of a folder, or of something in the folder.
    fileprivate static func contains(_ folder: [UInt8], _ path: [UInt8]) -> Bool {
        let folder = trimmed(folder)
        return path.starts(with: folder)
            && (path.count == folder.count || path[folder.count] == UInt8(ascii: "/"))
    }

    /// Without separators at the end; the root is empty.
    private static func trimmed(_ path: [UInt8]) -> [UInt8] {
        Array(path.reversed().drop { $0 == UInt8(ascii: "/") }.reversed())
    }
}
