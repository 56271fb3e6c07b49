import Glibc
import ImageTypes
import SystemCalls

/// The memory of the machine, in bytes, as far as the system tells it.
///
/// The texts come from the system and from whoever has set up the container, so everything that is
/// not a plausible number counts as unknown.
package struct SystemMemory: Hashable, Sendable {
    /// The installed memory; nil if unknown.
    package var total: Int?
    /// The memory that programs can still get without swapping; nil if unknown.
    package var available: Int?
    /// The least limit of the control group of this process and of the groups above; nil without one.
    package var groupLimit: Int?

    package init(total: Int? = nil, available: Int? = nil, groupLimit: Int? = nil) {
        self.total = total
        self.available = available
        self.groupLimit = groupLimit
    }

    // MARK: Budgets

    /// The smallest budget: less holds no picture of a usual camera.
    private static let leastBytes = 128 << 20
    /// The installed memory if the system does not tell it.
    private static let assumedTotal = 2 << 30

    /// The most memory for the pixels of a single picture.
    ///
    /// The same at every start: what is running beside is no reason to refuse a picture.
    package var pictureBytes: Int {
        let share = min((total ?? Self.assumedTotal) / 4, (groupLimit ?? .max) / 2)
        return min(max(share, Self.leastBytes), PictureLimits.memory)
    }

    /// The most memory for the pixels of all pictures, including those that are decoded ahead.
    package var pixelBytes: Int {
        min(pictureBytes, max((available ?? .max) / 2, Self.leastBytes))
    }

    // MARK: Reading

    private static let longestText = 1 << 20

    /// Reads what the system tells about its memory.
    package static func read() -> SystemMemory {
        let memory = text("/proc/meminfo") ?? ""
        return SystemMemory(
            total: kibibytes("MemTotal", in: memory),
            available: kibibytes("MemAvailable", in: memory),
            groupLimit: controlGroups.limitFiles.compactMap { text($0).flatMap(limit) }.min())
    }

    /// The control groups of this process at its start.
    static let controlGroups = ControlGroups(
        membership: text("/proc/self/cgroup") ?? "", mounts: text("/proc/self/mountinfo") ?? "")

    private static func text(_ path: String) -> String? {
        guard
            let descriptor = try? reporting({
                open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            })
        else { return nil }
        defer { close(descriptor) }
        return (try? readToEnd(of: descriptor, limit: longestText)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    // MARK: Parsing

    /// A row of /proc/meminfo, such as "MemTotal:  16303452 kB", in bytes.
    package static func kibibytes(_ name: String, in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            let words = line.dropFirst(name.count + 1).split(separator: " ")
            guard words.count == 2, words[1] == "kB" else { return nil }
            return number(words[0]).flatMap { $0 <= Int.max >> 10 ? $0 << 10 : nil }
        }
        return nil
    }

    /// The content of a file with the limit of a control group, in bytes; nil for "max".
    package static func limit(_ text: String) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let line = lines.first, lines.dropFirst().allSatisfy(\.isEmpty) else { return nil }
        return number(line)
    }

    /// A number of digits alone; nil for a sign, and for more than an Int holds.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(text)
    }
}
