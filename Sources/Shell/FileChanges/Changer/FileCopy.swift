import CLinux
import Glibc
import ImageWire
import Localization
import SystemCalls

/// New files that are on the disk before they get the name that counts.
enum FileCopy {
    /// How much is copied between two looks at `isStopped`, in bytes.
    private static let part = 8 << 20

    /// Makes the file at `target` with the contents of `source`, from its start, and the attributes of the
    /// file `like`, or of `source` where that is -1.
    ///
    /// Removes the file again if it cannot be completed, or when `isStopped`.
    static func make(
        _ target: [UInt8], from source: Int32, like: Int32 = -1, keepsTimes: Bool,
        isStopped: () -> Bool = { false }
    ) throws(ChangeFailure) {
        do throws(SystemError) {
            let descriptor = try reporting {
                target.withPathString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            }
            do throws(SystemError) {
                try fill(descriptor, from: source, isStopped)
                // A file that is made of memory alone has no attributes worth keeping.
                if like >= 0 {
                    try reporting {
                        clinux_copy_attributes(like, descriptor, keepsTimes ? 1 : 0)
                    }
                } else {
                    try reporting { fchmod(descriptor, 0o666 & ~fileCreationMask) }
                }
                try reporting { retrying { fsync(descriptor) } }
            } catch {
                close(descriptor)
                throw error
            }
            // Some file systems report a full disk only at this point.
            try reporting { close(descriptor) }
        } catch {
            if error.code != EEXIST { _ = target.withPathString { unlink($0) } }
            throw error.code == ECANCELED
                ? .refused(reason: localized("it was stopped")) : .system(code: error.code)
        }
    }

    private static func fill(
        _ descriptor: Int32, from source: Int32, _ isStopped: () -> Bool
    ) throws(SystemError) {
        var offset: Int64 = 0
        while try reporting({ clinux_copy_contents(source, descriptor, &offset, part) }) > 0 {
            guard !isStopped() else { throw SystemError(code: ECANCELED) }
        }
    }

    /// The mask of the process for the modes of new files; read without changing it.
    private static var fileCreationMask: mode_t {
        // umask(2) can only be read by setting it, which other threads would notice.
        let status = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard status >= 0 else { return 0o022 }
        defer { close(status) }
        let text = String(decoding: firstBytes(of: status, limit: 4096), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Umask:") }
        let digits = line?.drop { !("0"..."7").contains($0) }
        return digits.flatMap { mode_t($0, radix: 8) } ?? 0o022
    }
}
