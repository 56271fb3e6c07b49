import CTrespass

/// Forbidden system calls that a compromised decoder might try; most of them kill the process.
enum Trespass {
    /// Returns `ok` or `error` with the error number, if the process survives the attempt.
    static func commit(_ action: String, _ arguments: [String]) -> String {
        let path = arguments.first ?? "/etc/passwd"
        let numbers = arguments.compactMap { Int($0) }
        let process = Int32(numbers.first ?? 1)
        let result: Int32 =
            switch action {
            case "opens": trespass_open(path)
            case "opens-for-writing": trespass_write(path)
            case "connects": trespass_connect()
            case "forks": trespass_fork()
            case "execs": trespass_exec(arguments.first ?? "/usr/bin/true")
            case "looks-at": trespass_stat(path)
            case "lists": trespass_list(path)
            case "mounts": trespass_mount()
            case "holds-memory": trespass_hold_memory(Int32(numbers.first ?? 0))
            case "locks-memory": trespass_lock_memory()
            case "allocates": trespass_allocate(64 << 30)
            case "fills-shared-memory": trespass_fill_shared_memory(64 << 30)
            case "takes-huge-pages": trespass_take_huge_pages()
            case "kills": trespass_kill(process)
            case "traces": trespass_trace(process)
            case "reads-memory-of": trespass_read_memory(process, numbers.last ?? 0)
            case "lifts-its-limits": trespass_lift_limits()
            case "writes-to-the-picture": trespass_write_to(4)
            case "writes-into-the-picture": trespass_write_into(4)
            case "maps-the-picture": trespass_map(4)
            case "starts-a-process-by-clone3": trespass_clone3()
            case "leaves-its-root": trespass_chroot()
            case "calls-as-x32": trespass_x32()
            default: -1
            }
        return result == 0 ? "ok" : "error \(result)"
    }
}
