extension NaturalOrder {
    /// Appends bytes whose plain lexicographic order is the natural order of the names: what sorting
    /// many names once computes instead of walking through two of them at every comparison.
    ///
    /// A run of digits becomes the digit 0, how many digits count plus one, and those digits; then
    /// come a zero and the name itself, so that keys are a strict total order like `isOrdered`.
    /// The key of one name is never the start of another's. Names hold no zero byte.
    package static func appendKey(of name: [UInt8], to keys: inout [UInt8]) {
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
        keys.append(0)
        keys.append(contentsOf: name)
        keys.append(0)
    }

    /// One byte for any length that a file system allows; longer ones sort behind.
    private static func appendLength(_ length: Int, to keys: inout [UInt8]) {
        guard length >= 255 else { return keys.append(UInt8(length)) }
        keys.append(255)
        for shift in stride(from: 56, through: 0, by: -8) {
            keys.append(UInt8(truncatingIfNeeded: length >> shift))
        }
    }
}
