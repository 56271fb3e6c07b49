import ImageTypes

/// Makes what files say fit to be shown: short texts on one line, numbers as people write them.
enum MetadataText {
    /// The text without the space around it, and with one space for any inside.
    ///
    /// It is cut to what is shown; none where nothing is left.
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

    /// A number with at most `places` digits behind the point, and none that are zero.
    static func number(_ value: Double, places: Int = 1) -> String? {
        var unit = 1.0
        for _ in 0..<places { unit *= 10 }
        guard value.isFinite, abs(value) < 1e9 else { return nil }
        let scaled = Int((abs(value) * unit).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int(unit))
        var digits = String(rest)
        digits = String(repeating: "0", count: places - min(digits.count, places)) + digits
        while digits.last == "0" { digits.removeLast() }
        let sign = value < 0 && scaled != 0 ? "−" : ""
        return sign + String(whole) + (digits.isEmpty ? "" : "." + digits)
    }

    /// Seconds of exposure: 1/250 s, 2.5 s.
    static func exposure(_ seconds: Double) -> String? {
        guard seconds > 0, seconds.isFinite else { return nil }
        if seconds < 0.3 { return number(1 / seconds, places: 0).map { "1/\($0) s" } }
        return number(seconds).map { "\($0) s" }
    }

    /// "2026:11:21 09:30:00" as 2026-11-21 09:30:00; whatever else, as it is.
    static func date(_ text: String) -> String? {
        guard let tidy = tidy(text) else { return nil }
        // A camera whose clock was never set.
        guard tidy.contains(where: { ("1"..."9").contains($0) }) else { return nil }
        let bytes = Array(tidy.utf8)
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: ":"), bytes[7] == UInt8(ascii: ":") else {
            return tidy
        }
        var fixed = bytes
        (fixed[4], fixed[7]) = (UInt8(ascii: "-"), UInt8(ascii: "-"))
        return String(decoding: fixed, as: UTF8.self)
    }
}
