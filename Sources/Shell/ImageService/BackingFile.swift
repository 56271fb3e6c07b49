import CLinux
import Glibc
import ImageTypes
import Localization
import SystemCalls

/// The file on the disk that holds the pixels of a picture that is too large for memory.
///
/// The file has no name; the system removes it when its last descriptor is closed.
enum BackingFile {
    /// The user's cache folder, then /var/tmp, which is meant for large temporary files.
    private static var folders: [String] {
        let cache = getenv("XDG_CACHE_HOME").map { String(cString: $0) }
        let home = getenv("HOME").map { String(cString: $0) + "/.cache" }
        return [cache.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home, "/var/tmp"]
            .compactMap(\.self)
    }

    /// Creates a backing file of `bytes` bytes and returns its descriptor.
    ///
    /// Throws `unreadable` if `bytes` is larger than `limit` or no folder has enough space.
    static func make(bytes: Int, limit: Int) throws(DecodeFailure) -> Int32 {
        guard bytes <= limit else {
            throw .unreadable(
                reason: localized(
                    "it needs \(text(bytes)) of disk space while it is shown; "
                        + "at most \(text(limit)) are allowed (decode.max_disk)"))
        }
        var reasons: [String] = []
        for folder in folders {
            do throws(SystemError) {
                return try reporting { clinux_create_unnamed_file(folder, Int64(bytes)) }
            } catch { reasons.append("\(folder): \(error)") }
        }
        let reason = reasons.joined(separator: "; ")
        throw .unreadable(
            reason: localized(
                "it needs \(text(bytes)) of disk space while it is shown (\(reason))"))
    }

    /// A number of bytes as text, in MiB or GiB.
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1 << 30 else { return localized("\((bytes + (1 << 20) - 1) >> 20) MiB") }
        let tenths = (bytes * 10 + (1 << 29)) >> 30
        let number = "\(tenths / 10)\(Translation.decimalSeparator)\(tenths % 10)"
        return localized("\(number) GiB")
    }
}
