import CLinux
import CSandbox
package import ImageWire
import Glibc

/// Confines the process permanently, so that an attacker who takes it over can do no harm.
///
/// The measures are independent: if the kernel refuses one, the others are still applied.
package enum Sandbox {
    /// The descriptor of the socket to the viewer.
    private static let socket: Int32 = 3

    /// Applies the measures of the fork server, which its copies inherit, and reports their state;
    /// call it before any input is read or any thread is started.
    ///
    /// Both functions leave out what a test lacks.
    package static func lock(
        _ limits: SandboxLimits = .decoder, lacking: (SandboxMeasure) -> Bool = { _ in false }
    ) -> SandboxReport {
        var report = SandboxReport()
        clinux_close_from(socket + 1)
        SandboxMeasure.forEach { measure in
            if measure.isInherited, !lacking(measure) { apply(measure, limits, &report) }
        }
        return report
    }

    /// Applies the other measures in a copy of the fork server, before the copy reads any input, and
    /// adds their state to the report of the fork server.
    package static func lockCopy(
        _ report: inout SandboxReport, _ limits: SandboxLimits = .decoder,
        lacking: (SandboxMeasure) -> Bool = { _ in false }
    ) {
        // The fork server works for as long as the viewer runs.
        if report[.limits] != .notRequested {
            limit(RLIMIT_CPU, limits.processorSeconds)
        }
        SandboxMeasure.forEach { measure in
            if !measure.isInherited, !lacking(measure) { apply(measure, limits, &report) }
        }
    }

    private static func apply(
        _ measure: SandboxMeasure, _ limits: SandboxLimits, _ report: inout SandboxReport
    ) {
        let result = result(of: measure, limits, report)
        report[measure] =
            result < 0 ? .refused(code: Int(-result)) : .inForce(version: Int(result))
    }

    /// Applies one measure; returns the version of its kernel interface or 0, or a negative error number.
    private static func result(
        of measure: SandboxMeasure, _ limits: SandboxLimits, _ report: SandboxReport
    ) -> Int32 {
        switch measure {
        case .limits: return set(limits)
        case .noNewPrivileges: return csandbox_forbid_new_privileges()
        case .namespaces:
            let result = csandbox_unshare_namespaces()
            if result == 0, report[.limits] != .notRequested {
                _ = csandbox_limit_threads(UInt64(max(0, limits.threads)))
            }
            return min(result, 0)
        case .processes: return csandbox_has_own_processes()
        case .root: return csandbox_empty_root()
        case .noCapabilities: return csandbox_drop_capabilities()
        // After the namespaces and capabilities, because these calls reset the dumpable flag.
        case .noDumps: return csandbox_forbid_dumps()
        case .files: return csandbox_restrict_files()
        case .calls: return csandbox_restrict_calls()
        }
    }

    /// Sets the resource limits; returns 0, or the negative error number of the last limit
    /// that was refused.
    private static func set(_ limits: SandboxLimits) -> Int32 {
        // A write past the file size limit then fails with EFBIG, which gets a message, instead of
        // ending the process.
        signal(SIGXFSZ, SIG_IGN)
        // No limit: without /proc the kernel only chooses another process first.
        _ = csandbox_prefer_oom_kill()
        var result = csandbox_forbid_locked_memory()
        result = min(result, limit(RLIMIT_AS, limits.addressSpace))
        result = min(result, limit(RLIMIT_DATA, limits.data))
        result = min(result, limit(RLIMIT_FSIZE, limits.file))
        result = min(result, limit(RLIMIT_NOFILE, limits.descriptors))
        return min(result, limit(RLIMIT_CORE, 0))
    }

    /// Returns 0 or a negative error number.
    @discardableResult
    private static func limit(_ resource: __rlimit_resource, _ value: Int) -> Int32 {
        csandbox_limit(Int32(resource.rawValue), UInt64(max(0, value)))
    }
}
