package import Painting
package import SceneModel

/// The picture to refine at rest: the only picture on the surface.
package struct RefinementSource {
    /// The index of the scene item after which the refined picture is inserted.
    package var index: Int
    /// The item of the picture; for a tiled picture, the item of the joined tiles.
    package var item: PictureItem
    package var pixels: RefinedPicture.Pixels
}
