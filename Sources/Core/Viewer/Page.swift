import Geometry
import Motion
import SceneModel

/// What is known of the picture on a page.
enum Page: Hashable, Sendable {
    case picture(Picture)
    /// Why it cannot be shown, in words for a person.
    case failure(String)

    /// A picture whose size is known and of which there are pixels.
    struct Picture: Hashable, Sendable {
        var size: PixelSize
        /// Which pixels there are of it.
        var source: PictureItem.Source
    }

    var picture: Picture? {
        if case .picture(let picture) = self { picture } else { nil }
    }

    var failure: String? {
        if case .failure(let text) = self { text } else { nil }
    }
}

/// Something worth saying of the selected picture for a while.
struct Notice: Hashable, Sendable {
    var text: String
    /// When it goes by itself.
    var end: Moment

    /// How long a notice stays, in milliseconds.
    static let duration = 5000.0
}
