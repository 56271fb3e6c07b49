import CPainting
import Geometry
import ImageTypes
import SceneModel

/// Frames of deep pixels, in which pictures with gain planes are brighter than white.
///
/// A band is painted in three layers of scratch memory: the pictures as they are without headroom, their gains, and
/// what is above the topmost picture with a gain. One pass then makes deep pixels of the three. So everything but that
/// pass is the same as in frames of 8 bits.
extension Painter {
    func paintDeep(
        _ scene: Scene, into canvas: Canvas, _ headroom: Double, damage: [PixelRect],
        bitmap: (PictureItem.Source) -> Bitmap?, concurrently: Concurrency
    ) {
        let frame = DeepFrame(self, scene, on: canvas, headroom, damage: damage, bitmap: bitmap)
        for rect in damage {
            let region = rect.intersection(PixelRect(canvas.size))
            guard !region.isEmpty else { continue }
            let first = region.y / Self.deepBandHeight
            let count = (region.maxY - 1) / Self.deepBandHeight - first + 1
            let rows = DeepRows(
                region: region, canvas: canvas, headroom: Float(headroom), kernel: kernel,
                height: Self.deepBandHeight)
            concurrently(count) { rows.paint(first + $0, frame) }
        }
    }

    /// The scratch memory of a band fits into the caches.
    private static let deepBandHeight = 16
}

/// The layers of a frame, prepared for painting in bands.
private struct DeepFrame: Sendable {
    /// The layers up to the topmost one with a gain.
    let lower: PaintedFrame
    /// The layers above.
    let upper: PaintedFrame
    let interface: PaintedInterface
    /// What replaces the gains in the layers of `lower`, from bottom to top, beginning with the lowest gain.
    let gains: [LayerGain]

    init(
        _ painter: Painter, _ scene: Scene, on canvas: Canvas, _ headroom: Double,
        damage: [PixelRect],
        bitmap: (PictureItem.Source) -> Bitmap?
    ) {
        interface = painter.interface(of: scene, on: canvas, damage: damage)
        let layers = painter.preparing {
            painter.layers(of: scene, on: canvas.size, bitmap: bitmap).map { item, layer in
                (
                    layer: layer,
                    gain: LayerGain(item, painter, scene, canvas.size, headroom, bitmap: bitmap)
                )
            }
        }
        let width = canvas.size.width
        let isLit = layers.map { $0.gain != nil }
        let count = (isLit.lastIndex(of: true) ?? -1) + 1
        lower = PaintedFrame(
            backdrop: scene.backdropColor.faded(scene.backdrop),
            layers.prefix(count).map(\.layer), width: width)
        upper = PaintedFrame(
            backdrop: .black(0), layers.dropFirst(count).map(\.layer), width: width)
        let start = isLit.firstIndex(of: true) ?? 0
        gains = layers.prefix(count).dropFirst(start).map { layer, gain in
            gain ?? LayerGain(covering: layer, width: width)
        }
    }
}

/// What a layer leaves of the gains below it, and adds to them.
private struct LayerGain: Sendable {
    /// A frame with the layer's codes alone.
    let codes: PaintedFrame
    let range: cpainting_gain_range
    /// The factors of the codes, where no other layer has a gain; nil for a layer without one.
    let curve: cpainting_light_curve?

    /// The gain of a picture; nil for a picture without one, or without headroom on the canvas, and for a fill.
    init?(
        _ item: SceneItem, _ painter: Painter, _ scene: Scene, _ canvas: PixelSize,
        _ headroom: Double, bitmap: (PictureItem.Source) -> Bitmap?
    ) {
        guard case .picture(let picture) = item else { return nil }
        var item = picture.unrefined.first ?? picture
        guard let plane = bitmap(item.source)?.gain else { return nil }
        let weight = plane.range.weight(headroom: headroom) * item.light
        item.hasCheckerboard = false
        guard weight > 0,
            let picture = painter.painted(
                item, plane.bitmap, scene.scale, scene.scale, on: canvas)
        else { return nil }
        codes = PaintedFrame(backdrop: .black(0), [.picture(picture)], width: canvas.width)
        range = cpainting_gain_range(
            least: Self.units(plane.range.minimum * weight),
            most: Self.units(plane.range.maximum * weight))
        curve = cpainting_light_curve_make(
            plane.range.minimum * weight, plane.range.maximum * weight, headroom,
            plane.bitmap.chroma?.isGray == true ? 1 : 0)
    }

    /// A layer without a gain.
    init(covering layer: PaintedLayer, width: Int) {
        codes = PaintedFrame(backdrop: .black(0), [layer], width: width)
        range = cpainting_gain_range(least: 0, most: 0)
        curve = nil
    }

