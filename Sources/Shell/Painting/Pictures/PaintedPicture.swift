import CCairo
import Geometry
import ImageTypes
import SceneModel

/// A picture prepared for painting: its source pixels, and its position on the canvas.
struct PaintedPicture: Sendable {
    let bitmap: Bitmap
    let level: Bitmap.Level
    let opacity: Double
    let isOpaque: Bool
    /// The checkerboard behind the picture; nil if none is visible.
    let checkerboard: Checkerboard?
    /// The rectangle of an unrotated picture, in device pixels; nil if the picture is rotated or
    /// mirrored.
    let rect: Rect?
    /// The bounding box of the visible region, in device pixels.
    let bounds: Rect
    /// The picture is not visible outside this rectangle, in device pixels.
    private let clip: PixelRect?
    /// The size of the visible middle of a rotated and cropped picture, in picture pixels.
    private let rotatedCrop: Size?
    /// Pixels of the bitmap per pixel of the picture.
    private let stretch: Vector
    private let placement: Placement
    /// The size to paint the picture at, in picture pixels: at least one device pixel wide and
    /// high.
    private let size: Size
    private let scale: Double
    /// Whether left and right of the picture are exchanged, before its rotation.
    private let isMirrored: Bool
    /// Paints the interior; nil if the interior has no pixel on the canvas.
    private(set) var resampling: Resampling?
    /// Paints a rotated picture that is not cropped; nil for any other picture.
    private(set) var rotatedResampling: RotatedResampling?
    /// The pixels of planes that are rotated or mirrored; nil for any other picture.
    private(set) var pixelCopy: PixelCopy?
    /// Paints the interior of an opaque picture at rest; nil if `resampling` looks as good.
    private(set) var sharpResampling: SharpResampling?

    /// Nil if the placement has values that are not finite, or too large or too small to paint.
    ///
    /// `scale` is canvas pixels per logical pixel. `screenScale` is device pixels per logical
    /// pixel, which are more than canvas pixels if a canvas pixel is a block. `sharp` is set for a
    /// frame at rest.
    init?(
        _ item: PictureItem, _ bitmap: Bitmap, scale: Double, screenScale: Double,
        canvas: PixelSize, kernel: PaintingKernel, copies: PixelCopyCache,
        sharp: (FilterSpace, PaintingCancellation)?
    ) {
        let numbers = [
            item.placement.center.x, item.placement.center.y, item.placement.zoom,
            item.placement.rotation, scale,
        ]
        guard numbers.allSatisfy({ abs($0) <= Self.magnitudeLimit }),
            min(item.placement.zoom, scale) >= 1 / Self.magnitudeLimit
        else { return nil }
        // The bitmap of a thumbnail is smaller than the picture.
        let ratio = min(
            Double(bitmap.size.width) / Double(max(item.size.width, 1)),
            Double(bitmap.size.height) / Double(max(item.size.height, 1)))
        let neededScale = item.placement.zoom * scale / max(ratio, 1e-9)
        size = Self.drawnSize(item.size, zoom: item.placement.zoom * scale)
        stretch = Vector(
            dx: Double(bitmap.size.width) / size.width,
            dy: Double(bitmap.size.height) / size.height)
        // At rest, sample from the full levels, not from the three-quarter level.
        let bitmap = sharp == nil ? bitmap.bitmapInMotion(for: neededScale) : bitmap
        self.bitmap = bitmap
        level = bitmap.level(for: neededScale)
        opacity = item.opacity
        isMirrored = item.isMirrored
        checkerboard =
            item.hasCheckerboard && bitmap.format == .argb32
            ? Checkerboard(scale: scale, opacity: item.opacity) : nil
        isOpaque = bitmap.format.isOpaque && item.opacity >= 1
        let placement = Self.aligned(item.placement, item.size, size, scale: screenScale)
        self.placement = placement
        rect =
            placement.rotation == 0 && !item.isMirrored
            ? Rect(center: placement.center, size: size * placement.zoom) * scale : nil
        let visibleSize = item.crop ?? size
        let whole = placement.boundingRect(of: visibleSize) * scale
        // Grid cells end at whole pixels. So do pictures in transition to and from cells.
        let crop =
            item.crop == nil || placement.rotation != 0 ? nil : PixelRect(rounding: whole)
        let clip = item.clip.map { PixelRect(rounding: $0 * scale) }
        self.clip = crop.map { crop in clip?.intersection(crop) ?? crop } ?? clip
        bounds = self.clip.map { whole.intersection(Rect($0)) } ?? whole
        rotatedCrop = placement.rotation == 0 ? nil : item.crop
        self.scale = scale
        if bitmap.format == .planes, rect == nil {
            pixelCopy = copies.copy(of: level, in: bitmap, kernel)
        } else if item.source.kind == .rest {
            copies.noteRefinedPicture()
        }
        if rect == nil, rotatedCrop == nil {
            rotatedResampling = RotatedResampling(
                of: level, in: bitmap, by: patternMatrix(origin: (0, 0)), copy: pixelCopy, kernel)
        }
        if let visible = interior?.intersection(PixelRect(canvas)), !visible.isEmpty {
            let matrix = patternMatrix(origin: (0, 0))
            resampling = Resampling(of: level, in: bitmap, by: matrix, for: visible, kernel)
            guard isOpaque, let (filterSpace, cancellation) = sharp else { return }
            sharpResampling = SharpResampling(
                of: level, in: bitmap, by: matrix, for: visible, filterSpace, kernel,
                until: cancellation)
        }
    }

