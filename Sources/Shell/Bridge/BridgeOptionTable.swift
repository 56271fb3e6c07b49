/// One command line option of `vitrine-mqtt`.
package struct BridgeOptionEntry: Sendable {
    package let name: String
    /// The argument as a help text writes it; empty for none.
    package let argument: String
    /// A sentence without a period.
    package let help: String
    let store: @Sendable (inout BridgeOptions, [UInt8]) throws(BridgeUsageError) -> Void

    fileprivate init(
        _ name: String, _ argument: String = "", _ help: String,
        store: @escaping @Sendable (inout BridgeOptions, [UInt8]) throws(BridgeUsageError) -> Void
    ) {
        (self.name, self.argument, self.help, self.store) = (name, argument, help, store)
    }
}

/// The table of all options: parser, help, man page and completion are made from it.
package enum BridgeOptionTable {
    package static let entries: [BridgeOptionEntry] = connections + names + program

    private static let connections: [BridgeOptionEntry] = [
        BridgeOptionEntry(
            "--broker", "HOST[:PORT]",
            "the MQTT broker; the usual port is 1883, and 8883 with TLS"
        ) { options, value throws(BridgeUsageError) in
            let text = try Self.text(value, of: "--broker")
            guard let address = BrokerAddress(text) else {
                throw BridgeUsageError("--broker takes HOST or HOST:PORT, not “\(text)”")
            }
            options.broker = address
        },
        BridgeOptionEntry(
            "--socket", "FILE",
            "the control socket of the viewer; the default is that of the only viewer that runs"
        ) { options, value in options.socket = value },
        BridgeOptionEntry(
            "--credentials", "FILE",
            "a file that nobody else can read: the user name in the first line, the password in the "
                + "second one"
        ) { options, value in options.credentials = value },
        BridgeOptionEntry(
            "--tls", "", "an encrypted connection, to a broker that the system's certificates prove"
        ) { options, _ in options.usesTLS = true },
        BridgeOptionEntry(
            "--ca", "FILE", "an encrypted connection, to a broker that these certificates prove"
        ) { options, value in (options.usesTLS, options.authorities) = (true, value) },
    ]

    private static let names: [BridgeOptionEntry] = [
        BridgeOptionEntry(
            "--name", "NAME",
            "the name of the viewer, at most 64 characters; the default is the name of the computer"
        ) { options, value throws(BridgeUsageError) in
            let text = try Self.text(value, of: "--name")
            guard text.count <= 64, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
                throw BridgeUsageError("--name takes at most 64 characters")
            }
            options.name = text
        },
        BridgeOptionEntry("--prefix", "TOPIC", "what topics begin with; the default is vitrine") {
            options, value throws(BridgeUsageError) in
            options.prefix = try Self.prefix(value, of: "--prefix")
        },
        BridgeOptionEntry(
            "--discovery-prefix", "TOPIC",
            "what topics of Home Assistant's discovery begin with; the default is homeassistant"
        ) { options, value throws(BridgeUsageError) in
            options.discovery = try Self.prefix(value, of: "--discovery-prefix")
        },
        BridgeOptionEntry("--no-discovery", "", "no discovery") { options, _ in
            options.discovery = nil
        },
        BridgeOptionEntry(
            "--allow-open", "", "lets the broker open files and folders, and pictures by number"
        ) { options, _ in options.allowsOpening = true },
        BridgeOptionEntry(
            "--backlight", "FOLDER",
            "the screen whose brightness is set; the default is the only one below "
                + "/sys/class/backlight"
        ) { options, value in options.backlight = value },
    ]

    private static let program: [BridgeOptionEntry] = [
        BridgeOptionEntry("--version", "", "prints the version") { options, _ in
            options.action = .version
        },
        BridgeOptionEntry("--help", "", "prints this text") { options, _ in options.action = .help
        },
    ]

    private static func text(
        _ value: [UInt8], of option: String
    ) throws(BridgeUsageError) -> String {
        guard let text = String(validating: value, as: UTF8.self) else {
            throw BridgeUsageError("\(option): not UTF-8")
        }
        return text
    }

    private static func prefix(
        _ value: [UInt8], of option: String
    ) throws(BridgeUsageError) -> String {
        let text = try text(value, of: option)
        guard BridgeTopics.isPrefix(text) else {
            throw BridgeUsageError(
                "\(option) takes at most 128 bytes without spaces, + and #, not “\(text)”")
        }
        return text
    }
}
