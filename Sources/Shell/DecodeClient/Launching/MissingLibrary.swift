import CLinux
import Glibc
import Localization
import SystemCalls

/// A library without which a program cannot be started.
struct MissingLibrary: Hashable, Sendable, CustomStringConvertible {
    /// The name of its file, such as "libspng.so.0".
    var soname: String

    var description: String {
        guard let package = Self.packages[soname], access("/etc/debian_version", F_OK) == 0 else {
            return localized("the library \(soname) is missing")
        }
        return localized("the library \(soname) is missing; install the package \(package)")
    }

    /// The packages of Debian and Ubuntu that have the libraries to which the decoder is linked.
    private static let packages = [
        "libjpeg.so.62": "libjpeg62-turbo", "libjpeg.so.8": "libjpeg-turbo8",
        "libspng.so.0": "libspng0",
    ]

    /// The first library that the dynamic linker does not find for a program; nil if it finds all, and
    /// where the linker does not say.
    ///
    /// The linker lists the libraries instead of starting the program, as for ldd(1).
    static func first(of program: String) -> MissingLibrary? {
        let output = String(decoding: libraries(of: program), as: UTF8.self)
        for line in output.split(separator: "\n") where line.hasSuffix("=> not found") {
            guard let name = line.split(whereSeparator: \.isWhitespace).first else { continue }
            return MissingLibrary(soname: String(name))
        }
        return nil
    }

    /// More than the list of any program, in bytes.
    private static let longestList = 1 << 16

    private static func libraries(of program: String) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return [] }
        defer { close(ends[0]) }
        for end in ends { clinux_set_cloexec(end, 1) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        for descriptor in [STDIN_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [
            strdup("LD_TRACE_LOADED_OBJECTS=1"), nil,
        ]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        let isStarted = posix_spawn(&process, program, &actions, nil, &arguments, &environment) == 0
        close(ends[1])
        guard isStarted else { return [] }
        let output = try? readToEnd(of: ends[0], limit: longestList)
        kill(process, SIGKILL)
        var status: Int32 = 0
        trapping("waitpid") { retrying { waitpid(process, &status, 0) } }
        return output ?? []
    }
}
