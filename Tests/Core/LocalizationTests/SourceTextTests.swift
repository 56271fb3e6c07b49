import CoreTestKit
import Testing

@testable import Localization

/// Texts with values, in English and in the forms of translations.
@Suite struct SourceTextTests {
    private let renamed: SourceText = "\("a.jpg") renamed to \("b.jpg"), 100 %"

    @Test func theKeyHasACodeForEachValue() {
        #expect(renamed.key == "%s renamed to %s, 100 %%")
        #expect(renamed.english == "a.jpg renamed to b.jpg, 100 %")
        let plain: SourceText = "100 %"
        #expect(plain.key == "100 %" && plain.english == "100 %")
        let joined: SourceText = "\(1) of " + "\(2) files"
        #expect(joined.key == "%s of %s files" && joined.english == "1 of 2 files")
    }

    @Test(
        arguments: [
            ("%s: %s", "a.jpg: b.jpg"), ("%2$s ← %1$s", "b.jpg ← a.jpg"), ("100 %%", "100 %"),
            ("%2$s", "b.jpg"),
        ])
    func aTranslationHasItsOwnOrder(form: String, text: String) {
        #expect(renamed.text(in: form) == text)
    }

    /// A value that is not there, another kind of code, or half a code.
    @Test(arguments: ["%s%s%s", "%3$s", "%0$s", "%d", "%", "%1", "%1$", "%99999999999999999999$s"])
    func aWrongFormIsRefused(form: String) { #expect(renamed.text(in: form) == nil) }

    /// A value with codes in it is a value.
    @Test func valuesAreNotRead() {
        let name: SourceText = "the file \("%s %2$s")"
        #expect(name.text(in: "%s!") == "%s %2$s!")
    }

    @Test func withoutATranslatorTextsAreEnglish() {
        #expect(localized("Open") == "Open")
        #expect(localized("\(1) picture", many: "\(1) pictures", count: 1) == "1 picture")
        #expect(localized("\(0) picture", many: "\(0) pictures", count: 0) == "0 pictures")
        #expect(localized(key: "a folder") == "a folder")
        #expect(Translation.decimalSeparator == "." && Translation.isEnglish)
    }

    /// A text of another process has its value at the end; values and unknown texts stay.
    @Test func aKeyMayHaveAValueAtItsEnd() async {
        await #expect(processExitsWith: .success) {
            let forms = ["the file cannot be read: %s": "unlesbar: %s", "it is empty": "leer"]
            Translation.use(Translator(text: { forms[$0] }, plural: { _, _, _ in nil }))
            #expect(localized(key: "the file cannot be read: EIO: 5 %s") == "unlesbar: EIO: 5 %s")
            #expect(localized(key: "the file cannot be read: it is empty") == "unlesbar: leer")
            for text in ["the file cannot be read", "the file cannot be read: ", ": a", "%s: a"] {
                #expect(localized(key: text) == text)
            }
        }
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (-1000, "-1,000"), (-999, "-999"),
        (24_213_456, "24,213,456"), (100_000, "100,000"),
        (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func digitsAreGrouped(number: Int, text: String) {
        #expect(NumberSigns(group: ",").text(number) == text)
        #expect(NumberSigns().text(number) == "\(number)")
    }

    @Test func numbersOfThingsAreGrouped() async {
        await #expect(processExitsWith: .success) {
            Translation.use(NumberSigns(decimal: ".", group: ","))
            let (count, other) = (100_000, 1000)
            let text = localized(
                "\(count) of \(other)", many: "\(count) of \(other)", count: count)
            #expect(text == "100,000 of 1000")
            #expect(localized("the port \(1883)") == "the port 1883")
            #expect(Translation.isEnglish && percentage(40) == "40 %")
            #expect(localizedNumber(1234, of: 56_789) == "1,234 of 56,789")
            Translation.use(
                Translator(
                    text: { $0 == "%s %%" ? "%s%%" : nil }, plural: { _, many, _ in many },
                    signs: NumberSigns(decimal: ",", group: "\u{202F}")))
            #expect(
                localized("\(count) picture", many: "\(count) pictures", count: count)
                    == "100\u{202F}000 pictures")
            #expect(percentage(40) == "40%" && Translation.decimal("2.8") == "2,8")
        }
    }

    @Test func textsAreThoseOfTheTranslator() async {
        await #expect(processExitsWith: .success) {
            Translation.use(PseudoLocale.translator)
            #expect(localized("Open \("a.jpg")") == "⟦Opén a.jpg···⟧")
            #expect(localized(key: "") == "")
            // A form that does not fit its text is not used.
            Translation.use(Translator(text: { _ in "%s" }, plural: { _, _, _ in "%3$s" }))
            #expect(localized("Open") == "%s")
            #expect(!Translation.isRightToLeft)
            #expect(localized("\(2) picture", many: "\(2) pictures", count: 2) == "2 pictures")
            Translation.use(
                Translator(text: { _ in nil }, plural: { _, _, _ in nil }, isRightToLeft: true))
            #expect(Translation.isRightToLeft)
        }
    }
}
