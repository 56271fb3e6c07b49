import ImageTypes

/// Where rows of a picture begin in its file, and how its decoder was then, as one that read all of them
/// has noted: others can be decoded from there on, by several threads at once.
protocol RowIndex: AnyObject, Sendable {
    /// Starts decoding rows of the picture, reduced, which begin at a multiple of
    /// `step(reducedBy: exponent)`.
    func rows(
        _ rows: Range<Int>, reducedBy exponent: Int
    ) throws(DecodeFailure) -> any RowSource
    /// Rows of the reduced picture can be begun with at multiples of this.
    func step(reducedBy exponent: Int) -> Int
}
