import Glibc
import SystemCalls

/// The ratios of an earlier run, read from the JSON lines that this program printed.
struct Baseline {
    /// Why the baseline cannot be used.
    struct Failure: Error {
        var reason: String
    }

    private(set) var ratios: [String: Double] = [:]

    /// A ratio may grow by this factor before it counts as a regression; the same code varies by as
    /// much.
    static let tolerance = 1.25

    /// Throws if the file cannot be read, or if a line is not a figure.
    init(path: String) throws(Failure) {
        let file: UnsafeMutablePointer<FILE>
        do throws(SystemError) {
            file = try reporting { fopen(path, "r") }
        } catch { throw Failure(reason: "\(path): \(error)") }
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

    /// Whether the ratio is above the baseline by more than the tolerance; false for a new figure.
    func isLost(_ figure: Figure) -> Bool {
        ratios[figure.name].map { !(figure.ratio <= $0 * Self.tolerance) } ?? false
    }

    /// The text after `"key":`, up to the next comma or brace outside quotes.
    private static func field(_ key: String, in line: String) -> Substring? {
        let label = "\"\(key)\":"
        var remaining = line[...]
        while !remaining.isEmpty, !remaining.hasPrefix(label) { remaining.removeFirst() }
        guard !remaining.isEmpty else { return nil }
        var isQuoted = false
        return remaining.dropFirst(label.count).prefix { character in
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
