/// The file systems that are mounted, as /proc/self/mountinfo lists them (proc(5)).
package struct MountTable: Hashable, Sendable {
    /// Where file systems are mounted, the newest last.
    package let points: [[UInt8]]

    /// Parses the lines of mountinfo; lines that are not understood are left out.
    package init(parsing text: [UInt8]) {
        points = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // Number, number of the parent, device, root, mount point, options …
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 5 else { return nil }
            return Self.unescaped(fields[4])
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
        points.filter { point in
            folders.contains { point.starts(with: $0 + [UInt8(ascii: "/")]) }
        }
    }
}
