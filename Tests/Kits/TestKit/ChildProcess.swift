import CLinux
import Glibc
import SystemCalls

/// The exit status and the output of a program that a test ran.
package struct ChildProcess: Sendable {
    /// The exit code, or 128 + the signal number.
    package let status: Int32
    package let output: String
    package let errors: String

    /// Runs a program until it exits; after `seconds` it is killed, with the status 137.
    package static func run(
        _ arguments: [String], input: [UInt8]? = nil, environment: [String]? = nil,
        seconds: Double = 60
    ) -> ChildProcess {
        let (outRead, outWrite) = pipe()
        let (errRead, errWrite) = pipe()
        let (inRead, inWrite) = input == nil ? (-1, -1) : pipe()
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if inRead >= 0 {
            posix_spawn_file_actions_adddup2(&actions, inRead, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, outWrite, 1)
        posix_spawn_file_actions_adddup2(&actions, errWrite, 2)
        // A separate process group, so that no descendant outlives the test.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var process = pid_t()
        let code = withCStrings(arguments) { argv in
            withCStrings(environment ?? inherited()) { envp in
                posix_spawnp(&process, arguments[0], &actions, &attributes, argv, envp)
            }
        }
        for end in [outWrite, errWrite, inRead] where end >= 0 { close(end) }
        guard code == 0 else {
            for end in [outRead, errRead, inWrite] where end >= 0 { close(end) }
            return ChildProcess(status: 127, output: "", errors: "\(SystemError(code: code))")
        }
        if let input { feed(input, to: inWrite) }
        let (output, errors) = collect(outRead, errRead, process, seconds)
        var status: Int32 = 0
        trapping("waitpid") { retrying { waitpid(process, &status, 0) } }
        kill(-process, SIGKILL)
        let signal = status & 0x7F
        return ChildProcess(
            status: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
            output: String(decoding: output, as: UTF8.self),
            errors: SandboxSupport.withoutNotice(String(decoding: errors, as: UTF8.self)))
    }

    private static func pipe() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        precondition(Glibc.pipe(&ends) == 0, "cannot create a pipe")
        for end in ends { clinux_set_cloexec(end, 1) }
        return (ends[0], ends[1])
    }

    private static func inherited() -> [String] {
        var result: [String] = []
        var cursor = environ
        while let entry = cursor.pointee {
            result.append(String(cString: entry))
            cursor = cursor.advanced(by: 1)
        }
        return result
    }

    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return body(&pointers)
    }

    private static func feed(_ input: [UInt8], to descriptor: Int32) {
        signal(SIGPIPE, SIG_IGN)
        var unwritten = input[...]
        while !unwritten.isEmpty {
            let count = unwritten.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { break }
            unwritten = unwritten.dropFirst(count)
        }
        close(descriptor)
    }

    /// Reads both pipes until they are closed; kills the process at the time limit.
    private static func collect(
        _ output: Int32, _ errors: Int32, _ process: pid_t, _ seconds: Double
    ) -> ([UInt8], [UInt8]) {
        var texts: [[UInt8]] = [[], []]
        var polls = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let end = monotonicSeconds() + seconds
        while polls.contains(where: { $0.fd >= 0 }) {
            let left = end - monotonicSeconds()
            if left <= 0 { break }
            poll(&polls, 2, Int32(left * 1000) + 1)
            for index in 0..<2 where polls[index].fd >= 0 && polls[index].revents != 0 {
                let count = read(polls[index].fd, &buffer, buffer.count)
                if count > 0 { texts[index] += buffer[..<count] } else { polls[index].fd = -1 }
            }
        }
        if polls.contains(where: { $0.fd >= 0 }) { kill(-process, SIGKILL) }
        close(output)
        close(errors)
        return (texts[0], texts[1])
    }

    private static func monotonicSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension ChildProcess {
    /// Kills all processes of a program, and returns when they have ended.
    ///
    /// A process that is ending closes its descriptors after it has lost its command line, and becomes a zombie then.
    package static func killAll(_ program: String) {
        _ = run([
            "bash", "-c",
            """
            for process in $(pgrep -f "^$0"); do
                kill -KILL "$process"
                while grep -qs '^State:.[^ZX]' "/proc/$process/status"; do sleep 0.01; done
            done
            """, program,
        ])
    }
}
