import Glibc
import SystemCalls

/// The decoder program that is installed with this program.
package enum DecoderProgram {
    /// Where an installation has the decoder, which nobody runs by hand, seen from the folder of the
    /// program: `--libexecdir` of a distribution is one of these.
    private static let folders = ["", "/../libexec/vitrine", "/../lib/vitrine"]

    /// The path of the decoder program; in the folder of the running program, if it is nowhere.
    package static func path() -> String {
        let folder = String(decoding: ProgramFile.folder() ?? [], as: UTF8.self)
        let paths = folders.map { folder + $0 + "/vitrine-decode" }
        return paths.first { access($0, X_OK) == 0 } ?? paths[0]
    }
}
