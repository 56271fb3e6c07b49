import CCairo
import Geometry
import SceneModel
import Text

extension LayerItem {
    /// The pixels around the rectangle that texts may reach: whole ones, so that no text moves for them.
    func margin(scale: Double) -> Int { Int(clamping: (overhang * scale).rounded(.up)) }
}

/// The pixels of a layer of the interface, with its margin: premultiplied ARGB.
///
/// `@unchecked Sendable`: one thread writes the memory, in `painted`, before the object is shared.
/// Afterwards the memory is only read.
final class LayerPixels: @unchecked Sendable {
    private let size: PixelSize
    private let memory: PageMemory
    private var stride: Int { size.width * 4 }

    var bytes: Int { stride * size.height }

    /// Transparent pixels; nil without memory.
    init?(size: PixelSize) {
        guard let memory = PageMemory(bytes: size.height * size.width * 4) else { return nil }
        self.size = size
        self.memory = memory
    }

    /// Paints the elements of a layer.
    func painted(_ item: LayerItem, _ scale: Double, _ text: TextEngine) -> LayerPixels? {
        guard
            let surface = try? ImageSurface(
                over: memory.base, format: CAIRO_FORMAT_ARGB32, size: size, stride: stride)
        else { return nil }
        let context = DrawingContext(surface)
        let margin = Double(item.margin(scale: scale))
        cairo_translate(context.raw, margin, margin)
        cairo_scale(context.raw, scale, scale)
        let painting = ElementPainting(text: text)
        for element in item.elements { painting.paint(element, into: context) }
        return self
    }

    /// Paints the layer with the corner of its margin at `corner`, a whole device pixel, inside `clip`, in
    /// device pixels; `opacity` is 0…1.
    func paint(
        at corner: Point, opacity: Double, into context: borrowing DrawingContext, clip: PixelRect
    ) {
        guard
            let layer = try? ImageSurface(
                over: memory.base, format: CAIRO_FORMAT_ARGB32, size: size, stride: stride)
        else { return }
        cairo_save(context.raw)
        cairo_rectangle(
            context.raw, Double(clip.x), Double(clip.y), Double(clip.width), Double(clip.height))
        cairo_clip(context.raw)
        cairo_set_source_surface(
            context.raw, layer.raw, corner.x, corner.y)
        cairo_pattern_set_filter(cairo_get_source(context.raw), CAIRO_FILTER_NEAREST)
        if opacity < 1 {
            cairo_paint_with_alpha(context.raw, opacity)
        } else {
            cairo_paint(context.raw)
        }
        cairo_restore(context.raw)
    }
}
