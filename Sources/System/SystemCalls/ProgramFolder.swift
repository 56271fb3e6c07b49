import Glibc

/// The folder of the running program.
package enum ProgramFolder {
    /// The path without a separator at its end; nil without /proc.
    package static func path() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? -1
            }
        }
        guard length > 0 else { return nil }
        let path = buffer[..<length]
        return path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) }
    }
}
