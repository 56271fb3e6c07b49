/// The parsed command line of `vitrine-mqtt`.
package struct BridgeOptions: Sendable {
    package enum Action: Hashable, Sendable { case run, help, version }

    package var action = Action.run
    package var broker: BrokerAddress?
    /// The control socket; nil for the only viewer of the user that runs.
    package var socket: [UInt8]?
    /// The name of the viewer; nil for the name of the computer.
    package var name: String?
    package var prefix = "vitrine"
    /// Nil without discovery.
    package var discovery: String? = "homeassistant"
    package var usesTLS = false
    /// The file of the certificates that prove the broker; nil for those of the system.
    package var authorities: [UInt8]?
    package var credentials: [UInt8]?
    package var allowsOpening = false
    /// The folder of a backlight; nil for the only one of the system.
    package var backlight: [UInt8]?

    package init() {}

    /// Parses the arguments after the name of the program.
    package init(_ arguments: [[UInt8]]) throws(BridgeUsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == Array("--".utf8) {
                guard let other = rest.first else { break }
                throw BridgeUsageError("unexpected “\(String(decoding: other, as: UTF8.self))”")
            }
            let equals = argument.firstIndex(of: UInt8(ascii: "="))
            let name = String(decoding: argument[..<(equals ?? argument.count)], as: UTF8.self)
            guard let entry = BridgeOptionTable.entries.first(where: { $0.name == name }) else {
                throw BridgeUsageError("unknown option \(name)")
            }
            guard !entry.argument.isEmpty else {
                guard equals == nil else { throw BridgeUsageError("\(name) takes no value") }
                try entry.store(&self, [])
                continue
            }
            guard let value = equals.map({ Array(argument[($0 + 1)...]) }) ?? rest.popFirst(),
                !value.isEmpty
            else { throw BridgeUsageError("\(name) needs a value") }
            guard !value.contains(0) else { throw BridgeUsageError("\(name): not a text") }
            try entry.store(&self, value)
        }
        guard action != .run || broker != nil else {
            throw BridgeUsageError("--broker HOST is missing")
        }
    }
}

/// An invalid command line, as a message for people.
package struct BridgeUsageError: Error, Hashable {
    package let reason: String

    init(_ reason: String) { self.reason = reason + "; see vitrine-mqtt --help" }
}

/// The host and the port of a broker.
package struct BrokerAddress: Hashable, Sendable {
    package var host: String
    /// Nil for the usual one.
    package var port: Int?

    /// Parses `HOST`, `HOST:PORT`, `[ADDRESS]:PORT`, or an address of IPv6.
    package init?(_ text: String) {
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
        guard isPlain, text.utf8.count <= 255 else { return nil }
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = String(text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
            host = String(text[..<colon])
            port = text[text.index(after: colon)...]
        } else {
            host = text
        }
        guard !host.isEmpty, !host.contains("/"), !host.hasPrefix("-") else { return nil }
        if let port {
            guard let number = Int(port), (1...65_535).contains(number), port.first != "+" else {
                return nil
            }
            self.port = number
        }
    }

    /// Whether nobody else reads what is sent there.
    package var isThisComputer: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}
