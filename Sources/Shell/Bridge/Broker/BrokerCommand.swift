/// What a message of the broker asks of the viewer.
package enum BrokerCommand: Hashable, Sendable {
    case playing(Bool)
    case next, previous
    case screen(Bool)
    /// A share of the greatest brightness, in percent.
    case brightness(Int)
    /// An absolute path or a `file:` URI.
    case open(String)
    /// The number of a picture, from 1 on; a negative number counts from the last picture.
    case goto(Int)

    /// The longest payload, in bytes: that of a path.
    package static let longest = 4096
    /// The longest payload that is not a path, in bytes.
    private static let longestWord = 16

    /// The command of a payload for a part of the viewer; nil for a payload that is no command.
    package init?(_ part: String, _ payload: [UInt8]) {
        let most = part == "open" ? Self.longest : Self.longestWord
        guard payload.count <= most, let text = String(validating: payload, as: UTF8.self) else {
            return nil
        }
        switch (part, text) {
        case ("playing", "ON"), ("playing", "OFF"): self = .playing(text == "ON")
        case ("screen", "ON"), ("screen", "OFF"): self = .screen(text == "ON")
        case ("next", "PRESS"): self = .next
        case ("previous", "PRESS"): self = .previous
        case ("brightness", _):
            guard let percent = Self.number(text), (1...100).contains(percent) else { return nil }
            self = .brightness(percent)
        case ("goto", _):
            guard let number = Self.number(text), number != 0 else { return nil }
            self = .goto(number)
        case ("open", _):
            // The viewer says whether a URI names a file of its computer.
            guard text.hasPrefix("/") || text.lowercased().hasPrefix("file:/"),
                text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
            else { return nil }
            self = .open(text)
        default: return nil
        }
    }

    /// A whole number, without a plus sign, or with a fraction of zeros, as Home Assistant writes it.
    private static func number(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, !first.hasPrefix("+"),
            parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy({ $0 == "0" })
        else { return nil }
        return Int(first)
    }

    /// Whether only the option `--allow-open` allows the command.
    package var opens: Bool {
        switch self {
        case .open, .goto: true
        case .playing, .next, .previous, .screen, .brightness: false
        }
    }

    /// The message of the control socket; nil for what the bridge does itself.
    package var request: (command: String, arguments: [String])? {
        switch self {
        case .playing(let isOn): ("slideshow", [isOn ? "on" : "off"])
        case .next: ("next", [])
        case .previous: ("previous", [])
        case .screen(let isOn): ("screen", [isOn ? "on" : "off"])
        case .brightness: nil
        case .open(let path): ("open", [path])
        case .goto(let number): ("goto", ["\(number)"])
        }
    }
}
