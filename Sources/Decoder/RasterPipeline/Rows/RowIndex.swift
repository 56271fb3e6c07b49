package import ImageTypes

/// The positions in a file at which decoding can start, with the state of the decoder there.
///
/// Several threads can decode from different positions at once.
package protocol RowIndex: AnyObject, Sendable {
    /// Starts decoding `rows` of a reduced picture.
    ///
    /// The rows begin at a multiple of `step(reducedBy:)` for the same mip level.
    func rows(
        _ rows: Range<Int>, reducedBy mipLevel: Int
    ) throws(DecodeFailure) -> any RowSource
    /// Decoding can start at multiples of this, in rows of the reduced picture.
    func step(reducedBy mipLevel: Int) -> Int
    /// The last row of the reduced picture at which decoding can start; nil if that is any row.
    func lastStart(reducedBy mipLevel: Int) -> Int?
}

extension RowIndex {
    package func lastStart(reducedBy mipLevel: Int) -> Int? { nil }
}
