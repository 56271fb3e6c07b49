import CLinux
package import Folders
import Glibc
import Localization
import SystemCalls
import Threads

/// A program that is started without a shell, with its arguments as they are.
///
/// The program has a session of its own and outlives the viewer. It reads nothing, its output is lost, and
/// of its errors the first line is kept.
package struct ChildProgram: Hashable, Sendable {
    /// The path of the program, or its name in PATH, and its arguments.
    package var arguments: [[UInt8]]
    /// Changes of the environment: "NAME=value", or "NAME" to remove the variable.
    package var environment: [String] = []
    /// The working folder; nil for that of the viewer.
    package var folder: FilePath?

    package init(_ arguments: [[UInt8]]) { self.arguments = arguments }

    /// The change of the environment for a program without an activation token.
    package static let withoutActivation = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]

    /// The change of the environment for a program that gets a token, or none of this program's own.
    package static func environment(activation token: String?) -> [String] {
        guard let token else { return withoutActivation }
        return withoutActivation.map { "\($0)=\(token)" }
    }

    package enum Outcome: Hashable, Sendable {
        /// The program still runs after the time that was given.
        case running
        /// The program has ended; `error` is the first line of its errors.
        case ended(code: Int32, error: String)
        case killed(signal: Int32, error: String)
        /// Why the program did not start, to be written after its name and a colon.
        case notStarted(String)

        /// What went wrong, to be written after the name of the program and a colon; nil if nothing did.
        package var problem: String? {
            switch self {
            case .running, .ended(code: 0, _): nil
            case .ended(let code, let error):
                localized("it ended with code \(code)") + (error.isEmpty ? "" : ": \(error)")
            case .killed(let signal, let error):
                localized("it was killed by signal \(signal)") + (error.isEmpty ? "" : ": \(error)")
            case .notStarted(let reason): reason
            }
        }
    }

    /// Runs the program, and waits for its end, or for `patience` milliseconds if that is not nil.
    ///
    /// Call this on a thread of its own. A program that still runs is collected by another thread.
    package func run(patience: Int? = nil) -> Outcome {
        let errors = Self.makeErrors()
        defer { if errors >= 0 { close(errors) } }
        let process: pid_t
        do throws(SystemError) {
            process = try spawn(errors)
        } catch { return .notStarted(message(error)) }
        var status: Int32 = 0
        guard let patience else {
            let ended = retrying { waitpid(process, &status, 0) }
            return ended == process ? outcome(status, errors) : .ended(code: 0, error: "")
        }
        var left = patience
        while retrying({ waitpid(process, &status, WNOHANG) }) == 0 {
            guard left > 0 else {
                Thread.collect(process)
                return .running
            }
            left -= Self.step
            poll(nil, 0, Int32(Self.step))
        }
        return outcome(status, errors)
    }

    /// How often a program is looked after, in milliseconds.
    private static let step = 20

    private func spawn(_ errors: Int32) throws(SystemError) -> pid_t {
        guard !arguments.isEmpty, !arguments[0].isEmpty else { throw SystemError(code: ENOENT) }
        var arguments = Self.strings(arguments)
        var changes = Self.strings(environment.map { Array($0.utf8) })
        defer { for string in arguments + changes { free(string) } }
        guard let folder else {
            return try reporting { clinux_spawn_program(&arguments, &changes, nil, errors) }
        }
        return try reporting {
            folder.withCString { clinux_spawn_program(&arguments, &changes, $0, errors) }
        }
    }

    /// Copies of texts, up to their first NUL, and NULL at the end.
    private static func strings(_ texts: [[UInt8]]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { $0.withPathString { strdup($0) } } + [nil]
    }

    private func message(_ error: SystemError) -> String {
        switch error.code {
        case ENOENT: localized("there is no such program")
        case EACCES: localized("it may not be executed")
        case ENOEXEC: localized("it is not a program")
        case E2BIG: localized("there are too many files for one start")
        default: localized("it cannot be started: \(error)")
        }
    }

    // MARK: Errors

    /// How many bytes of errors a program can write; more are refused.
    private static let errorLimit = 1 << 14

    /// Memory for the errors of a program, which never blocks it; -1 without.
    private static func makeErrors() -> Int32 {
        let descriptor = clinux_memfd_create("errors")
        guard descriptor >= 0 else { return -1 }
        guard ftruncate(descriptor, errorLimit) == 0, clinux_add_seals(descriptor, 1, 0) == 0
        else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    private func outcome(_ status: Int32, _ errors: Int32) -> Outcome {
        let text = errors < 0 ? [] : firstBytes(of: errors, limit: Self.errorLimit)
        let line = DisplayText.line(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
        let signal = status & 0x7F
        return signal == 0
            ? .ended(code: status >> 8 & 0xFF, error: line) : .killed(signal: signal, error: line)
    }
}
