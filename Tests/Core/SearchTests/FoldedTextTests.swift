import Testing

@testable import Search

/// Texts that a person would call the same.
@Suite struct FoldedTextTests {
    @Test(arguments: [
        ("Ferien", "ferien"), ("CAFÉ", "cafe"), ("cafe\u{301}", "café"), ("Straße", "STRASSE"),
        ("Łódź", "lodz"), ("Đà Nẵng", "da nang"), ("ISTANBUL", "ıstanbul"), ("İzmir", "izmir"),
        ("Ærø", "aero"), ("Ελλάδα", "ελλαδα"), ("ΟΔΟΣ", "οδος"), ("Ёлка", "елка"),
        ("Йога", "\u{418}\u{306}ога"), ("Київ", "киів"), ("ガラス", "がらす"),
        ("か\u{3099}らす", "がらす"), ("パン", "は\u{309A}ん"),
        ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"),
        ("ＩＭＧ＿１", "img_1"), ("أحمد", "احمد"), ("مُحَمَّد", "محمد"), ("שָׁלוֹם", "שלום"),
        ("soft\u{AD}hyphen", "softhyphen"), ("\u{202E}evil", "evil"), ("don’t", "don't"),
    ])
    func equal(_ a: String, _ b: String) { #expect(FoldedText(a) == FoldedText(b)) }

    @Test(arguments: [("a", "b"), ("は", "ば"), ("ก", "กี"), ("и", "і"), ("ö", "e"), ("1", "l")])
    func different(_ a: String, _ b: String) { #expect(FoldedText(a) != FoldedText(b)) }

    /// A fold is folded, whatever the text.
    @Test func foldingTwiceChangesNothing() {
        for value in 0...0x2FFFF {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let once = FoldedText("a\(scalar)か\(scalar)")
            let twice = FoldedText(String(decoding: once.bytes, as: UTF8.self))
            #expect(once == twice, "U+\(String(value, radix: 16))")
        }
    }

    /// Names of files are any bytes.
    @Test func wrongBytesAreFolded() {
        var bytes: [UInt8] = []
        FoldedText.append([0xFF, 0x41, 0xC3], to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{FFFD}a\u{FFFD}")
    }
}
