/// What it takes to have a picture's rows without holding the picture.
struct RowStreaming: Hashable {
    /// Bytes for each pixel that samples on their way need, which may lie on the disk; 0 where rows come
    /// one by one.
    var scratch = 0
    /// Whether they need none where rows go straight to their place.
    var isPlaced = false
    /// Bytes of memory that the library holds meanwhile, as far as they grow with the picture.
    var held = 0

    /// Few rows are held.
    static let rowByRow = RowStreaming()

    /// Bytes for each pixel besides those of the place where rows come to lie.
    var scratchBesidePlace: Int { isPlaced ? 0 : scratch }
}
