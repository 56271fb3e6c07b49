/// The sizes of thumbnails in the cache.
///
/// Source: Thumbnail Managing Standard 0.9.0 of freedesktop.org, "Directories".
enum ThumbnailSize: Int, CaseIterable, Comparable {
    case normal = 128
    case large = 256
    case xLarge = 512
    case xxLarge = 1024

    /// The longest side in pixels.
    var side: Int { rawValue }

    var folder: String {
        switch self {
        case .normal: "normal"
        case .large: "large"
        case .xLarge: "x-large"
        case .xxLarge: "xx-large"
        }
    }

    /// The smallest size that covers `side` pixels, or the largest one if none does.
    init(covering side: Int) {
        self = Self.allCases.first { $0.side >= side } ?? .xxLarge
    }

    static func < (a: ThumbnailSize, b: ThumbnailSize) -> Bool { a.side < b.side }
}
