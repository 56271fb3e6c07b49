import CSandbox
package import ImageWire
import Glibc

/// Confines the process permanently, so that an attacker who takes it over can do no harm.
///
/// The measures are independent: if the kernel refuses one, the others are still applied.
package enum Sandbox {
    /// The first descriptor that is closed, after the three standard ones and the socket.
    private static let firstClosed: Int32 = 4

    /// The folders of shared libraries and the files of the dynamic linker.
    ///
    /// Codec libraries are loaded on demand, after the sandbox is active.
    private static let libraries = [
        "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache",
        "/etc/ld-musl-x86_64.path", "/etc/ld-musl-aarch64.path",
    ]

    /// The folders of the system's fonts and of their configuration.
    ///
    /// Drawings need fonts for their text. The configuration files are found by listing the folders.
    private static let fonts = [
        "/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig",
        "/var/cache/fontconfig",
    ]

    /// Applies the measures that a process hands down to its copies, and reports their state; call it
    /// before any input is read or any thread is started.
    ///
    /// The measure `calls` is left to `lockCalls`, because the fork server needs calls that decoders
    /// do not.
    package static func lock(
        _ limits: SandboxLimits = .decoder,
        measures: Set<SandboxMeasure> = Set(SandboxMeasure.allCases)
    ) -> SandboxReport {
        var report = SandboxReport()
        csandbox_close_from(firstClosed)
        for measure in SandboxMeasure.allCases
        where measures.contains(measure) && measure != .calls {
            apply(measure, limits, &report)
        }
        return report
    }

    /// Applies the measure `calls` in a decoder process, before it reads any input.
    package static func lockCalls(_ report: inout SandboxReport) {
        apply(.calls, .decoder, &report)
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
        case .noCapabilities: return csandbox_drop_capabilities()
        // After the namespaces and capabilities, because these calls reset the dumpable flag.
        case .noDumps: return csandbox_forbid_dumps()
        case .files:
            // The strings are not freed: this runs once per process.
            let paths = libraries.map { UnsafePointer(strdup($0)) }
            let folders = fonts.map { UnsafePointer(strdup($0)) }
            return csandbox_restrict_files(paths, paths.count, folders, folders.count)
        case .calls: return csandbox_restrict_calls()
        }
    }

    /// Sets the resource limits; returns 0, or the negative error number of the last limit
    /// that was refused.
    private static func set(_ limits: SandboxLimits) -> Int32 {
        // A write past the file size limit then fails with EFBIG, which gets a message, instead of
        // ending the process.
        signal(SIGXFSZ, SIG_IGN)
        let values: [(__rlimit_resource, Int)] = [
            (RLIMIT_AS, limits.addressSpace), (RLIMIT_DATA, limits.data),
            (RLIMIT_FSIZE, limits.file), (RLIMIT_CPU, limits.processorSeconds),
            (RLIMIT_NOFILE, limits.descriptors), (RLIMIT_CORE, 0),
        ]
        var result = csandbox_prefer_oom_kill()
        for (resource, value) in values {
            let code = csandbox_limit(Int32(resource.rawValue), UInt64(max(0, value)))
            if code < 0 { result = code }
        }
        return result
    }
}
