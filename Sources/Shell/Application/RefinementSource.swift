import Painting
import SceneModel

/// What may be shown better while it lies still: the only picture on the surface.
struct RefinementSource {
    /// What shows it better belongs right behind that item of the scene.
    var index: Int
    /// The picture as it lies there; of one that is shown in parts, the pixels that its parts have.
    var item: PictureItem
    var pixels: RefinedPicture.Pixels
}
