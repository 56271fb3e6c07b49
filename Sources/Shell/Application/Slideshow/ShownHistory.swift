import Glibc
import JSON

/// The pictures that were shown last, with the time at which each was first seen.
struct ShownHistory {
    private var entries: [(path: String, seconds: Int)] = []
    private static let capacity = 100

    /// Notes what is shown at a time in seconds since 1970; the same picture counts once.
    mutating func note(_ path: String, at seconds: @autoclosure () -> Int) {
        guard path != entries.last?.path, !path.isEmpty else { return }
        entries.append((path, seconds()))
        if entries.count > Self.capacity { entries.removeFirst() }
    }

    /// The newest picture comes first.
    var line: String {
        var line = JSONLine()
        line.objects("history", entries.reversed()) { entry, object in
            object.add("path", entry.path)
            object.add("time", Self.text(entry.seconds))
        }
        return line.close()
    }

    /// A time as ISO 8601 in UTC writes it.
    static func text(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
