/// The size of a thumbnail: one that the cache has, or a larger one for a picture at rest.
///
/// Source: Thumbnail Managing Standard 0.9.0 of freedesktop.org, "Directories".
struct ThumbnailSize: Hashable, Comparable {
    /// The longest side in pixels.
    let side: Int

    private init(side: Int) { self.side = side }

    static let normal = ThumbnailSize(side: 128)
    static let large = ThumbnailSize(side: 256)
    static let xLarge = ThumbnailSize(side: 512)
    static let xxLarge = ThumbnailSize(side: 1024)
    /// The sizes of the cache, ascending.
    static let cached = [normal, large, xLarge, xxLarge]

    /// The largest side, for requests that make no sense.
    private static let longest = 1 << 14

    /// The folder in the cache; nil for a size that the cache does not have.
    var folder: String? {
        switch self {
        case .normal: "normal"
        case .large: "large"
        case .xLarge: "x-large"
        case .xxLarge: "xx-large"
        default: nil
        }
    }

    /// The smallest size of the cache that covers `side` pixels; where none does, exactly this side.
    init(covering side: Int) {
        self =
            Self.cached.first { $0.side >= side }
            ?? ThumbnailSize(side: min(side, Self.longest))
    }

    static func < (a: ThumbnailSize, b: ThumbnailSize) -> Bool { a.side < b.side }
}
