import Geometry
import Glibc

/// Builds one line of JSON for the trace; numbers are formatted identically on every machine.
struct JSONLine {
    private(set) var text = "{"
    private var needsComma = false

    mutating func close() -> String {
        text += "}\n"
        return text
    }

    mutating func add(_ name: String, _ value: String?) {
        key(name)
        text += value.map(Self.quoted) ?? "null"
    }

    mutating func add(_ name: String, _ value: Int) {
        key(name)
        text += String(value)
    }

    mutating func add(_ name: String, _ value: Bool) {
        key(name)
        text += value ? "true" : "false"
    }

    /// Adds a number with at most `places` decimal places, without trailing zeros.
    mutating func add(_ name: String, _ value: Double, places: Int = 3) {
        key(name)
        text += Self.number(value, places)
    }

    mutating func add(_ name: String, _ values: [Double], places: Int = 3) {
        key(name)
        text += "[" + values.map { Self.number($0, places) }.joined(separator: ",") + "]"
    }

    mutating func add(_ name: String, _ rects: [PixelRect]) {
        key(name)
        let all = rects.map { "[\($0.x),\($0.y),\($0.width),\($0.height)]" }
        text += "[" + all.joined(separator: ",") + "]"
    }

    mutating func object(_ name: String, _ body: (inout JSONLine) -> Void) {
        key(name)
        var inner = JSONLine()
        body(&inner)
        text += inner.text + "}"
    }

    mutating func add(_ name: String, _ values: [String]) {
        key(name)
        text += "[" + values.map(Self.quoted).joined(separator: ",") + "]"
    }

    /// Adds an object for each value.
    mutating func objects<Value>(
        _ name: String, _ values: [Value], _ body: (Value, inout JSONLine) -> Void
    ) {
        key(name)
        let texts = values.map { value in
            var inner = JSONLine()
            body(value, &inner)
            return inner.text + "}"
        }
        text += "[" + texts.joined(separator: ",") + "]"
    }

    private mutating func key(_ name: String) {
        if needsComma { text += "," }
        needsComma = true
        text += "\"\(name)\":"
    }

    /// Formats a fixed-point number: rounds once, then uses only integer arithmetic.
    static func number(_ value: Double, _ places: Int) -> String {
        guard value.isFinite else { return "null" }
        let unit = (0..<places).reduce(1) { power, _ in power * 10 }
        let scaled = (value * Double(unit)).rounded(.toNearestOrAwayFromZero)
        guard abs(scaled) < 9e15 else { return String(value) }
        let whole = Int(clamping: scaled)
        var fraction = String(abs(whole) % unit)
        fraction = String(repeating: "0", count: places - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        let sign = whole < 0 ? "-" : ""
        return sign + String(abs(whole) / unit) + (fraction.isEmpty ? "" : "." + fraction)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case let control where control.value < 32:
                let digits = String(control.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
