import Localization

/// Numbers, flags and dates: values without quotes.
enum TOMLWord {
    static func value(_ word: String) -> TOMLValue? {
        switch word {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "inf", "+inf": return .number(.infinity)
        case "-inf": return .number(-.infinity)
        case "nan", "+nan", "-nan": return .number(.nan)
        default: break
        }
        let bytes = Array(word.utf8)
        if isDate(bytes) { return .date(word) }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(prefix) {
            return integer(bytes.dropFirst(2), radix: radix).map { .integer($0) }
        }
        return decimal(bytes)
    }

    /// What is wrong with a word that is no value.
    static func reason(_ word: String) -> String {
        let first = word.utf8.first ?? 0
        if first.isDigit || first == UInt8(ascii: "+") || first == UInt8(ascii: "-")
            || first == UInt8(ascii: ".")
        {
            return localized("\(word) is not a number, or one of more than 64 bits")
        }
        return localized("\(word) needs quotes")
    }

    private static func integer(_ digits: ArraySlice<UInt8>, radix: Int) -> Int? {
        guard let plain = withoutUnderscores(digits, isDigit: { ($0 as UInt8).isHexDigit }) else {
            return nil
        }
        return Int(String(decoding: plain, as: UTF8.self), radix: radix)
    }

    private static func decimal(_ bytes: [UInt8]) -> TOMLValue? {
        var rest = bytes[...]
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            rest = rest.dropFirst()
        }
        let whole = rest.prefix { $0.isDigit || $0 == UInt8(ascii: "_") }
        guard let digits = withoutUnderscores(whole, isDigit: \.isDigit),
            digits.count == 1 || digits.first != UInt8(ascii: "0")
        else { return nil }
        rest = rest.dropFirst(whole.count)
        let sign = bytes.first == UInt8(ascii: "-") ? "-" : ""
        var text = sign + String(decoding: digits, as: UTF8.self)
        if rest.isEmpty { return Int(text).map { .integer($0) } }
        if rest.first == UInt8(ascii: ".") {
            let part = rest.dropFirst().prefix { $0.isDigit || $0 == UInt8(ascii: "_") }
            guard let digits = withoutUnderscores(part, isDigit: \.isDigit) else { return nil }
            text += "." + String(decoding: digits, as: UTF8.self)
            rest = rest.dropFirst(1 + part.count)
        }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            text += "e"
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                text += sign == UInt8(ascii: "-") ? "-" : ""
                rest = rest.dropFirst()
            }
            guard let digits = withoutUnderscores(rest, isDigit: \.isDigit) else { return nil }
            text += String(decoding: digits, as: UTF8.self)
            rest = []
        }
        return rest.isEmpty ? Double(text).map { .number($0) } : nil
    }

    /// The digits; nil unless there are some, and each underscore is between two of them.
    private static func withoutUnderscores(
        _ bytes: ArraySlice<UInt8>, isDigit: (UInt8) -> Bool
    ) -> [UInt8]? {
        guard let first = bytes.first, let last = bytes.last, isDigit(first), isDigit(last) else {
            return nil
        }
        var digits: [UInt8] = []
        var wasDigit = false
        for byte in bytes {
            if isDigit(byte) {
                digits.append(byte)
                wasDigit = true
            } else {
                guard byte == UInt8(ascii: "_"), wasDigit else { return nil }
                wasDigit = false
            }
        }
        return digits
    }

    // MARK: Dates

    /// Whether the word is a date, a time, or both, perhaps with an offset.
    private static func isDate(_ bytes: [UInt8]) -> Bool {
        if bytes.count == 10 { return isDay(bytes[...]) }
        guard bytes.count > 11, isDay(bytes[..<10]) else {
            return time(bytes[...])?.isEmpty == true
        }
        guard [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
            let offset = time(bytes[11...])
        else { return false }
        switch offset.first {
        case nil: return true
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): return offset.count == 1
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            let parts = Array(offset.dropFirst())
            guard parts.count == 5, parts[2] == UInt8(ascii: ":"),
                let hours = number(parts[..<2]), let minutes = number(parts[3...])
            else { return false }
            return hours < 24 && minutes < 60
        default: return false
        }
    }

    private static func isDay(_ bytes: ArraySlice<UInt8>) -> Bool {
        let text = Array(bytes)
        guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = number(text[..<4]), let month = number(text[5..<7]),
            let day = number(text[8...]), (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }

    /// What follows a time; nil if there is none.
    private static func time(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let text = Array(bytes.prefix(8))
        guard text.count == 8, text[2] == UInt8(ascii: ":"), text[5] == UInt8(ascii: ":"),
            let hours = number(text[..<2]), let minutes = number(text[3..<5]),
            let seconds = number(text[6...]), hours < 24, minutes < 60, seconds < 60
        else { return nil }
        let rest = bytes.dropFirst(8)
        guard rest.first == UInt8(ascii: ".") else { return rest }
        let fraction = rest.dropFirst().prefix(while: \.isDigit)
        return fraction.isEmpty ? nil : rest.dropFirst(1 + fraction.count)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.allSatisfy(\.isDigit) ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
}
