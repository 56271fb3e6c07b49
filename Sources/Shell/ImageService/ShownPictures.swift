import Geometry

/// Which pictures are shown, and how large.
struct ShownPictures {
    /// The size at which pictures are shown at first, in device pixels; nil until the surface size is known.
    var target: PixelSize?
    /// The pictures of the last scene.
    var ids: Set<Int> = []
    /// The longest sides at which pictures were shown last, in device pixels.
    var sides: [Int: Int] = [:]

    mutating func keepOnly(_ ids: Set<Int>) { sides = sides.filter { ids.contains($0.key) } }
}
