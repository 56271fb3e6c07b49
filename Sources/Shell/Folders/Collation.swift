import Glibc
import ImageTypes
import SystemCalls

/// The order of names in a locale, with numbers by value: sort keys of the C library.
///
/// `@unchecked Sendable`: the locale object is never changed between `init` and `deinit`, and
/// `strxfrm_l` only reads it.
package final class Collation: @unchecked Sendable {
    private let locale: locale_t
    /// Whether the locale's names are UTF-8; names that are not are repaired before.
    private let isUTF8: Bool

    /// The collation of the environment, read once; nil in the locales C and POSIX, and where the
    /// locale is not installed: names are in natural order then.
    static let environment = locale.flatMap { Collation(locale: $0) }

    /// The name of the locale for the order of names.
    package static let locale = EnvironmentLocale.name(of: "LC_COLLATE")

    /// Reads the collation of the environment.
    package static func prepare() { _ = environment }

    /// The collation of a locale, such as "sv_SE.UTF-8"; nil where it has none of its own.
    init?(locale name: String) {
        let language = name.prefix { $0 != "." && $0 != "@" }
        guard !["", "C", "POSIX"].contains(language),
            let locale = try? reporting({ newlocale(LC_COLLATE_MASK | LC_CTYPE_MASK, name, nil) })
        else { return nil }
        self.locale = locale
        isUTF8 = nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) } == "UTF-8"
    }

    deinit { freelocale(locale) }

    /// Appends the sort key of a name: bytes whose lexicographic order is that of the locale.
    ///
    /// A zero, the name itself and another zero end the key, so that the order is strict and no key
    /// is a prefix of another one. Names hold no zero byte.
    func appendKey(of name: [UInt8], to keys: inout [UInt8]) {
        NaturalOrder.appendKey(of: name, to: &keys, by: appendText)
    }

    /// Appends the sort key of the name of a file: the stem, then the extension.
    func appendKey(ofFile name: [UInt8], to keys: inout [UInt8]) {
        NaturalOrder.appendKey(ofFile: name, to: &keys, by: appendText)
    }

    private func appendText(_ name: [UInt8], to keys: inout [UInt8]) {
        var text = NaturalOrder.collatable(repaired(name))
        text.append(0)
        let start = keys.count
        // Most keys take less than this.
        var capacity = text.count * 10
        while true {
            keys.append(contentsOf: repeatElement(0, count: capacity))
            let count = transform(text, into: &keys, from: start)
            guard count >= capacity else {
                keys.removeLast(capacity - count)
                break
            }
            keys.removeLast(capacity)
            capacity = count + 1
        }
    }

    /// Writes the key of a text that ends with a zero, if there is room; returns its length.
    private func transform(
        _ text: [UInt8], into keys: inout [UInt8], from start: Int
    ) -> Int {
        text.withUnsafeBytes { text in
            keys.withUnsafeMutableBytes { keys in
                guard let source = text.baseAddress, let target = keys.baseAddress else { return 0 }
                return strxfrm_l(
                    target.advanced(by: start).assumingMemoryBound(to: CChar.self),
                    source.assumingMemoryBound(to: CChar.self), keys.count - start, locale)
            }
        }
    }

    /// The name with U+FFFD for bytes that are not UTF-8: what a person reads.
    private func repaired(_ name: [UInt8]) -> [UInt8] {
        guard isUTF8, !name.allSatisfy({ $0 < 0x80 }) else { return name }
        return Array(String(decoding: name, as: UTF8.self).utf8)
    }
}
