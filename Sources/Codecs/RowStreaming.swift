/// What it takes to have a picture's rows without holding the picture.
struct RowStreaming: Hashable {
    /// Bytes for each pixel that samples on their way need, which may lie on the disk; 0 where rows come
    /// one by one, or straight to their place.
    var scratch = 0
    /// Bytes of memory that the library holds meanwhile, as far as they grow with the picture.
    var held = 0

    /// Few rows are held.
    static let rowByRow = RowStreaming()
}
