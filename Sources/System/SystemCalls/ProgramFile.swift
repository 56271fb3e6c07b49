import Glibc

/// The file of the running program.
package enum ProgramFile {
    /// The path of its folder, without a separator at its end; nil without /proc.
    package static func folder() -> [UInt8]? {
        guard let path = path() else { return nil }
        return path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) }
    }

    /// Its name without the folder; nil without /proc.
    package static func name() -> [UInt8]? {
        guard let path = path() else { return nil }
        return path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) }
    }

    /// The path, also after an upgrade has replaced the file; nil without /proc.
    package static func path() -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? -1
            }
        }
        guard length > 0 else { return nil }
        let path = buffer[..<length]
        let mark = Array(" (deleted)".utf8)
        return path.suffix(mark.count).elementsEqual(mark) ? path.dropLast(mark.count) : path
    }
}
