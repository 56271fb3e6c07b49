import Glibc
import ImageWire

/// Why a settings file is neither used nor changed.
package enum Distrust: Hashable, Sendable {
    /// Others may write to the file.
    case writable
    /// The file belongs to another user, given by name or, without a name, by number.
    case foreign(owner: String)
    /// The owner has no number in the user namespace of this process.
    case unmapped

    /// Nil for a file that is trusted.
    ///
    /// May wait for the system's list of users, so it belongs on a thread of its own.
    init?(_ trust: FileTrust) {
        switch trust {
        case .trusted: return nil
        case .writable: self = .writable
        case .foreign(let owner):
            let isMapped = UserMap.ofThisProcess?.contains(owner) ?? true
            self = isMapped ? .foreign(owner: Self.name(of: owner) ?? "\(owner)") : .unmapped
        }
    }

    private static func name(of user: uid_t) -> String? {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                getpwuid_r(user, &entry, base, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name, name.pointee != 0
            else { return nil }
            return String(cString: name)
        }
    }
}

/// The users that a user namespace knows, from `/proc/PID/uid_map`.
struct UserMap {
    private let ranges: [Range<Int>]

    /// Nil for a text of another form.
    init?(_ text: String) {
        var ranges: [Range<Int>] = []
        for line in text.split(separator: "\n") {
            // The first number inside, the first number outside, and how many.
            let numbers = line.split(separator: " ").compactMap { UInt32($0).map { Int($0) } }
            guard numbers.count == 3 else { return nil }
            ranges.append(numbers[0]..<(numbers[0] + numbers[2]))
        }
        guard !ranges.isEmpty else { return nil }
        self.ranges = ranges
    }

    func contains(_ user: uid_t) -> Bool { ranges.contains { $0.contains(Int(user)) } }

    /// Nil on a system that does not tell.
    static var ofThisProcess: UserMap? {
        guard let file = fopen("/proc/self/uid_map", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count = fread(&buffer, 1, buffer.count, file)
        return UserMap(String(decoding: buffer[..<count], as: UTF8.self))
    }
}
