import CoreTestKit
import SeededRandom
import TOML
import TestKit
import Testing

/// The reader beside that of Python's standard library, on random documents, whole and damaged.
@Suite struct TOMLReferenceTests {
    /// Reads documents in hexadecimal, one a line; prints each as `Canonical` does, or `error`.
    private static let program = """
        import datetime, struct, sys, tomllib
        def text(value):
            if isinstance(value, bool): return "b1" if value else "b0"
            if isinstance(value, int): return f"i{value}"
            if isinstance(value, float):
                return "nan" if value != value else "f" + struct.pack(">d", value).hex()
            if isinstance(value, str):
                return "s" + value.replace("\\r\\n", "\\n").encode().hex()
            if isinstance(value, list): return "[" + ",".join(map(text, value)) + "]"
            if isinstance(value, dict):
                members = sorted((key.encode().hex(), text(item)) for key, item in value.items())
                return "{" + ",".join(key + ":" + item for key, item in members) + "}"
            return "d"
        for line in sys.stdin.readlines():
            try: print(text(tomllib.loads(bytes.fromhex(line).decode())))
            except ValueError: print("error")
        """

    @Test func bothReadTheSame() throws {
        var random = SeededGenerator(seed: 1)
        var documents: [String] = []
        for _ in 0..<4000 {
            let document = RandomTOML.document(&random)
            documents.append(document)
            documents.append(RandomTOML.damaged(document, &random))
        }
        // What this reader leaves out by design.
        documents.removeAll { $0.contains("[[") || $0.contains("0000-") }
        let input = documents.map { Canonical.hex($0) + "\n" }.joined()
        let python = ChildProcess.run(["python3", "-c", Self.program], input: Array(input.utf8))
        let expected = python.output.split(separator: "\n").map(String.init)
        try #require(expected.count == documents.count, "\(python.errors)")
        var valid = 0
        for (document, expected) in zip(documents, expected) {
            let read = TOMLDocument(document)
            let isTooLarge = read.problems.contains { $0.reason.contains("64 bits") }
            if isTooLarge { continue }
            #expect(
                (read.problems.isEmpty ? Canonical.text(read) : "error") == expected,
                "\(document.debugDescription) \(read.problems)")
            if expected != "error" { valid += 1 }
        }
        #expect(valid > 1000 && documents.count - valid > 1000, "\(valid) of \(documents.count)")
    }
}

/// Documents as texts to compare.
private enum Canonical {
    static func hex(_ text: String) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func text(_ document: TOMLDocument) -> String {
        var root: [String: TOMLValue] = [:]
        for path in document.tables { add(.table([:]), path[...], to: &root) }
        for entry in document.entries { add(entry.value, entry.path[...], to: &root) }
        return text(.table(root))
    }

    private static func add(
        _ value: TOMLValue, _ path: ArraySlice<String>, to table: inout [String: TOMLValue]
    ) {
        guard let first = path.first else { return }
        if path.count == 1 {
            if table[first] == nil { table[first] = value }
            return
        }
        var inner: [String: TOMLValue] = [:]
        if case .table(let members)? = table[first] { inner = members }
        add(value, path.dropFirst(), to: &inner)
        table[first] = .table(inner)
    }

    private static func text(_ value: TOMLValue) -> String {
        switch value {
        case .flag(let flag): return flag ? "b1" : "b0"
        case .integer(let number): return "i\(number)"
        case .number(let number):
            let digits = String(number.bitPattern, radix: 16)
            return number.isNaN
                ? "nan" : "f" + String(repeating: "0", count: 16 - digits.count) + digits
        case .string(let string):
            return "s"
                + hex(
                    string.split(separator: "\r\n", omittingEmptySubsequences: false)
                        .joined(separator: "\n"))
        case .date: return "d"
        case .array(let values): return "[" + values.map { text($0) }.joined(separator: ",") + "]"
        case .table(let members):
            return "{"
                + members.map { (hex($0.key), text($0.value)) }.sorted { $0.0 < $1.0 }
                .map { $0.0 + ":" + $0.1 }.joined(separator: ",") + "}"
        }
    }
}
