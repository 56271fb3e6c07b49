import CSandbox
package import ImageWire
import Glibc

/// Locks the process in, for good: whoever takes it over finds nothing to do harm with.
///
/// Every measure stands alone: where the kernel refuses one, the others are in force all the same.
package enum Sandbox {
    /// The first descriptor that is closed: before it are the standard three and the socket.
    private static let firstForeign: Int32 = 4

    /// Where libraries lie, and what finds them; the codecs' are loaded when they are needed.
    private static let libraries = [
        "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache",
        "/etc/ld-musl-x86_64.path", "/etc/ld-musl-aarch64.path",
    ]

    /// The system's fonts, without which drawings have no text; their configuration is found by listing
    /// what there is.
    private static let fonts = [
        "/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig",
        "/var/cache/fontconfig",
    ]

    /// Takes the measures; call it before any input is read and any thread started.
    package static func lock(
        _ limits: SandboxLimits = .decoder,
        measures: Set<SandboxMeasure> = Set(SandboxMeasure.allCases)
    ) -> SandboxReport {
        var report = SandboxReport()
        csandbox_close_from(firstForeign)
        for measure in SandboxMeasure.allCases where measures.contains(measure) {
            let result = take(measure, limits, report)
            report[measure] =
                result < 0 ? .refused(code: Int(-result)) : .inForce(version: Int(result))
        }
        return report
    }

    /// The version of what is in force or 0, or a negative errno.
    private static func take(
        _ measure: SandboxMeasure, _ limits: SandboxLimits, _ report: SandboxReport
    ) -> Int32 {
        switch measure {
        case .limits: return set(limits)
        case .noNewPrivileges: return csandbox_forbid_new_privileges()
        case .namespaces:
            let result = csandbox_leave_namespaces()
            if result == 0, report[.limits] != .leftOut {
                _ = csandbox_limit_threads(UInt64(max(0, limits.threads)))
            }
            return min(result, 0)
        case .noCapabilities: return csandbox_drop_capabilities()
        // After the two before it, which set it anew.
        case .noDumps: return csandbox_forbid_dumps()
        case .files:
            // The strings need not be freed: this happens once in a process.
            let paths = libraries.map { UnsafePointer(strdup($0)) }
            let folders = fonts.map { UnsafePointer(strdup($0)) }
            return csandbox_restrict_files(paths, paths.count, folders, folders.count)
        case .calls: return csandbox_restrict_calls()
        }
    }

    /// 0, or a negative errno of the last that was refused.
    private static func set(_ limits: SandboxLimits) -> Int32 {
        // Past the limit of a file there shall be an error, which has a message, and no signal.
        signal(SIGXFSZ, SIG_IGN)
        let wanted: [(__rlimit_resource, Int)] = [
            (RLIMIT_AS, limits.addressSpace), (RLIMIT_DATA, limits.data),
            (RLIMIT_FSIZE, limits.file), (RLIMIT_CPU, limits.processorSeconds),
            (RLIMIT_NOFILE, limits.descriptors), (RLIMIT_CORE, 0),
        ]
        var result = csandbox_go_first_when_memory_is_short()
        for (resource, value) in wanted {
            let code = csandbox_limit(Int32(resource.rawValue), UInt64(max(0, value)))
            if code < 0 { result = code }
        }
        return result
    }
}
