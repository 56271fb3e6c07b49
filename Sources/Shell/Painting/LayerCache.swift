import Geometry
import SceneModel
import Synchronization
import Text

/// The painted layers of recent frames.
///
/// Any thread may use a cache.
final class LayerCache: Sendable {
    private struct Key: Hashable {
        var elements: [LayerItem.Element]
        var size: PixelSize
        var scale: Double
        /// See `TextEngine.edition`.
        var edition: Int
    }

    private struct Layers {
        /// Layers that were used since the last change of generations.
        var young: [Key: LayerPixels] = [:]
        var old: [Key: LayerPixels] = [:]
        /// The bytes of the young generation.
        var bytes = 0
    }

    private let layers = Mutex(Layers())
    /// The most memory of a generation, in bytes: the layers of a large screen, twice.
    private static let generation = 24 << 20

    /// The painted layer; nil without memory, and for a layer without pixels.
    func layer(_ item: LayerItem, scale: Double, _ text: TextEngine) -> LayerPixels? {
        let size = PixelSize(covering: item.rect.size, scale: scale)
        guard !size.isEmpty else { return nil }
        let key = Key(elements: item.elements, size: size, scale: scale, edition: text.edition)
        return layers.withLock { layers in
            if let layer = layers.young[key] { return layer }
            let known = layers.old[key] ?? LayerPixels(size: size)?.painted(item, scale, text)
            guard let layer = known else { return nil }
            if layers.bytes + layer.bytes > Self.generation {
                (layers.old, layers.young, layers.bytes) = (layers.young, [:], 0)
            }
            layers.young[key] = layer
            layers.bytes += layer.bytes
            return layer
        }
    }
}
