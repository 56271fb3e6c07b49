extension Array<UInt8> {
    /// The bytes with others before the one at `place`.
    ///
    /// Sums of slices take the compiler of Swift 6.2 too long.
    package func inserting(_ bytes: [UInt8], at place: Int) -> [UInt8] {
        var result = self
        result.insert(contentsOf: bytes, at: place)
        return result
    }
}
