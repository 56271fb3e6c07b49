import CLinux
import Glibc
import ImageTypes

/// Room on the disk for a picture that is too large for memory: a file without a name, which is gone
/// with the last who has it open.
enum DiskSpace {
    /// Where the desktop keeps what can be made again, and else where large files may lie for a while.
    private static var folders: [String] {
        let cache = getenv("XDG_CACHE_HOME").map { String(cString: $0) }
        let home = getenv("HOME").map { String(cString: $0) + "/.cache" }
        return [cache.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home, "/var/tmp"]
            .compactMap(\.self)
    }

    /// Opens a file of so many bytes, of which at most `limit` are allowed.
    static func make(bytes: Int, limit: Int) throws(DecodeFailure) -> Int32 {
        guard bytes <= limit else {
            throw .unreadable(
                reason: "it would take \(size(bytes)) on the disk while it is shown; "
                    + "\(size(limit)) are allowed (decode.max_disk)")
        }
        var reasons: [String] = []
        for folder in folders {
            let descriptor = clinux_make_room(folder, Int64(bytes))
            if descriptor >= 0 { return descriptor }
            reasons.append("\(folder): \(String(cString: strerror(errno)))")
        }
        throw .unreadable(
            reason: "there is no room for \(size(bytes)) on the disk while it is shown ("
                + reasons.joined(separator: "; ") + ")")
    }

    /// Bytes for a person.
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1 << 30 else { return "\((bytes + (1 << 20) - 1) >> 20) MiB" }
        let tenths = (bytes * 10 + (1 << 29)) >> 30
        return "\(tenths / 10).\(tenths % 10) GiB"
    }
}
