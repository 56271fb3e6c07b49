import ImageTypes
import Painting
import SceneModel

/// The blurred pictures for the margins of a slideshow: each is made once.
final class BlurredPictures {
    /// The last ones, the newest last.
    private var made: [(source: PictureItem.Source, bitmap: Bitmap)] = []
    /// In a cross-fade there are two, and a pair of pictures has two on each side.
    private static let most = 4

    /// The blurred picture of a source; nil without pixels of the picture, which `pixels` returns by its
    /// id.
    func bitmap(_ source: PictureItem.Source, pixels: (Int) -> Bitmap?) -> Bitmap? {
        if let known = made.last(where: { $0.source == source }) { return known.bitmap }
        guard let bitmap = pixels(source.picture).flatMap(BlurredPicture.make) else { return nil }
        made.removeAll { $0.source.picture == source.picture }
        if made.count >= Self.most { made.removeFirst() }
        made.append((source, bitmap))
        return bitmap
    }
}
