import Geometry
import SceneModel

/// The content of a page: a picture, or the reason why there is none.
enum Page: Hashable, Sendable {
    case picture(Picture)
    /// Why the picture cannot be shown, as a message for a person; and whether a later attempt may succeed
    /// with the unchanged file.
    case failure(String, mayPass: Bool)

    /// A picture whose size is known, and which has pixels to draw.
    struct Picture: Hashable, Sendable {
        /// The upright size, in picture pixels.
        var size: PixelSize
        /// The pixels to draw.
        var source: PictureItem.Source
        /// Whether no better pixels for the screen are to come.
        var isWhole = false
    }

    var picture: Picture? {
        if case .picture(let picture) = self { picture } else { nil }
    }

    var failure: String? {
        if case .failure(let text, _) = self { text } else { nil }
    }
}
