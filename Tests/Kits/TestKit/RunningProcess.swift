import Glibc

/// A program that runs in the background; it is killed on deinitialization.
package final class RunningProcess {
    private let process: pid_t
    /// The process ID.
    package var number: Int32 { process }
    private var status: Int32?

    /// Starts a program with its standard error in the file `errors`.
    ///
    /// The program receives `descriptor` as file descriptor 9, and `listening` as 3.
    package init(
        _ arguments: [String], environment: [String], errors: String, passing descriptor: Int32,
        listening: Int32? = nil
    ) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Copies above 9 and 3, since `listening` can be 9 and `descriptor` can be 3 here.
        let copies = [descriptor, listening].map { fcntl($0 ?? -1, F_DUPFD_CLOEXEC, 10) }
        defer { for copy in copies where copy >= 0 { close(copy) } }
        posix_spawn_file_actions_adddup2(&actions, copies[0], 9)
        if listening != nil { posix_spawn_file_actions_adddup2(&actions, copies[1], 3) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o644)
        // Threads of tests have all signals blocked, and a program would inherit that.
        var attributes = posix_spawnattr_t()
        var none = sigset_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = environment.map { strdup($0) } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        let code = posix_spawn(&process, arguments[0], &actions, &attributes, &argv, &envp)
        precondition(code == 0, "cannot start \(arguments[0])")
        self.process = process
    }

    deinit {
        if exitCode == nil {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    /// The exit code, or 128 + the signal number; nil while the program runs.
    package var exitCode: Int32? {
        if let status { return status }
        var raw: Int32 = 0
        guard waitpid(process, &raw, WNOHANG) == process else { return nil }
        let signal = raw & 0x7F
        status = signal == 0 ? raw >> 8 & 0xFF : 128 + signal
        return status
    }

    package func terminate() { kill(process, SIGTERM) }

    /// The processes that the program has started and not collected yet, by any of its threads.
    package var children: [Int32] {
        guard let folder = opendir("/proc/\(process)/task") else { return [] }
        defer { closedir(folder) }
        var found: [Int32] = []
        while let entry = readdir(folder) {
            let task = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
            let list = TestFile.text("/proc/\(process)/task/\(task)/children") ?? ""
            found += list.split { $0 == " " || $0 == "\n" }.compactMap { Int32($0) }
        }
        return found
    }

    /// The number of voluntary context switches of all threads.
    package var wakeUps: Int {
        guard let folder = opendir("/proc/\(process)/task") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            let task = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
            let status = TestFile.text("/proc/\(process)/task/\(task)/status") ?? ""
            let line = status.split(separator: "\n").first {
                $0.hasPrefix("voluntary_ctxt_switches:")
            }
            count += line.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0
        }
        return count
    }

    /// The resident memory in bytes, including shared memory.
    package var residentBytes: Int {
        let fields = (TestFile.text("/proc/\(process)/statm") ?? "").split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// The used processor time, in seconds.
    package var processorTime: Double {
        let fields = Self.statistics("/proc/\(process)/stat")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
        else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// How many page faults the first thread has had that needed no disk.
    package var pageFaults: Int? {
        let fields = Self.statistics("/proc/\(process)/task/\(process)/stat")
        return fields.count > 7 ? Int(fields[7]) : nil
    }

    /// The resident KiB of each mapping of memory that has this name.
    package func residentSizes(of name: String) -> [Int] {
        var (sizes, isNamed) = ([Int](), false)
        for line in (TestFile.text("/proc/\(process)/smaps") ?? "").split(separator: "\n") {
            let words = line.split(separator: " ")
            // The first line of a mapping begins with its addresses.
            if words[0].contains("-") { isNamed = line.contains("/memfd:\(name) ") }
            if isNamed, words[0] == "Rss:", let size = Int(words[1]) { sizes.append(size) }
        }
        return sizes
    }

    /// The resident KiB of each mapping of memory that has no file and no name.
    package var anonymousSizes: [Int] {
        var (sizes, isAnonymous) = ([Int](), false)
        for line in (TestFile.text("/proc/\(process)/smaps") ?? "").split(separator: "\n") {
            let words = line.split(separator: " ")
            if words[0].contains("-") { isAnonymous = words.count == 5 }
            if isAnonymous, words[0] == "Rss:", let size = Int(words[1]) { sizes.append(size) }
        }
        return sizes
    }

    /// The fields of proc_pid_stat(5) after the name of the program.
    private static func statistics(_ path: String) -> [Substring] {
        (TestFile.text(path) ?? "").split(separator: ")").last?.split(separator: " ") ?? []
    }
}
