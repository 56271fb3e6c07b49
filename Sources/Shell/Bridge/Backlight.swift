import Glibc
import SystemCalls

/// The brightness of a screen, where the system has a backlight that this user may set.
struct Backlight {
    private let folder: String
    private let greatest: Int

    private static let all = "/sys/class/backlight"

    /// Nil without a backlight that can be set: `folder` is one, else the only one of the system is used.
    init?(_ folder: String?) {
        guard let folder = folder ?? Self.only() else { return nil }
        // The kernel's own numbers are of 32 bits.
        guard let greatest = Self.number(folder + "/max_brightness"),
            (1...Int(Int32.max)).contains(greatest),
            access(folder + "/brightness", R_OK | W_OK) == 0
        else { return nil }
        (self.folder, self.greatest) = (folder, greatest)
    }

    private static func only() -> String? {
        guard let directory = opendir(all) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if bytes.first != UInt8(ascii: ".") {
                names.append(String(decoding: bytes, as: UTF8.self))
            }
        }
        return names.count == 1 ? all + "/" + names[0] : nil
    }

    /// The brightness in percent; nil if it cannot be read.
    var percent: Int? {
        Self.number(folder + "/brightness").map {
            let share = Double(max(0, min($0, greatest))) / Double(greatest)
            return Int((share * 100).rounded())
        }
    }

    /// Sets the brightness, 1 to 100 percent; the screen stays readable.
    func set(percent: Int) throws(SystemError) {
        let share = Double(min(max(percent, 1), 100)) / 100
        let text = "\(max(1, Int((share * Double(greatest)).rounded())))\n"
        let descriptor = try reporting {
            open(folder + "/brightness", O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        }
        defer { close(descriptor) }
        try writeAll(Array(text.utf8), to: descriptor)
    }

    private static func number(_ path: String) -> Int? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let text = String(decoding: firstBytes(of: descriptor, limit: 32), as: UTF8.self)
        return Int(text.filter { !$0.isWhitespace })
    }
}
