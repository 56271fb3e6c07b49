/// The natural order of file names: numbers by value, ASCII letters by the alphabet before case.
package enum NaturalOrder {
    /// Whether name `a`, as bytes of any encoding, comes before `b`.
    ///
    /// This is a strict total order: names that are otherwise equal are ordered by their bytes.
    package static func isOrdered(_ a: [UInt8], before b: [UInt8]) -> Bool {
        var (i, j) = (0, 0)
        while i < a.count && j < b.count {
            if isDigit(a[i]) && isDigit(b[j]) {
                let (first, second) = (digits(a, &i), digits(b, &j))
                if first.count != second.count { return first.count < second.count }
                if first != second { return first.lexicographicallyPrecedes(second) }
            } else {
                let (first, second) = (folded(a[i]), folded(b[j]))
                if first != second { return first < second }
                i += 1
                j += 1
            }
        }
        if i < a.count || j < b.count { return j < b.count }
        return a.lexicographicallyPrecedes(b)
    }

    static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    static func folded(_ byte: UInt8) -> UInt8 {
        (65...90).contains(byte) ? byte + 32 : byte
    }

    /// The run of digits from `index` on, without leading zeros; moves `index` past the run.
    static func digits(_ name: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
        let start = index
        while index < name.count && isDigit(name[index]) { index += 1 }
        return name[start..<index].drop { $0 == 48 }
    }
}
