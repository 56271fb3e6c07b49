import CLinux
import Glibc
import Localization
import SystemCalls

/// The translations of the program's texts, read by gettext(3).
///
/// The catalogues are the files `LANGUAGE/LC_MESSAGES/vitrine.mo` of a folder: that of the variable
/// TEXTDOMAINDIR, or `../share/locale` beside the folder of the program.
package enum Catalogues {
    private static let domain = "vitrine"

    /// Chooses the language of the environment for the texts of this process; returns what is wrong
    /// with its catalogue, in English, or nil.
    ///
    /// Called before the first text and before the second thread. In the locale C no file is opened.
    package static func start() -> String? {
        guard let languages = Languages.ofEnvironment, setlocale(LC_MESSAGES, "") != nil else {
            return nil
        }
        // A locale that is not installed is the locale C.
        let isKnown = setlocale(LC_MESSAGES, nil).map { String(cString: $0) } != "C"
        guard isKnown, let folder else { return end() }
        var found: String?
        for language in languages {
            let path = folder + Array("/\(language)/LC_MESSAGES/\(domain).mo".utf8)
            guard let file = read(path) else {
                // English is the language of the source and has no catalogue.
                if language == "en" {
                    if found == nil { Translation.use(signs) }
                    break
                }
                continue
            }
            guard CatalogueFile.isSound(file) else {
                _ = end()
                let name = String(decoding: path, as: UTF8.self)
                return "\(name): the catalogue is damaged, so texts are in English"
            }
            found = found ?? language
        }
        guard let found else { return end() }
        folder.withPathString { _ = bindtextdomain(domain, $0) }
        _ = bind_textdomain_codeset(domain, "UTF-8")
        // For the characters in messages of the C library.
        setlocale(LC_CTYPE, "")
        Translation.use(
            Translator(
                text: text, plural: plural, signs: signs,
                isRightToLeft: Languages.isRightToLeft(found)))
        return nil
    }

    /// Goes back to the locale C: without a catalogue the messages of the C library are in English,
    /// too.
    private static func end() -> String? {
        setlocale(LC_MESSAGES, "C")
        return nil
    }

    // gettext(3) returns its argument itself where it has no translation.

    private static let text: @Sendable (String) -> String? = { key in
        key.withCString { key in
            guard let found = dgettext(domain, key), found != key else { return nil }
            return String(validatingCString: found)
        }
    }

    private static let plural: @Sendable (String, String, Int) -> String? = { one, many, count in
        one.withCString { one in
            many.withCString { many in
                guard let found = dngettext(domain, one, many, UInt(clamping: count)),
                    found != one, found != many
                else { return nil }
                return String(validatingCString: found)
            }
        }
    }

    /// The signs of LC_NUMERIC; the locale of the process is left as it is, because libraries read numbers
    /// by it.
    private static var signs: NumberSigns {
        let mask = LC_NUMERIC_MASK | LC_CTYPE_MASK
        guard let locale = try? reporting({ newlocale(mask, "", nil) }) else {
            return NumberSigns()
        }
        defer { freelocale(locale) }
        func sign(_ item: Int) -> String? {
            nl_langinfo_l(nl_item(item), locale).flatMap { String(validatingCString: $0) }
        }
        return NumberSigns(decimal: sign(RADIXCHAR) ?? ".", group: sign(THOUSEP) ?? "")
    }

    /// The bytes of a file; nil if it is missing, too large for a catalogue, or not readable.
    private static func read(_ path: [UInt8]) -> [UInt8]? {
        let descriptor = path.withPathString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return (try? readToEnd(of: descriptor, limit: CatalogueFile.longest)) ?? []
    }

    /// The folder of the catalogues; nil where the place of the program is unknown.
    private static var folder: [UInt8]? {
        if let value = getenv("TEXTDOMAINDIR"), value.pointee != 0 {
            return Array(String(cString: value).utf8)
        }
        return ProgramFile.folder().map { $0 + Array("/../share/locale".utf8) }
    }
}
