/// Builds one line of JSON, an object; numbers are formatted identically on every machine.
package struct JSONLine: Sendable {
    package private(set) var text = "{"
    private var needsComma = false

    package init() {}

    package mutating func close() -> String {
        text += "}\n"
        return text
    }

    package mutating func add(_ name: String, _ value: String?) {
        key(name)
        text += value.map(Self.quoted) ?? "null"
    }

    package mutating func add(_ name: String, _ value: Int) {
        key(name)
        text += String(value)
    }

    package mutating func add(_ name: String, _ value: Bool) {
        key(name)
        text += value ? "true" : "false"
    }

    /// Adds a number with at most `places` decimal places, without trailing zeros.
    package mutating func add(_ name: String, _ value: Double, places: Int = 3) {
        key(name)
        text += Self.number(value, places)
    }

    package mutating func add(_ name: String, _ values: [Double], places: Int = 3) {
        key(name)
        text += "[" + values.map { Self.number($0, places) }.joined(separator: ",") + "]"
    }

    /// Adds an array of arrays of whole numbers.
    package mutating func add(_ name: String, _ rows: [[Int]]) {
        key(name)
        let all = rows.map { "[" + $0.map { String($0) }.joined(separator: ",") + "]" }
        text += "[" + all.joined(separator: ",") + "]"
    }

    /// Adds a value that is JSON already.
    package mutating func add(_ name: String, json: String) {
        key(name)
        text += json
    }

    package mutating func object(_ name: String, _ body: (inout JSONLine) -> Void) {
        key(name)
        var inner = JSONLine()
        body(&inner)
        text += inner.text + "}"
    }

    package mutating func add(_ name: String, _ values: [String]) {
        key(name)
        text += "[" + values.map(Self.quoted).joined(separator: ",") + "]"
    }

    /// Adds an object for each value.
    package mutating func objects<Value>(
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
        text += Self.quoted(name) + ":"
    }

    /// Formats a fixed-point number: rounds once, then uses only integer arithmetic.
    package static func number(_ value: Double, _ places: Int) -> String {
        guard value.isFinite else { return "null" }
        let unit = (0..<places).reduce(1) { power, _ in power * 10 }
        let scaled = (value * Double(unit)).rounded(.toNearestOrAwayFromZero)
        guard abs(scaled) < 9e15 else { return String(value) }
        let whole = Int(scaled)
        var fraction = String(abs(whole) % unit)
        fraction = String(repeating: "0", count: places - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        let sign = whole < 0 ? "-" : ""
        return sign + String(abs(whole) / unit) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The text as a JSON string.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            // DEL and the controls of Latin 1 control terminals, too.
            case let control where control.value < 32 || (127...159).contains(control.value):
                let digits = String(control.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
