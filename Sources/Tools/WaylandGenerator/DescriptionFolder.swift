import Glibc
import SystemCalls

/// The folder where a package of protocol descriptions is installed.
enum DescriptionFolder {
    /// The folder that pkg-config reports, else the usual one.
    static func locate(_ package: String) -> String {
        pkgConfigVariable("pkgdatadir", of: package)
            ?? (package == "wayland-client" ? "/usr/share/wayland" : "/usr/share/" + package)
    }

    /// How to install a missing package, for the error message.
    static func advice(_ package: String) -> String {
        let debian = package == "wayland-client" ? "libwayland-dev" : package
        return "install it: apt install \(debian)"
    }

    private static func pkgConfigVariable(_ variable: String, of package: String) -> String? {
        let command = ["pkg-config", "--variable=\(variable)", package]
        guard let output = outputOf(command) else { return nil }
        let value = output.prefix { $0 != "\n" }
        return value.isEmpty ? nil : String(value)
    }

    /// The standard output of a command; nil if the command fails.
    private static func outputOf(_ command: [String]) -> String? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)

        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        arguments.append(nil)
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let status = posix_spawnp(&process, command[0], &actions, nil, &arguments, environ)
        close(ends[1])
        defer { close(ends[0]) }
        guard status == 0 else { return nil }

        let output = try? readToEnd(of: ends[0])
        var exit: Int32 = 0
        trapping("waitpid") { retrying { waitpid(process, &exit, 0) } }
        return exit == 0 ? output.map { String(decoding: $0, as: UTF8.self) } : nil
    }
}