    /// The limit of coordinates, zoom and scale: beyond this limit a picture is off any surface,
    /// and below its inverse the picture is too small to be visible.
    private static let magnitudeLimit = 1e12

    /// The size to paint a picture at, in picture pixels: at least one device pixel wide and high.
    ///
    /// Without this limit a long thin picture would be too faint to be visible.
    private static func drawnSize(_ size: PixelSize, zoom: Double) -> Size {
        Size(
            width: max(Double(size.width), 1 / zoom, 1),
            height: max(Double(size.height), 1 / zoom, 1))
    }

    /// Aligns a picture at 1:1 with device pixels, since filtering at a fractional offset would
    /// only blur.
    ///
    /// A thin picture whose `drawn` size is wider than `size` is aligned with whole pixels, too.
    private static func aligned(
        _ placement: Placement, _ size: PixelSize, _ drawn: Size, scale: Double
    ) -> Placement {
        guard drawn == size.size else {
            return alignedThinPicture(placement, size, drawn, scale: scale)
        }
        guard placement.rotation == 0, abs(placement.zoom * scale - 1) < 1e-9 else {
            return placement
        }
        func align(_ center: Double, _ length: Int) -> Double {
            let half = Double(length) / 2
            return ((center * scale - half).rounded() + half) / scale
        }
        var aligned = placement
        aligned.center.x = align(placement.center.x, size.width)
        aligned.center.y = align(placement.center.y, size.height)
        return aligned
    }

    /// Aligns a picture that is drawn one device pixel wide or high with a column or row of device
    /// pixels, if the picture is rotated by a multiple of a right angle.
    private static func alignedThinPicture(
        _ placement: Placement, _ size: PixelSize, _ drawn: Size, scale: Double
    ) -> Placement {
        let quarters = placement.rotation / (.pi / 2)
        guard abs(quarters - quarters.rounded()) < 1e-9 else { return placement }
        let isUpright = Int(clamping: quarters.rounded()).isMultiple(of: 2)
        func align(_ center: Double) -> Double {
            ((center * scale).rounded(.down) + 0.5) / scale
        }
        var aligned = placement
        let (isThin, isFlat) = (
            drawn.width > Double(size.width), drawn.height > Double(size.height)
        )
        if isUpright ? isThin : isFlat { aligned.center.x = align(placement.center.x) }
        if isUpright ? isFlat : isThin { aligned.center.y = align(placement.center.y) }
        return aligned
    }

