/// The memory that is needed to decode a picture's rows without holding all its pixels.
package struct RowStreaming: Hashable {
    /// Bytes of scratch memory per pixel for decoded samples; 0 if rows are decoded one by one.
    ///
    /// The scratch memory may be on the disk.
    package var scratch: Int
    /// Whether no scratch memory is needed if rows are decoded directly to their destination.
    package var isPlaced: Bool
    /// Bytes that the library itself holds in memory, as far as they grow with the picture.
    package var held: Int

    /// By default rows are decoded one by one, and the library holds nothing.
    package init(scratch: Int = 0, isPlaced: Bool = false, held: Int = 0) {
        (self.scratch, self.isPlaced, self.held) = (scratch, isPlaced, held)
    }

    /// Decoding needs memory for few rows only.
    package static let rowByRow = RowStreaming()

    /// Bytes of scratch memory per pixel, besides the destination of the rows.
    package var scratchBesidePlace: Int { isPlaced ? 0 : scratch }
}
