import Testing
import XML

@Suite struct XMLScannerTests {
    private func tokens(_ text: String) throws(XMLError) -> [XMLToken] {
        try tokens(bytes: Array(text.utf8))
    }

    private func tokens(bytes: [UInt8]) throws(XMLError) -> [XMLToken] {
        var scanner = XMLScanner(bytes)
        var tokens: [XMLToken] = []
        while let token = try scanner.next() { tokens.append(token) }
        return tokens
    }

    /// The last text of the document.
    private func text(in document: String) throws -> String? {
        try tokens(document).compactMap {
            if case .text(let text) = $0 { text } else { nil }
        }.last
    }

    private func problem(_ text: String) -> XMLError.Problem? { problem(Array(text.utf8)) }

    private func problem(_ bytes: [UInt8]) -> XMLError.Problem? {
        do throws(XMLError) {
            _ = try tokens(bytes: bytes)
            return nil
        } catch {
            return error.problem
        }
    }

    @Test func tagsAttributesAndTextsBecomeTokens() throws {
        let tokens = try tokens("<?xml?><!-- <no> -->\n<a b='1' c = \"2\">x<d/></a >")
        let names = tokens.map {
            switch $0 {
            case .start(let tag):
                tag.attributes.reduce("<\(tag.name)") { "\($0) \($1.name)=\($1.value)" }
            case .end(let name): "/\(name)"
            case .text(let text): text
            }
        }
        #expect(names == ["\n", "<a b=1 c=2", "x", "<d", "/d", "/a"])
    }

    @Test func tagsKnowTheirLines() throws {
        var lines: [Int] = []
        for token in try tokens("<a>\n<b\n c='\n'/><!--\n--><d/></a>") {
            if case .start(let tag) = token { lines.append(tag.line) }
        }
        #expect(lines == [1, 2, 5])
    }

    @Test(arguments: [
        ("a &lt;&gt;&amp;&quot;&apos; b", "a <>&\"' b"), ("&#65;&#x42;", "AB"),
        ("&nbsp;", "\u{FFFD}"), ("&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}"),
        ("a & b", "a \u{FFFD} b"),
        ("<![CDATA[<b>&amp;]]>", "<b>&amp;"),
    ])
    func referencesAreResolvedOnce(source: String, text: String) throws {
        #expect(try self.text(in: "<a>\(source)</a>") == text)
    }

    @Test(arguments: [
        ("<a>\n<b>", "unexpected end of the document", 2),
        ("<a></b>", "end tag without a matching start tag", 1),
        ("</a>", "end tag without a matching start tag", 1),
        ("<a b=c/>", "missing quoted value", 1), ("<a b>", "missing '=' after 'b'", 1),
        ("<a b='\n", "unterminated value", 2), ("<a></a b", "unterminated end tag", 1),
        ("<>", "missing name", 1), ("<a ", "unterminated start tag", 1),
        ("<a /b", "unterminated start tag", 1),
        ("<a>\n<!-- ", "unterminated comment", 2), ("<a><? ", "unterminated declaration", 1),
        ("<a><![CDATA[ ", "unterminated CDATA section", 1),
    ])
    func brokenDocumentsAreNamedWithTheirLine(text: String, message: String, line: Int) {
        #expect(throws: XMLError(.malformed(message), line: line)) { try tokens(text) }
    }

    /// XMP packets end with a processing instruction, which may be cut off.
    @Test func anInstructionWithoutEndAfterTheRootIsNoError() throws {
        #expect(try tokens("<a/><?xpacket end=").count == 2)
    }

    @Test(arguments: ["<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<!ENTITY b 'c'>", "<!"])
    func declarationsAreRejected(text: String) {
        #expect(problem(text) == .declarations)
    }

    @Test func otherEncodingsAreRejected() {
        #expect(problem([0xFE, 0xFF, 0, 0x3C]) == .encoding)
        #expect(problem([0xFF, 0xFE, 0x3C, 0]) == .encoding)
        #expect(problem([0, 0x3C]) == .encoding && problem([0x3C, 0]) == .encoding)
    }

    @Test func everySizeIsLimited() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
        }
        #expect(problem(nested(XMLScanner.mostOpenElements)) == nil)
        #expect(problem(nested(XMLScanner.mostOpenElements + 1)) == .tooDeep)

        let elements = String(repeating: "<a/>", count: XMLScanner.mostElements)
        #expect(problem(elements) == nil && problem(elements + "<a/>") == .tooMuch)

        let attributes = String(repeating: " a=''", count: XMLScanner.mostAttributes)
        #expect(
            problem("<a\(attributes)/>") == nil && problem("<a\(attributes) b=''/>") == .tooMuch)

        let name = String(repeating: "a", count: XMLScanner.longestName)
        #expect(problem("<\(name)/>") == nil)
        #expect(problem("<\(name)a/>") == .malformed("name too long"))

        let document = [UInt8](repeating: 0x20, count: XMLScanner.mostBytes)
        #expect(problem(document) == nil && problem(document + [0x20]) == .tooLong)

        let text = String(repeating: "a", count: XMLScanner.longestText)
        #expect(try self.text(in: "<a>\(text)b</a>") == text)
    }

    /// A scanner that has thrown can be asked again, as after `try?`.
    @Test func scanningGoesOnSafelyAfterAnError() {
        let elements = String(repeating: "<a/>", count: XMLScanner.mostElements + 2)
        var scanner = XMLScanner(elements.utf8)
        var problems = 0
        for _ in 0..<(2 * XMLScanner.mostElements + 4) {
            do throws(XMLError) { _ = try scanner.next() } catch { problems += 1 }
        }
        #expect(problems == 2)
    }

    /// No prefix and no changed byte of a document causes a trap or an endless loop.
    @Test func damagedDocumentsAreReadSafely() {
        let document = Array(
            "<?xml?><a b='&lt;' c=\"d\"><!-- e --><f/>g&amp;<![CDATA[h]]></a>".utf8)
        for length in 0...document.count {
            _ = problem(Array(document.prefix(length)))
            for byte in Array("<>&!?/'\"=[]- \0\n".utf8) + [0xFF] where length < document.count {
                var changed = document
                changed[length] = byte
                _ = problem(changed)
            }
        }
        #expect(problem(document) == nil)
    }
}
