import Painting
import SceneModel

/// The picture to refine at rest: the only picture on the surface.
struct RefinementSource {
    /// The index of the scene item after which the refined picture is inserted.
    var index: Int
    /// The item of the picture; for a tiled picture, the item of the joined tiles.
    var item: PictureItem
    var pixels: RefinedPicture.Pixels
}
