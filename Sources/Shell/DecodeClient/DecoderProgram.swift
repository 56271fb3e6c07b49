import Glibc

/// The decoder program that is installed with this program.
package enum DecoderProgram {
    /// Where an installation has the decoder, which nobody runs by hand, seen from the folder of the
    /// program: `--libexecdir` of a distribution is one of these.
    private static let folders = ["", "/../libexec/vitrine", "/../lib/vitrine"]

    /// The path of the decoder program; in the folder of the running program, if it is nowhere.
    package static func path() -> String {
        let folder = folder()
        let paths = folders.map { folder + $0 + "/vitrine-decode" }
        return paths.first { access($0, X_OK) == 0 } ?? paths[0]
    }

    /// The folder of the running program.
    private static func folder() -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? 0
            }
        }
        let path = buffer.prefix(max(0, count))
        return String(
            decoding: path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)], as: UTF8.self)
    }
}
