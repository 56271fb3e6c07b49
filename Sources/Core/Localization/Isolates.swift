/// Isolates: the marks of direction around a name in a sentence, which are invisible on a screen.
///
/// Source: Unicode Standard Annex 9, section 2.4.2.
extension String {
    /// The text in which each isolate ends, and each end has its beginning.
    ///
    /// A text that was cut may have lost either. What stands beside the text keeps its direction.
    package var withWholeIsolates: String {
        var scalars = UnicodeScalarView()
        var open = 0
        for scalar in unicodeScalars {
            if scalar.beginsIsolate { open += 1 }
            if scalar.endsIsolate {
                guard open > 0 else { continue }
                open -= 1
            }
            scalars.append(scalar)
        }
        scalars.append(contentsOf: repeatElement("\u{2069}", count: open))
        return String(scalars)
    }

    /// The text without isolates, for what does not lay texts out by Unicode's rules: terminals, and
    /// programs that speak.
    package var withoutIsolates: String {
        guard unicodeScalars.contains(where: \.isIsolate) else { return self }
        var scalars = UnicodeScalarView()
        scalars.append(contentsOf: unicodeScalars.lazy.filter { !$0.isIsolate })
        return String(scalars)
    }

    /// The text with at most `limit` bytes: whole characters with an ellipsis, and whole isolates.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        // The ellipsis and the end of an isolate have three bytes each.
        let length = 3
        guard limit >= length else { return "" }
        var scalars = UnicodeScalarView()
        var rest = limit - length
        for scalar in unicodeScalars {
            rest -= UTF8.width(scalar) + (scalar.beginsIsolate ? length : 0)
            guard rest >= 0 else { break }
            scalars.append(scalar)
        }
        scalars.append("…")
        return String(scalars).withWholeIsolates
    }
}

extension Unicode.Scalar {
    fileprivate var beginsIsolate: Bool { ("\u{2066}"..."\u{2068}").contains(self) }
    fileprivate var endsIsolate: Bool { self == "\u{2069}" }
    package var isIsolate: Bool { beginsIsolate || endsIsolate }
}
