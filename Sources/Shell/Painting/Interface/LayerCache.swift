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
    /// The most memory of a generation of a small canvas, in bytes.
    private static let smallestGeneration = 4 << 20

    /// The painted layer; nil without memory, and for a layer without pixels.
    ///
    /// A generation has at most as many pixels as the canvas, whose size is in device pixels.
    func layer(
        _ item: LayerItem, scale: Double, on canvas: PixelSize, _ text: TextEngine
    ) -> LayerPixels? {
        var size = PixelSize(covering: item.rect.size, scale: scale)
        guard !size.isEmpty else { return nil }
        let margin = item.margin(scale: scale)
        size.width += 2 * margin
        size.height += 2 * margin
        let key = Key(elements: item.elements, size: size, scale: scale, edition: text.edition)
        return layers.withLock { layers in
            if let layer = layers.young[key] { return layer }
            let known = layers.old[key] ?? LayerPixels(size: size)?.painted(item, scale, text)
            guard let layer = known else { return nil }
            let most = max(canvas.width * canvas.height * 4, Self.smallestGeneration)
            if layers.bytes + layer.bytes > most { Self.age(&layers) }
            layers.young[key] = layer
            layers.bytes += layer.bytes
            return layer
        }
    }

    /// Releases the layers that no frame has shown since the last call.
    func releaseUnused() {
        layers.withLock { Self.age(&$0) }
    }

    private static func age(_ layers: inout Layers) {
        (layers.old, layers.young, layers.bytes) = (layers.young, [:], 0)
    }
}
