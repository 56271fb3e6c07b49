import CLinux

/// One-line messages on standard error; the same message about the same peer is written once.
struct BridgeLog {
    enum Peer { case viewer, broker }

    private var last: [Peer: String] = [:]

    mutating func note(_ peer: Peer, _ text: String) {
        guard last.updateValue(text, forKey: peer) != text else { return }
        Self.write(text)
    }

    /// Writes `vitrine-mqtt: TEXT`, without characters that control a terminal.
    static func write(_ text: String) {
        let plain = text.unicodeScalars.map { scalar -> Character in
            let isPlain =
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
                default: true
                }
            return isPlain ? Character(scalar) : " "
        }
        var bytes = Array("vitrine-mqtt: \(String(plain))\n".utf8)
        bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            clinux_write_error(base, buffer.count)
        }
    }
}
