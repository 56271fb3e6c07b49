/// The signs in the numbers of a locale.
package struct NumberSigns: Hashable, Sendable {
    /// The sign between whole number and fraction.
    let decimal: String
    /// The sign between groups of three digits; empty where digits are not grouped.
    let group: String

    package init(decimal: String = ".", group: String = "") {
        (self.decimal, self.group) = (decimal, group)
    }

    /// A whole number, such as "24,213,456".
    func text(_ number: Int) -> String {
        let digits = String(number.magnitude)
        guard !group.isEmpty, digits.count > 3 else { return String(number) }
        var text = number < 0 ? "-" : ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += group }
            text.append(digit)
        }
        return text
    }
}

extension Translation {
    /// A number in the notation of the source, such as "f/2.8", with the sign of the locale between whole
    /// number and fraction.
    package static func decimal(_ number: String) -> String {
        number.replacing(".", with: decimalSeparator)
    }
}

/// A number out of a total, such as "3 of 12,345".
package func localizedNumber(_ number: Int, of total: Int) -> String {
    let signs = Translation.signs
    return localized("\(signs.text(number)) of \(signs.text(total))")
}

/// A share of a whole, such as "40 %".
package func percentage(_ percent: Int) -> String {
    // Translators: a share of a whole. Some languages have no space before the sign.
    localized("\(percent) %")
}
