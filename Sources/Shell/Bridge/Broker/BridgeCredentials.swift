import Glibc
import SystemCalls

/// The user name and the password for the broker.
package struct BridgeCredentials: Hashable, Sendable {
    package var user: String
    package var password: String?

    /// The longest file, in bytes.
    private static let longest = 4096

    /// Parses the text of a file: the name in the first line, the password in the second one.
    package init(_ text: String) throws(BridgeFailure) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard let user = lines.first, !user.isEmpty else {
            throw BridgeFailure("the first line is the user name, and it is empty")
        }
        self.init(user: String(user), password: lines.count > 1 ? String(lines[1]) : nil)
    }

    package init(user: String, password: String?) {
        (self.user, self.password) = (user, password.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// Reads a file that only its owner can read.
    package static func read(_ path: [UInt8]) throws(BridgeFailure) -> BridgeCredentials {
        let name = String(decoding: path, as: UTF8.self)
        let (mode, bytes): (mode_t, [UInt8])
        do throws(SystemError) {
            (mode, bytes) = try contents(path)
        } catch { throw BridgeFailure("\(name): \(error.pathMessage)") }
        guard mode & 0o077 == 0 else {
            throw BridgeFailure("\(name): others can read it; chmod 600 helps")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw BridgeFailure("\(name): not a text in UTF-8")
        }
        do throws(BridgeFailure) { return try BridgeCredentials(text) } catch {
            throw BridgeFailure("\(name): \(error.reason)")
        }
    }

    /// The mode and the bytes of a file.
    private static func contents(_ path: [UInt8]) throws(SystemError) -> (mode_t, [UInt8]) {
        let descriptor = try reporting {
            path.withPathString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        }
        defer { close(descriptor) }
        var status = stat()
        _ = try reporting { fstat(descriptor, &status) }
        return (status.st_mode, try readToEnd(of: descriptor, limit: longest))
    }

    /// Takes the variables out of the environment; nil without a user name there.
    package static func takeFromEnvironment() -> BridgeCredentials? {
        let (user, password) = (take("VITRINE_MQTT_USER"), take("VITRINE_MQTT_PASSWORD"))
        return user.map { BridgeCredentials(user: $0, password: password) }
    }

    private static func take(_ variable: String) -> String? {
        guard let value = getenv(variable), value.pointee != 0 else { return nil }
        let text = String(cString: value)
        unsetenv(variable)
        return text
    }
}

/// Why the bridge cannot run, as a message for people.
package struct BridgeFailure: Error, Hashable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
