import Glibc
import SystemCalls

/// Where the session bus of the desktop is.
package enum BusAddress {
    /// The D-Bus address in the environment, else that of the socket in the runtime folder; nil where
    /// there is no session bus.
    ///
    /// GIO would start a bus of its own there, in which no other program is.
    package static func ofSession(_ variable: (String) -> String?) -> String? {
        if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
            return address.hasPrefix("autolaunch:") ? nil : address
        }
        guard let folder = variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        let path = folder + "/bus"
        return isSocket(path) ? "unix:path=" + escaped(path) : nil
    }

    /// The address in the environment of this process.
    package static func ofSession() -> String? { ofSession(Environment.value) }

    /// The address of the accessibility bus in the environment; nil where the desktop has to be asked.
    ///
    /// Flatpak gives a program its own socket of that bus by this variable.
    static func ofAccessibility(_ variable: (String) -> String? = Environment.value) -> String? {
        variable("AT_SPI_BUS_ADDRESS").flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func isSocket(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.isSocket
    }

    /// A value of an address: all bytes but a few are escaped (D-Bus specification, "Server Addresses").
    static func escaped(_ value: String) -> String {
        let digits = Array("0123456789abcdef")
        return value.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "*"):
                String(UnicodeScalar(byte))
            default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }.joined()
    }
}

/// The environment variables of this process.
enum Environment {
    static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
