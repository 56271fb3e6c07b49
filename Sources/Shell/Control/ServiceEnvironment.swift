import CLinux
import Glibc

/// What a service manager (systemd) tells a program that it starts: a socket that listens already, where
/// to send notifications, and how often it wants a sign of life.
package struct ServiceEnvironment: Sendable {
    /// The inherited socket; nil if there is none.
    package var socket: Int32?
    /// The address for notifications: a path, or an abstract name after `@`.
    package var notify: String?
    /// The time after which the program counts as hung, in milliseconds.
    package var watchdog: Double?

    package init() {}

    /// The first inherited descriptor, by sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3

    /// Takes the variables out of the environment, so that no program that is started later believes
    /// that they are for it.
    ///
    /// Only for the start of the program, while there is one thread.
    package static func take() -> ServiceEnvironment {
        var environment = ServiceEnvironment()
        let ownNumber = getpid()
        let isForUs = take("LISTEN_PID").flatMap { pid_t($0) } == ownNumber
        let count = take("LISTEN_FDS").flatMap { Int32($0) } ?? 0
        let names = (take("LISTEN_FDNAMES") ?? "").split(
            separator: ":", omittingEmptySubsequences: false)
        if isForUs, (1...1024).contains(count) {
            let descriptors = firstDescriptor..<firstDescriptor + count
            for descriptor in descriptors { clinux_set_cloexec(descriptor, 1) }
            let named = names.firstIndex(of: "vitrine").map { firstDescriptor + Int32($0) }
            let chosen = named.flatMap { descriptors.contains($0) ? $0 : nil } ?? firstDescriptor
            environment.socket = clinux_is_listening(chosen) == 1 ? chosen : nil
        }
        environment.notify = take("NOTIFY_SOCKET").flatMap {
            $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil
        }
        let watched = take("WATCHDOG_PID").map { pid_t($0) == ownNumber } ?? true
        if let text = take("WATCHDOG_USEC"), watched, let time = Double(text), time > 0,
            time < 1e15
        {
            environment.watchdog = time / 1000
        }
        return environment
    }

    private static func take(_ variable: String) -> String? {
        guard let value = getenv(variable) else { return nil }
        let text = String(cString: value)
        unsetenv(variable)
        return text
    }
}
