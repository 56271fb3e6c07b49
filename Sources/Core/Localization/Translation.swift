/// Finds translations of English texts.
package struct Translator: Sendable {
    /// The translation of a key; nil where there is none.
    let text: @Sendable (_ key: String) -> String?
    /// The translation for a number of things, of a key for one and a key for many; nil where there is
    /// none.
    let plural: @Sendable (_ one: String, _ many: String, _ count: Int) -> String?
    let signs: NumberSigns
    /// Whether the language of the translations is written from right to left.
    let isRightToLeft: Bool

    package init(
        text: @escaping @Sendable (_ key: String) -> String?,
        plural: @escaping @Sendable (_ one: String, _ many: String, _ count: Int) -> String?,
        signs: NumberSigns = NumberSigns(), isRightToLeft: Bool = false
    ) {
        self.text = text
        self.plural = plural
        self.signs = signs
        self.isRightToLeft = isRightToLeft
    }
}

/// The language of the texts for people: English, until the program has chosen a translator.
///
/// The choice is made once, at the start of the program and before the first text, and stays: texts
/// are a constant of the process, as its locale is.
package enum Translation {
    /// Written before the program has a second thread.
    nonisolated(unsafe) private static var translator: Translator?

    /// The signs in the numbers of English texts; written as the translator is.
    nonisolated(unsafe) private static var englishSigns = NumberSigns()

    /// Uses a translator for all further texts.
    package static func use(_ translator: Translator) { unsafe self.translator = translator }

    /// Uses the signs of a locale for the numbers in English texts.
    package static func use(_ signs: NumberSigns) { unsafe englishSigns = signs }

    static var current: Translator? { unsafe translator }

    static var signs: NumberSigns {
        if let current { return current.signs }
        return unsafe englishSigns
    }

    /// The sign between whole number and fraction.
    package static var decimalSeparator: String { signs.decimal }

    /// Whether the language of the texts is written from right to left.
    ///
    /// The locale of the environment does not tell: texts are in English where it has no catalogue.
    package static var isRightToLeft: Bool { current?.isRightToLeft ?? false }

    /// Whether texts are those of the source.
    package static var isEnglish: Bool { current == nil }
}

/// The text in the language of the person.
///
/// `meson-helpers/install/translations` finds the text by the name of this function, so that the argument is
/// always a literal. A comment that begins with `Translators:` on the lines before is a note in the
/// catalogues.
package func localized(_ message: SourceText) -> String {
    guard let translator = Translation.current, let form = translator.text(message.key)
    else { return message.english }
    return message.text(in: form) ?? message.english
}

/// The text in the language of the person, where one English text has several meanings.
///
/// `context` says which meaning it is, for translators only.
package func localized(_ message: SourceText, context: String) -> String {
    guard let translator = Translation.current,
        let form = translator.text("\(context)\u{4}\(message.key)")
    else { return message.english }
    return message.text(in: form) ?? message.english
}

/// The text for a number of things in the language of the person, by the rules of its plural forms.
///
/// The digits of the number are grouped as in the locale.
package func localized(_ one: SourceText, many: SourceText, count: Int) -> String {
    let many = many.replacing("\(count)", with: Translation.signs.text(count))
    let english = count == 1 ? one.english : many.english
    guard let translator = Translation.current,
        let form = translator.plural(one.key, many.key, count)
    else { return english }
    return many.text(in: form) ?? english
}

/// The translation of a text that another process has sent in English, or a text with its key only.
///
/// The text is `localized` where it is written, in a process that has no translator. A text with one
/// value has the value at its end, after a colon: "the file cannot be read: Input/output error".
package func localized(key text: String) -> String {
    guard let translator = Translation.current, !text.isEmpty else { return text }
    if let translation = translator.text(text) { return translation }
    let parts = text.split(separator: ": ", maxSplits: 1)
    guard parts.count == 2 else { return text }
    let value = String(parts[1])
    let message: SourceText = "\(translator.text(value) ?? value)"
    let form = translator.text(parts[0].replacing("%", with: "%%") + ": %s")
    return form.flatMap { message.text(in: $0) } ?? text
}
