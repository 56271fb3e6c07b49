import Geometry
import ImageTypes
import Localization

/// Formats metadata for display: short texts on one line, and numbers in their usual notation.
enum MetadataText {
    /// The text without surrounding white space, and with single spaces for white space inside.
    ///
    /// The text is cut to `PictureMetadata.longestValue` bytes; nil if it is empty.
    static func tidy(_ text: String) -> String? {
        var result = String.UnicodeScalarView()
        var bytes = 0
        var isSpaced = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.value == 0 {
                isSpaced = !result.isEmpty
                continue
            }
            let length = UTF8.width(scalar) + (isSpaced ? 1 : 0)
            guard bytes + length <= PictureMetadata.longestValue - 3 else {
                result.append("…")
                break
            }
            if isSpaced { result.append(" ") }
            isSpaced = false
            result.append(scalar)
            bytes += length
        }
        return result.isEmpty ? nil : String(result)
    }

    /// A number with at most `places` decimals and without trailing zeros.
    ///
    /// Nil if the number is not finite, or is 1e9 or more.
    static func number(_ value: Double, places: Int = 1) -> String? {
        var unit = 1.0
        for _ in 0..<places { unit *= 10 }
        guard value.isFinite, abs(value) < 1e9 else { return nil }
        let scaled = Int((abs(value) * unit).rounded())
        let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int(unit))
        var digits = String(fraction)
        digits = String(repeating: "0", count: places - min(digits.count, places)) + digits
        while digits.last == "0" { digits.removeLast() }
        let sign = value < 0 && scaled != 0 ? "−" : ""
        return sign + String(whole) + (digits.isEmpty ? "" : "." + digits)
    }

    /// An exposure time in seconds, such as "1/250 s" or "2.5 s"; nil unless positive and finite.
    static func exposure(_ seconds: Double) -> String? {
        guard seconds > 0, seconds.isFinite else { return nil }
        if seconds < 0.3 { return number(1 / seconds, places: 0).map { "1/\($0) s" } }
        return number(seconds).map { "\($0) s" }
    }

    /// Whether a flash fired, and in which mode, by the bits of the EXIF value (Exif 2.32, tag Flash).
    static func flash(_ value: Double) -> String {
        let bits = Int(clamping: value)
        guard bits & 0x20 == 0 else { return localized("No flash function") }
        let isAuto = bits & 0x18 == 0x18
        guard bits & 1 != 0 else {
            return isAuto
                ? localized("Flash did not fire, auto mode") : localized("Flash did not fire")
        }
        guard bits & 0x40 == 0 else {
            return isAuto
                ? localized("Flash fired, auto mode, red-eye reduction mode")
                : localized("Flash fired, red-eye reduction mode")
        }
        return isAuto ? localized("Flash fired, auto mode") : localized("Flash fired")
    }

    /// The first of several dates that is complete, else the first one of which anything is known.
    static func date(of texts: [String?]) -> String? {
        let dates = texts.compactMap { $0.flatMap(date) }
        return dates.first(where: isComplete) ?? dates.first
    }

    /// Whether a date begins with year, month and day.
    private static func isComplete(_ date: String) -> Bool {
        let parts = date.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [4, 2, 2]
            && parts.joined().allSatisfy { ("0"..."9").contains($0) }
    }

    /// EXIF's "2026:11:21 09:30:00" as "2026-11-21 09:30:00"; other texts are only tidied.
    ///
    /// Nil for a text without digits other than 0, and for a date of EXIF that no calendar or clock has.
    static func date(_ text: String) -> String? {
        guard let tidy = tidy(text) else { return nil }
        // A camera writes only zeros if its clock was never set.
        guard tidy.contains(where: { ("1"..."9").contains($0) }) else { return nil }
        let bytes = Array(tidy.utf8)
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: ":"), bytes[7] == UInt8(ascii: ":") else {
            return tidy
        }
        guard isPossible(tidy) else { return nil }
        var fixed = bytes
        (fixed[4], fixed[7]) = (UInt8(ascii: "-"), UInt8(ascii: "-"))
        return String(decoding: fixed, as: UTF8.self)
    }

    /// An offset from UTC in seconds as "+05:45".
    static func offset(_ seconds: Int) -> String {
        let (hours, minutes) = (abs(seconds) / 60).quotientAndRemainder(dividingBy: 60)
        func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return (seconds < 0 ? "-" : "+") + padded(hours) + ":" + padded(minutes)
    }

    /// Whether the numbers of a date of EXIF are in their ranges; parts that are no numbers are unknown.
    private static func isPossible(_ date: String) -> Bool {
        let numbers = date.split(whereSeparator: { $0 == ":" || $0 == " " }).map { Int($0) }
        let ranges = [1...9999, 1...12, 1...31, 0...23, 0...59, 0...60]
        return zip(numbers, ranges).allSatisfy { number, range in
            number.map(range.contains) ?? true
        }
    }
}
