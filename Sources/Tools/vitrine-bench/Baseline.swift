import Glibc

/// The ratios that were measured before, kept as lines that this program printed.
struct Baseline {
    /// Why there is none.
    struct Failure: Error {
        var reason: String
    }

    private(set) var ratios: [String: Double] = [:]

    /// A ratio may grow by so much before it counts as a loss: what the same code swings by.
    static let tolerance = 1.25

    /// Throws where the file cannot be read, or a line is none of a figure.
    init(path: String) throws(Failure) {
        guard let file = fopen(path, "r") else {
            throw Failure(reason: "\(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0, let text = line.map({ String(cString: $0) }) {
            guard let name = Self.text(of: "figure", in: text),
                let ratio = Self.number(of: "ratio", in: text), ratio >= 0
            else { throw Failure(reason: "\(path): not a figure: \(text)") }
            ratios[name] = ratio
        }
    }

    /// Whether the figure is worse by more than the tolerance; one that is new is not.
    func isLost(_ figure: Figure) -> Bool {
        ratios[figure.name].map { !(figure.ratio <= $0 * Self.tolerance) } ?? false
    }

    /// What follows `"key":`, up to the next comma or brace that is outside of quotes.
    private static func field(_ key: String, in line: String) -> Substring? {
        let mark = "\"\(key)\":"
        var rest = line[...]
        while !rest.isEmpty, !rest.hasPrefix(mark) { rest.removeFirst() }
        guard !rest.isEmpty else { return nil }
        var isQuoted = false
        return rest.dropFirst(mark.count).prefix { character in
            if character == "\"" { isQuoted.toggle() }
            return isQuoted || (character != "," && character != "}")
        }
    }

    private static func text(of key: String, in line: String) -> String? {
        guard let field = field(key, in: line), field.count > 2, field.first == "\"",
            field.last == "\""
        else { return nil }
        return String(field.dropFirst().dropLast())
    }

    private static func number(of key: String, in line: String) -> Double? {
        field(key, in: line).flatMap { Double($0) }
    }
}
