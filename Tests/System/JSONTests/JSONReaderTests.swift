import JSON
import Testing

@Suite struct JSONReaderTests {
    private static func read(_ text: String) throws(JSONError) -> JSONValue {
        try JSONReader.read(Array(text.utf8))
    }

    @Test func aRequestIsRead() throws {
        let value = try Self.read(
            " {\"command\" : \"goto\",\t\"arguments\":[5, \"x\", true, false, null, {}, []]}\r\n")
        #expect(value["command"]?.string == "goto")
        #expect(
            value["arguments"]?.array == [
                .number(5), .string("x"), .bool(true), .bool(false), .null, .object([:]),
                .array([]),
            ])
        #expect(value["other"] == nil)
    }

    @Test(arguments: [
        ("0", 0.0), ("-0", -0.0), ("12.5", 12.5), ("-1e3", -1000), ("2E-2", 0.02),
        ("1e+2", 100), ("0.1", 0.1), ("123456789012345678901234567890", 1.2345678901234568e29),
    ])
    func aNumberIsRead(_ text: String, _ value: Double) throws {
        #expect(try Self.read(text).number == value)
    }

    @Test(arguments: [
        (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"),
        (#""\u00e9\uD83D\ude42""#, "é🙂"), (#""é🙂""#, "é🙂"), (#""\u0000""#, "\0"),
    ])
    func aTextIsRead(_ text: String, _ value: String) throws {
        #expect(try Self.read(text).string == value)
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", #"{"a""#, #"{"a":"#, #"{"a":1"#, "\"", "\"a", #""\"#,
        #""\u12"#, "-", "1.", "1e", "1e+", "tru",
    ])
    func anIncompleteTextIsRefused(_ text: String) {
        let error = #expect(throws: JSONError.self) { try Self.read(text) }
        #expect(error?.problem == .incomplete)
    }

    @Test(arguments: [
        "01", "+1", ".5", "1 2", "{}x", "[1 2]", "{a:1}", "{\"a\" 1}", "{\"a\":1,}", "[1,]", "[,]",
        "nul!", "\"\n\"", "'a'", "\u{feff}1", "NaN", "--1", "1.e2", "0x10", "Infinity",
    ])
    func whatIsNotJSONIsRefused(_ text: String) {
        let error = #expect(throws: JSONError.self) { try Self.read(text) }
        #expect(error?.problem == .unexpected)
    }

    @Test(arguments: [
        (#""\x""#, JSONError.Problem.escape), (#""\ud800""#, .escape), (#""\udc00""#, .escape),
        (#""\ud800\ud800""#, .escape), (#""\u+123""#, .escape), (#""\ud800\n""#, .escape),
        ("1e999", .number), (#"{"a":1,"a":2}"#, .duplicate),
    ])
    func aBadPartIsNamed(_ text: String, _ problem: JSONError.Problem) {
        let error = #expect(throws: JSONError.self) { try Self.read(text) }
        #expect(error?.problem == problem)
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xE9, 0x22]] {
            let error = #expect(throws: JSONError.self) { try JSONReader.read(bytes) }
            #expect(error?.problem == .encoding)
        }
    }

    @Test func depthAndSizeAreLimited() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try Self.read(nested(JSONReader.deepest))
        let deep = #expect(throws: JSONError.self) { try Self.read(nested(JSONReader.deepest + 1)) }
        #expect(deep?.problem == .tooDeep)
        let endless = #expect(throws: JSONError.self) {
            try Self.read(String(repeating: "[", count: JSONReader.longest))
        }
        #expect(endless?.problem == .tooDeep)
        let long = #expect(throws: JSONError.self) {
            try Self.read(String(repeating: " ", count: JSONReader.longest) + "1")
        }
        #expect(long?.problem == .tooLarge)
    }

    /// What the writer writes, the reader reads.
    @Test func linesAreReadBack() throws {
        var line = JSONLine()
        line.add("text \"\u{1}", "\"\\\n🙂\u{7f}")
        line.add("number", 0.25)
        line.add("rows", [[1, 2], [3]])
        line.add("inner", json: #"{"a":null}"#)
        let value = try Self.read(line.close())
        #expect(value["text \"\u{1}"]?.string == "\"\\\n🙂\u{7f}")
        #expect(value["number"]?.number == 0.25)
        #expect(value["rows"] == .array([.array([.number(1), .number(2)]), .array([.number(3)])]))
        #expect(value["inner"]?["a"] == .null)
    }

    /// No prefix, and no change of a byte, does more than fail.
    @Test func damagedTextsEndInAnError() {
        let text = Array(#"{"a":[1.5e-3,"\ud83d\ude42é",{"b":null}],"c":true}"#.utf8)
        for length in 0..<text.count {
            #expect(throws: JSONError.self) { try JSONReader.read(Array(text.prefix(length))) }
        }
        for index in text.indices {
            for value in UInt8.min...UInt8.max {
                var damaged = text
                damaged[index] = value
                _ = try? JSONReader.read(damaged)
            }
        }
    }
}
