extension NaturalOrder {
    /// Appends a sort key: bytes whose lexicographic order is the natural order of the names.
    ///
    /// Sorting many names computes each key once, instead of reading two names at every comparison.
    ///
    /// A run of digits becomes the digit 0, the number of its digits without leading zeros plus
    /// one, and those digits. A zero and the name itself follow, so that keys have a strict total
    /// order like that of `isOrdered`. No key is a prefix of another one. Names hold no zero byte.
    ///
    /// `appendText` appends the key of a text by another order, without a zero.
    package static func appendKey(
        of name: [UInt8], to keys: inout [UInt8],
        by appendText: ([UInt8], inout [UInt8]) -> Void = appendText
    ) {
        appendText(name, &keys)
        appendEnd(of: name, to: &keys)
    }

    /// Appends a sort key of the name of a file: the stem comes first, then the extension, so that
    /// "park.jpg" precedes "park 2.jpg", as in file managers.
    package static func appendKey(
        ofFile name: [UInt8], to keys: inout [UInt8],
        by appendText: ([UInt8], inout [UInt8]) -> Void = appendText
    ) {
        let stem = stemCount(of: name)
        appendText(Array(name[..<stem]), &keys)
        keys.append(0)
        appendText(Array(name[stem...]), &keys)
        appendEnd(of: name, to: &keys)
    }

    /// How many bytes precede the extension of the name of a file: all of them where it has none.
    private static func stemCount(of name: [UInt8]) -> Int {
        let dot = UInt8(ascii: ".")
        guard let last = name.lastIndex(of: dot), last + 1 < name.count,
            name[..<last].contains(where: { $0 != dot })
        else { return name.count }
        return last
    }

    /// The name itself makes the order strict.
    private static func appendEnd(of name: [UInt8], to keys: inout [UInt8]) {
        keys.append(0)
        keys.append(contentsOf: name)
        keys.append(0)
    }

    package static func appendText(_ name: [UInt8], to keys: inout [UInt8]) {
        var index = 0
        while index < name.count {
            guard isDigit(name[index]) else {
                keys.append(folded(name[index]))
                index += 1
                continue
            }
            let digits = digits(name, &index)
            keys.append(UInt8(ascii: "0"))
            appendLength(digits.count + 1, to: &keys)
            keys.append(contentsOf: digits)
        }
    }

    /// One byte for any length that a file system allows; longer lengths take nine bytes and sort
    /// after.
    private static func appendLength(_ length: Int, to keys: inout [UInt8]) {
        guard length >= 255 else { return keys.append(UInt8(length)) }
        keys.append(255)
        for shift in stride(from: 56, through: 0, by: -8) {
            keys.append(UInt8(truncatingIfNeeded: length >> shift))
        }
    }
}
