import Glibc

/// The decoder program that is installed beside this program.
package enum DecoderProgram {
    /// The path of the decoder program, in the folder of the running program.
    package static func path() -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? 0
            }
        }
        let path = buffer.prefix(max(0, count))
        let folder = path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
        return String(decoding: folder, as: UTF8.self) + "/vitrine-decode"
    }
}