    /// The device pixels that the picture covers completely; nil if the picture is rotated.
    var interior: PixelRect? {
        guard let rect else { return nil }
        // A rounding error must not turn an edge on a pixel boundary into a partly covered pixel.
        let snap = 1.0 / 512
        func whole(_ value: Double) -> Int {
            Int(clamping: min(max(value, -Self.magnitudeLimit), Self.magnitudeLimit))
        }
        let left = whole((rect.x - snap).rounded(.up))
        let top = whole((rect.y - snap).rounded(.up))
        let right = whole((rect.maxX + snap).rounded(.down))
        let bottom = whole((rect.maxY + snap).rounded(.down))
        let covered = PixelRect(
            x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
        return clip.map { covered.intersection($0) } ?? covered
    }

    /// A rectangle of pixels of `rect` that the picture hides completely.
    ///
    /// Unrotated: all such pixels. Rotated: the columns that the picture hides in each row of `rect` that its
    /// bounding box touches.
    func hiddenPart(of rect: PixelRect) -> PixelRect {
        guard isOpaque else { return PixelRect(.zero) }
        if let interior { return interior.intersection(rect) }
        return rotatedResampling?.covered(in: PixelRect(touching: bounds, in: rect))
            ?? PixelRect(.zero)
    }

    /// Whether an unrotated picture covers the same pixels as `other` with the same colours, but for the opacity.
    func looksSame(as other: PaintedPicture) -> Bool {
        let (own, others) = (patternMatrix(origin: (0, 0)), other.patternMatrix(origin: (0, 0)))
        return bitmap.memory === other.bitmap.memory && level == other.level
            && interior == other.interior && own.xx == others.xx && own.yy == others.yy
            && own.x0 == others.x0 && own.y0 == others.y0
    }

    /// The corners of the visible middle of a rotated picture, in device pixels; empty if the
    /// picture is not cropped.
    var rotatedCropCorners: [Point] {
        guard let rotatedCrop else { return [] }
        let half = rotatedCrop * (placement.zoom * scale / 2)
        let center = Point(x: placement.center.x * scale, y: placement.center.y * scale)
        return [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { x, y in
            center
                + Vector(dx: x * half.width, dy: y * half.height).rotated(by: placement.rotation)
        }
    }

    /// The matrix from device pixels to level pixels, relative to the level pixel at `origin`.
    func patternMatrix(origin: (x: Int, y: Int)) -> cairo_matrix_t {
        let zoom = placement.zoom * scale
        let across = Vector(dx: 1, dy: 0).rotated(by: -placement.rotation) * (1 / zoom)
        let down = Vector(dx: 0, dy: 1).rotated(by: -placement.rotation) * (1 / zoom)
        // Not the ratio of the sizes, which are rounded up: pixel k of level n is the mean of the
        // picture's pixels from k·2ⁿ on.
        let levelScale = level.scale
        let center = Point(x: placement.center.x * scale, y: placement.center.y * scale)
        let fromCenter = Vector(dx: -center.x, dy: -center.y).rotated(by: -placement.rotation)
        let (u, v) = (levelScale * stretch.dx, levelScale * stretch.dy)
        let side = isMirrored ? -1.0 : 1
        return cairo_matrix_t(
            xx: side * across.dx * u, yx: across.dy * v, xy: side * down.dx * u, yy: down.dy * v,
            x0: (side * fromCenter.dx / zoom + size.width / 2) * u - Double(origin.x),
            y0: (fromCenter.dy / zoom + size.height / 2) * v - Double(origin.y))
    }

    /// The level pixels that `region` (device pixels) is painted from, with a margin for the
    /// filter.
    func levelRegion(for region: PixelRect) -> PixelRect {
        patternMatrix(origin: (0, 0)).levelRegion(for: region, in: level.size)
    }
}

extension cairo_matrix_t {
    /// The pixels of a level of `size` pixels that `region` (device pixels) is painted from, with a margin for
    /// the filter, if the matrix maps device pixels to level pixels.
    func levelRegion(for region: PixelRect, in size: PixelSize) -> PixelRect {
        var (left, top) = (Double.infinity, Double.infinity)
        var (right, bottom) = (-Double.infinity, -Double.infinity)
        for (x, y) in [
            (region.x, region.y), (region.maxX, region.y), (region.x, region.maxY),
            (region.maxX, region.maxY),
        ] {
            let (x, y) = (Double(x), Double(y))
            let (u, v) = (xx * x + xy * y + x0, yx * x + yy * y + y0)
            (left, right) = (min(left, u), max(right, u))
            (top, bottom) = (min(top, v), max(bottom, v))
        }
        return PixelRect(
            touching: Rect(
                x: left - 2, y: top - 2, width: right - left + 4, height: bottom - top + 4),
            in: PixelRect(size))
    }
}