    private static func units(_ stops: Double) -> Int16 {
        Int16(clamping: Int((stops * Double(CPAINTING_STOP)).rounded()))
    }
}

/// The rows of a damaged region, divided into bands.
///
/// `@unchecked Sendable`: only the pointer of the canvas is not Sendable. Bands are disjoint rows of memory that the
/// caller lends until all bands are painted, so threads share no byte.
private struct DeepRows: @unchecked Sendable {
    let region: PixelRect
    let canvas: Canvas
    let headroom: Float
    let kernel: PaintingKernel
    let height: Int

    /// Paints a band; not without the scratch memory, at most some megabytes.
    func paint(_ number: Int, _ frame: DeepFrame) {
        let rows = PixelRect(
            x: 0, y: number * height, width: canvas.size.width, height: height
        ).intersection(PixelRect(canvas.size))
        let rect = region.intersection(rows)
        guard !rect.isEmpty, let base = ScratchCanvas(rows: rows.height, of: canvas.size),
            let top = ScratchCanvas(rows: rows.height, of: canvas.size)
        else { return }
        let pictures = base.canvas(from: rows.y)
        guard paint(frame.lower, rows, rect, into: pictures) else { return }
        let hasUpper = frame.interface.touches(rect) || frame.upper.touches(rect)
        let upper = top.canvas(from: rows.y)
        if hasUpper {
            guard paint(frame.upper, rows, rect, into: upper) else { return }
            frame.interface.paint(rect, of: upper)
        }
        let layers = frame.gains.filter { $0.codes.touches(rect) }
        if layers.count == 1, var curve = layers[0].curve {
            guard let scratch = ScratchCanvas(rows: rows.height, of: canvas.size) else { return }
            let codes = scratch.canvas(from: rows.y)
            guard paint(layers[0].codes, rows, rect, into: codes) else { return }
            for y in rect.y..<rect.maxY {
                let start = rect.x * 4
                cpainting_deep_codes(
                    pixel(canvas, y, start), pixel(pictures, y, start), pixel(codes, y, start),
                    hasUpper ? pixel(upper, y, start) : nil, rect.width, &curve, headroom,
                    kernel.choice)
            }
            return
        }
        withGains(rows, rect, layers) { gains in
            for y in rect.y..<rect.maxY {
                let start = rect.x * 4
                cpainting_deep(
                    pixel(canvas, y, start), pixel(pictures, y, start),
                    gains.map { $0 + (y - rect.y) * rect.width },
                    hasUpper ? pixel(upper, y, start) : nil, rect.width,
                    headroom, kernel.choice)
            }
        }
    }

    private func pixel(_ canvas: Canvas, _ y: Int, _ start: Int) -> UnsafeMutablePointer<UInt8> {
        (canvas.row(y) + start).assumingMemoryBound(to: UInt8.self)
    }

    private func paint(
        _ frame: PaintedFrame, _ rows: PixelRect, _ rect: PixelRect, into canvas: Canvas
    ) -> Bool {
        guard let band = try? Band(rows, painting: rect, of: canvas) else { return false }
        band.paint(frame)
        band.finish()
        return true
    }

    /// Calls `body` with the gains of `rect`, row after row; with nil where there are none.
    private func withGains(
        _ rows: PixelRect, _ rect: PixelRect, _ layers: [LayerGain],
        _ body: (UnsafePointer<cpainting_gains>?) -> Void
    ) {
        guard !layers.isEmpty,
            let scratch = ScratchCanvas(rows: rows.height, of: canvas.size)
        else { return body(nil) }
        let codes = scratch.canvas(from: rows.y)
        let count = rect.width * rect.height
        let gains = UnsafeMutablePointer<cpainting_gains>.allocate(capacity: count)
        defer { gains.deallocate() }
        gains.update(repeating: cpainting_gains(), count: count)
        for layer in layers where paint(layer.codes, rows, rect, into: codes) {
            for y in rect.y..<rect.maxY {
                cpainting_gains_over(
                    gains + (y - rect.y) * rect.width, pixel(codes, y, rect.x * 4), rect.width,
                    layer.range)
            }
        }
        body(gains)
    }
}

extension PaintedFrame {
    /// Whether a layer is visible in `region`, in device pixels.
    fileprivate func touches(_ region: PixelRect) -> Bool {
        layers.contains { layer in
            switch layer {
            case .picture(let picture): !PixelRect(touching: picture.bounds, in: region).isEmpty
            case .fill(let fill): !fill.rect.intersection(region).isEmpty
            }
        }
    }
}
