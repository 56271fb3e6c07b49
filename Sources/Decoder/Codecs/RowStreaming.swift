/// The memory that is needed to decode a picture's rows without holding all its pixels.
struct RowStreaming: Hashable {
    /// Bytes of scratch memory per pixel for decoded samples; 0 if rows are decoded one by one.
    ///
    /// The scratch memory may be on the disk.
    var scratch = 0
    /// Whether no scratch memory is needed if rows are decoded directly to their destination.
    var isPlaced = false
    /// Bytes that the library itself holds in memory, as far as they grow with the picture.
    var held = 0

    /// Decoding needs memory for few rows only.
    static let rowByRow = RowStreaming()

    /// Bytes of scratch memory per pixel, besides the destination of the rows.
    var scratchBesidePlace: Int { isPlaced ? 0 : scratch }
}
