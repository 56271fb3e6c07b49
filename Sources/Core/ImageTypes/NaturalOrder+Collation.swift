extension NaturalOrder {
    /// A name whose numbers sort by value in every collation that sorts the digits 0 to 9 by value.
    ///
    /// The number of its digits precedes each number, whose leading zeros are dropped: "9" becomes
    /// "19" and "10" becomes "210". A length of nine and more is written as a 9 for every nine
    /// digits, then the remainder.
    package static func collatable(_ name: [UInt8]) -> [UInt8] {
        guard name.contains(where: isDigit) else { return name }
        var result: [UInt8] = []
        result.reserveCapacity(name.count + 8)
        var index = 0
        while index < name.count {
            guard isDigit(name[index]) else {
                result.append(name[index])
                index += 1
                continue
            }
            let digits = digits(name, &index)
            let (nines, remainder) = digits.count.quotientAndRemainder(dividingBy: 9)
            result.append(contentsOf: repeatElement(UInt8(ascii: "9"), count: nines))
            result.append(UInt8(ascii: "0") + UInt8(remainder))
            result.append(contentsOf: digits)
        }
        return result
    }
}
