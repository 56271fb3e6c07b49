import CCairo
import Geometry
import SceneModel
import Text

/// The layers of the interface that a paint touches, painted already: any thread may copy a part.
struct PaintedInterface: Sendable {
    private struct Layer {
        let pixels: LayerPixels
        /// The place of the corner of the layer's margin on the canvas, in device pixels.
        let corner: Point
        let opacity: Double
        /// The visible part on the canvas, in device pixels.
        let rect: PixelRect
    }

    /// From bottom to top.
    private let layers: [Layer]

    /// Paints the layers that touch `damage`, or takes them from the cache.
    ///
    /// The size of the canvas is in device pixels.
    init(
        of scene: Scene, on canvas: PixelSize, damage: [PixelRect], _ cache: LayerCache,
        _ text: TextEngine
    ) {
        layers = scene.items.compactMap { item in
            guard case .layer(let layer) = item else { return nil }
            var rect = PixelRect(touching: item.bounds * scene.scale, in: PixelRect(canvas))
            // Neighbours share the edge of a clip, so each of them ends at the nearest device pixel.
            if let clip = layer.clip {
                rect = rect.intersection(PixelRect(rounding: clip * scene.scale))
            }
            guard damage.contains(where: { !$0.intersection(rect).isEmpty }),
                let pixels = cache.layer(layer, scale: scene.scale, on: canvas, text)
            else { return nil }
            let margin = Double(layer.margin(scale: scene.scale))
            let corner = (layer.rect * scene.scale).origin
            return Layer(
                pixels: pixels,
                corner: Point(x: corner.x.rounded() - margin, y: corner.y.rounded() - margin),
                opacity: layer.opacity, rect: rect)
        }
    }

    /// Whether a layer is visible in `region`, in device pixels of the canvas.
    func touches(_ region: PixelRect) -> Bool {
        layers.contains { !$0.rect.intersection(region).isEmpty }
    }

    /// Blends the layers over the pixels of `region`, in device pixels of the canvas.
    func paint(_ region: PixelRect, of canvas: Canvas) {
        let touched = layers.filter { !$0.rect.intersection(region).isEmpty }
        guard !touched.isEmpty,
            let surface = try? ImageSurface(
                over: canvas.row(region.y), format: CAIRO_FORMAT_ARGB32,
                size: PixelSize(width: canvas.size.width, height: region.height),
                stride: canvas.stride)
        else { return }
        let context = DrawingContext(surface)
        cairo_translate(context.raw, 0, Double(-region.y))
        for layer in touched {
            layer.pixels.paint(
                at: layer.corner, opacity: layer.opacity, into: context,
                clip: layer.rect.intersection(region))
        }
        cairo_surface_flush(surface.raw)
    }
}
