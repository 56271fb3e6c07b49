import CTrespass

/// Forbidden system calls that a compromised decoder might try; most of them kill the process.
enum Trespass {
    /// Returns `ok` or `error` with the error number, if the process survives the attempt.
    static func commit(_ action: String, _ arguments: [String]) -> String {
        let path = arguments.first ?? "/etc/passwd"
        let result: Int32 =
            switch action {
            case "opens": trespass_open(path)
            case "opens-for-writing": trespass_write(path)
            case "connects": trespass_connect()
            case "forks": trespass_fork()
            case "execs": trespass_exec()
            case "allocates": trespass_allocate(64 << 30)
            case "fills-shared-memory": trespass_fill_shared_memory(64 << 30)
            case "takes-huge-pages": trespass_take_huge_pages()
            case "kills-its-parent": trespass_kill_parent()
            case "traces-its-parent": trespass_trace_parent()
            case "lifts-its-limits": trespass_lift_limits()
            case "writes-to-the-picture": trespass_write_to(4)
            case "writes-into-the-picture": trespass_write_into(4)
            case "starts-a-process-by-clone3": trespass_clone3()
            case "leaves-its-root": trespass_chroot()
            case "calls-as-x32": trespass_x32()
            default: -1
            }
        return result == 0 ? "ok" : "error \(result)"
    }
}
