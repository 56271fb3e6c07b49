extension String {
    /// The base direction for the text in a style of this direction.
    ///
    /// A text without letters of the interface's direction is no sentence of the interface, but a name
    /// or a number alone, and has the direction of its content. Isolates count as names.
    package func baseDirection(in style: TextStyle.Direction) -> TextStyle.Direction {
        guard style != .content else { return .content }
        var depth = 0
        for scalar in unicodeScalars {
            switch scalar {
            case "\u{2066}"..."\u{2068}": depth += 1
            case "\u{2069}": depth = max(depth - 1, 0)
            case _ where depth == 0 && scalar.properties.isAlphabetic:
                if scalar.isRightToLeft == (style == .rightToLeft) { return style }
            default: break
            }
        }
        return .content
    }

    /// Whether the first letter is of a right-to-left script.
    package var beginsRightToLeft: Bool {
        unicodeScalars.first(where: \.properties.isAlphabetic)?.isRightToLeft ?? false
    }
}

extension Unicode.Scalar {
    /// Whether a letter belongs to a right-to-left script.
    ///
    /// The ranges are those that the Unicode Character Database reserves for such scripts.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            true
        default: false
        }
    }
}
