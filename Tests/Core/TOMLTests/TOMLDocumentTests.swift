import TOML
import Testing

/// What a document says, and what of it is refused.
@Suite struct TOMLDocumentTests {
    /// The entries as `key=value`.
    private func lines(_ text: String) -> [String] {
        TOMLDocument(text).entries.map { "\($0.name)=\($0.value.text)" }
    }

    /// The problems as `line: key: reason`.
    private func problems(_ text: String) -> [String] {
        TOMLDocument(text).problems.map {
            "\($0.line): \($0.key.map { $0 + ": " } ?? "")\($0.reason)"
        }
    }

    @Test func keysTablesAndCommentsAreRead() {
        let text = """
            # a comment
            top = 1 # another
            "quoted key" = 2
            a.b . 'c' = 3

            [viewer] # here
            wheel = "zoom"
            [ x . "y.z" ]
            in = { line = true, deep.er = [1, 2], e = {} }
            """
        #expect(
            lines(text) == [
                "top=1", "\"quoted key\"=2", "a.b.c=3", "viewer.wheel=\"zoom\"",
                "x.\"y.z\".in.line=true", "x.\"y.z\".in.deep.er=[1, 2]",
            ])
        #expect(problems(text) == [])
        #expect(TOMLDocument(text).entries.map(\.line) == [2, 3, 4, 7, 9, 9])
    }

    @Test(arguments: [
        ("\"a\\tb\\u00e9\\U0001F600\\\\\\\"\"", "a\tbé😀\\\""), ("'C:\\n'", "C:\\n"),
        ("\"\"\"\nfirst\nsecond\"\"\"", "first\nsecond"), ("\"\"\"a \\\n\n   b\"\"\"", "a b"),
        ("'''\n\\ '' '''", "\\ '' "), ("\"\"\"a\"\"\"\"\"", "a\"\""), ("''''''", ""), ("\"\"", ""),
    ])
    func stringsOfAllKinds(_ text: String, _ value: String) {
        #expect(TOMLValue(text) == .string(value))
    }

    @Test(arguments: [
        ("0", 0), ("-17", -17), ("+1_000", 1000), ("0xDEAD_beef", 0xDEAD_BEEF), ("0o755", 0o755),
        ("0b1101", 13), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
    ])
    func integers(_ text: String, _ value: Int) { #expect(TOMLValue(text) == .integer(value)) }

    @Test(arguments: [
        ("0.4", 0.4), ("-1e3", -1000.0), ("6.02_2E+2_3", 6.022e23), ("1e-2", 0.01), ("-0.0", -0.0),
        ("-inf", -Double.infinity),
    ])
    func numbers(_ text: String, _ value: Double) { #expect(TOMLValue(text) == .number(value)) }

    @Test(arguments: [
        "1979-05-27", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00.999-07:00", "07:32:00",
        "2000-02-29t00:00:00",
    ])
    func datesStayAsTheyAre(_ text: String) { #expect(TOMLValue(text) == .date(text)) }

    @Test(arguments: [
        "", "zoom", "01", "1_", "_1", "1__0", "0x", "+0x1", "1.", ".5", "1e", "1.e2", "+-1", "True",
        "9223372036854775808", "1979-02-30", "1900-02-29", "24:00:00", "1979-05-27T",
        "1979-05-27T07:32:00+24:00", "\"a", "'a", "\"\\x\"", "\"\\uD800\"", "\"\\u12\"", "[1 2]",
        "[,]",
        "{a=1,}", "{a=1 b=2}", "{a=1,a=2}", "{a.b=1,a=2}", "[1", "{", "\"\"\"a\"\"", "'''a''''''",
        "1 2", "\"\u{1}\"", "\"\u{7F}\"", "--1", "0_1", "nan_", "{\na=1}",
    ])
    func whatIsNoValue(_ text: String) { #expect(TOMLValue(text) == nil) }

    // MARK: Errors

    @Test func anErrorCostsItsLineOnly() {
        let text = """
            a = 1
            b = zoom
            c == 2
            = 3
            d = "open
            e = 4 5
            f
            g = [1,
            h = 6
            i = 7
            """
        #expect(lines(text) == ["a=1", "h=6", "i=7"])
        #expect(
            problems(text) == [
                "2: b: zoom needs quotes", "3: c: this is not a value; texts need quotes",
                "4: a key is missing here", "5: d: the quote that ends the text is missing",
                "6: e: there is something after the value; a second key needs a line of its own",
                "7: f: = is missing after the key", "9: g: h needs quotes",
            ])
    }

    @Test func anOpenTextCostsItsLineOnly() {
        let text = "a = \"\"\"never\nb = 2\nc = '''\nd = 4\n"
        #expect(lines(text) == ["b=2", "d=4"])
        #expect(
            problems(text) == [
                "1: a: the three quotes that end the text are missing",
                "3: c: the three quotes that end the text are missing",
            ])
    }

    @Test func nothingIsThereTwice() {
        let text = """
            a = 1
            a = 2
            b.c = 3
            b.c.d = 4
            b = 5
            [t]
            x = 6
            [t]
            y = 7
            [a]
            z = 8
            [b.c]
            w = 9
            """
        #expect(lines(text) == ["a=1", "b.c=3", "t.x=6", "t.y=7"])
        #expect(
            problems(text) == [
                "2: a: the key is there twice; the first one counts",
                "4: b.c.d: a part of the key is complete above, so nothing can be added to it",
                "5: b: the key is there twice; the first one counts",
                "8: the table t is there twice",
                "10: a has a value above; the lines below it are not used",
                "12: b.c has a value above; the lines below it are not used",
            ])
    }

    @Test func tablesInDoubleBracketsAreRefused() {
        let text = "[[a]]\nx = 1\n[b]\ny = 2\n"
        #expect(lines(text) == ["b.y=2"])
        #expect(problems(text).count == 1)
    }

    @Test func windowsLineEndsAndAMarkAreAccepted() {
        let text = "\u{FEFF}a = 1\r\n# b\r\n[c]\r\nd = \"\"\"x\r\ny\"\"\"\r\n"
        #expect(lines(text) == ["a=1", "c.d=\"x\\r\\ny\""])
        #expect(problems("a = 1\rb = 2") != [])
    }

    @Test func bytesThatAreNotTextCostTheirLine() {
        let bytes = Array("a = 1\n# ".utf8) + [0xE9] + Array("\nb = \"".utf8) + [0xFF]
        let document = TOMLDocument(bytes + Array("\"\nc = 3\n".utf8))
        #expect(document.entries.map(\.name) == ["a", "c"])
        #expect(document.problems.map(\.line) == [2, 3])
    }

    // MARK: Limits

    @Test func aFileThatIsNotATextIsRefusedInOneLine() {
        let document = TOMLDocument(Array("a = 1\n".utf8) + [0] + Array("\nb = 2".utf8))
        #expect(document.entries.isEmpty && document.problems.map(\.line) == [2])
        let large = TOMLDocument([UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 20 + 1))
        #expect(large.problems.count == 1)
    }

    @Test func nestingIsLimited() {
        let depths = [64: 0, 65: 1, 100_000: 1]
        for (depth, count) in depths {
            let arrays = String(repeating: "[", count: depth - 1)
            let ends = String(repeating: "]", count: depth - 1)
            #expect(problems("a = \(arrays)1\(ends)").count == count, "\(depth)")
            let keys = Array(repeating: "k", count: depth).joined(separator: ".")
            #expect(problems("\(keys) = 1").count == count, "\(depth)")
            #expect(problems("[\(keys)]").count == count, "\(depth)")
        }
        #expect(problems(String(repeating: "a = {b = ", count: 50_000)).count == 1)
    }

    /// Each of these would take minutes if a part were read again for every line.
    @Test(arguments: [
        "a = [\n", "a = \"\"\"\n", "a = ['''\n", "a = [\"\"\"x\"\"\", \"\"\"\n", "a = [ # \"\"\"\n",
        "[a.b]\n",
        "1,\n", "a = [[[[\n", "x = {a = [\n", "a.b.c.d = 1\n", "'''\n", "a=[\"\"\"\\q\n",
    ])
    func theTimeGrowsWithTheLength(_ line: String) {
        let count = TOMLDocument.longest / line.utf8.count
        let document = TOMLDocument(String(repeating: line, count: count))
        #expect(document.problems.count <= TOMLDocument.mostProblems)
    }
}
