import CLinux
import Glibc
import SystemCalls

/// The program that decoder processes run.
///
/// The file stays open: a package manager may put the file of another version in the place of the file
/// while the viewer runs, and decoders have to speak the messages of the viewer that starts them.
package final class DecoderProgram: Sendable {
    /// Where an installation has the decoder, which nobody runs by hand, seen from the folder of the
    /// program: `--libexecdir` of a distribution is one of these.
    private static let folders = ["", "/../libexec/vitrine", "/../lib/vitrine"]

    /// The decoder program that is installed with this program, as at the first use of this property.
    package static let installed: DecoderProgram = {
        let folder = String(decoding: ProgramFile.folder() ?? [], as: UTF8.self)
        let paths = folders.map { folder + $0 + "/vitrine-decode" }
        // In the folder of the running program, if it is nowhere.
        return DecoderProgram(paths.first { access($0, X_OK) == 0 } ?? paths[0])
    }()

    package let path: String
    /// -1 if the file could not be opened; then the program is looked for at each start.
    private let descriptor: Int32

    package init(_ path: String) {
        self.path = path
        descriptor = clinux_open_path(path)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Starts the program in namespaces of its own; see `clinux_spawn_isolated`.
    func start(with socket: Int32) throws(SystemError) -> pid_t {
        try reporting { clinux_spawn_isolated(path, descriptor, socket) }
    }
}
