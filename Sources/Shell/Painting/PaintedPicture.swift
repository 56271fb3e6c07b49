import CCairo
import Geometry
import ImageTypes
import SceneModel

/// A picture with the pixels it is painted from and the matrix that takes them there.
struct PaintedPicture: Sendable {
    let bitmap: Bitmap
    let level: Bitmap.Level
    let opacity: Double
    let isOpaque: Bool
    /// What lies under it; nil where no checkerboard is seen.
    let checkerboard: Checkerboard?
    /// Where it lies in device pixels when it is not turned; nil when it is.
    let rect: Rect?
    /// What it may touch, in device pixels.
    let bounds: Rect
    /// Nothing of it shows outside, in device pixels.
    private let clip: PixelRect?
    /// The size of the middle that is seen of a turned picture, in picture pixels.
    private let turnedCrop: Size?
    /// Pixels of the bitmap per pixel of the picture.
    private let stretch: Vector
    private let placement: Placement
    /// What it counts as, in picture pixels: at least one device pixel each way.
    private let size: Size
    private let scale: Double
    /// How its interior is painted, where it has one on the canvas.
    private(set) var resampling: Resampling?
    /// How it is painted where it is turned, and all of it may be seen.
    private(set) var turnedResampling: TurnedResampling?
    /// How it is painted instead in a frame that stays, where that is better.
    private(set) var sharpResampling: SharpResampling?

    /// Nil where the placement has numbers that are none, or makes too much or too little of it.
    ///
    /// `scale` is pixels of the canvas per logical pixel; `screenScale` is device pixels, which may be
    /// more.
    init?(
        _ item: PictureItem, _ bitmap: Bitmap, scale: Double, screenScale: Double,
        canvas: PixelSize, kernel: PaintingKernel, sharp: (FilterSpace, PaintingCancellation)?
    ) {
        let numbers = [
            item.placement.center.x, item.placement.center.y, item.placement.zoom,
            item.placement.rotation, scale,
        ]
        guard numbers.allSatisfy({ abs($0) <= Self.farthest }),
            min(item.placement.zoom, scale) >= 1 / Self.farthest
        else { return nil }
        // A thumbnail stands for a picture that is larger than it.
        let ratio = min(
            Double(bitmap.size.width) / Double(max(item.size.width, 1)),
            Double(bitmap.size.height) / Double(max(item.size.height, 1)))
        let wanted = item.placement.zoom * scale / max(ratio, 1e-9)
        size = Self.drawnSize(item.size, zoom: item.placement.zoom * scale)
        stretch = Vector(
            dx: Double(bitmap.size.width) / size.width,
            dy: Double(bitmap.size.height) / size.height)
        // What stays is made of all pixels that there are.
        let bitmap = sharp == nil ? bitmap.inMotion(for: wanted) : bitmap
        self.bitmap = bitmap
        level = bitmap.level(for: wanted)
        opacity = item.opacity
        checkerboard =
            item.isOnCheckerboard && bitmap.format == .argb32
            ? Checkerboard(scale: scale, opacity: item.opacity) : nil
        isOpaque = bitmap.format == .rgb24 && item.opacity >= 1
        let placement = Self.aligned(item.placement, item.size, size, scale: screenScale)
        self.placement = placement
        rect =
            placement.rotation == 0
            ? Rect(center: placement.center, size: size * placement.zoom) * scale : nil
        let seen = item.crop ?? size
        let whole = placement.boundingRect(of: seen) * scale
        // Cells end at whole pixels, and so does what flies out of them.
        let crop =
            item.crop == nil || placement.rotation != 0 ? nil : PixelRect(rounding: whole)
        let clip = item.clip.map { PixelRect(rounding: $0 * scale) }
        self.clip = crop.map { crop in clip?.intersection(crop) ?? crop } ?? clip
        bounds = self.clip.map { whole.intersection(Rect($0)) } ?? whole
        turnedCrop = placement.rotation == 0 ? nil : item.crop
        self.scale = scale
        if placement.rotation != 0, turnedCrop == nil {
            turnedResampling = TurnedResampling(
                of: level, in: bitmap, by: patternMatrix(origin: (0, 0)), kernel)
        }
        if let seen = interior?.intersection(PixelRect(canvas)), !seen.isEmpty {
            let matrix = patternMatrix(origin: (0, 0))
            resampling = Resampling(of: level, in: bitmap, by: matrix, for: seen, kernel)
            guard isOpaque, let (means, cancellation) = sharp else { return }
            sharpResampling = SharpResampling(
                of: level, in: bitmap, by: matrix, for: seen, means, kernel, until: cancellation)
        }
    }

    /// Nothing that is placed or sized beyond this is near any surface, nor seen at its inverse.
    private static let farthest = 1e12

    /// The size that a picture counts as at a zoom, in picture pixels: never thinner than a device
    /// pixel, or a long strip would be too faint to be seen.
    private static func drawnSize(_ size: PixelSize, zoom: Double) -> Size {
        Size(
            width: max(Double(size.width), 1 / zoom, 1),
            height: max(Double(size.height), 1 / zoom, 1))
    }

    /// At one device pixel a picture pixel, the placement that puts the one on the other: filtering
    /// in between would only blur.
    ///
    /// A strip that is `drawn` wider than it is covers whole pixels, too.
    private static func aligned(
        _ placement: Placement, _ size: PixelSize, _ drawn: Size, scale: Double
    ) -> Placement {
        guard drawn == size.size else { return alignedStrip(placement, size, drawn, scale: scale) }
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

    /// Puts a strip that is one device pixel wide on a column or a row of them, if it stands upright or
    /// lies on its side.
    private static func alignedStrip(
        _ placement: Placement, _ size: PixelSize, _ drawn: Size, scale: Double
    ) -> Placement {
        let quarters = placement.rotation / (.pi / 2)
        guard abs(quarters - quarters.rounded()) < 1e-9 else { return placement }
        let isUpright = Int(quarters.rounded()).isMultiple(of: 2)
        func align(_ center: Double) -> Double {
            ((center * scale).rounded(.down) + 0.5) / scale
        }
        var aligned = placement
        let (isThin, isLow) = (
            drawn.width > Double(size.width), drawn.height > Double(size.height)
        )
        if isUpright ? isThin : isLow { aligned.center.x = align(placement.center.x) }
        if isUpright ? isLow : isThin { aligned.center.y = align(placement.center.y) }
        return aligned
    }

    /// The device pixels that it covers wholly, where it is not turned.
    var interior: PixelRect? {
        guard let rect else { return nil }
        // A rounding error must not make an edge that falls on a pixel's border a half pixel.
        let snap = 1.0 / 512
        func whole(_ value: Double) -> Int { Int(min(max(value, -Self.farthest), Self.farthest)) }
        let left = whole((rect.x - snap).rounded(.up))
        let top = whole((rect.y - snap).rounded(.up))
        let right = whole((rect.maxX + snap).rounded(.down))
        let bottom = whole((rect.maxY + snap).rounded(.down))
        let covered = PixelRect(
            x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
        return clip.map { covered.intersection($0) } ?? covered
    }

    /// The corners, in device pixels, of the middle that is seen of a turned picture; none where all
    /// of it is.
    var turnedCropCorners: [Point] {
        guard let turnedCrop else { return [] }
        let half = turnedCrop * (placement.zoom * scale / 2)
        let center = Point(x: placement.center.x * scale, y: placement.center.y * scale)
        return [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { x, y in
            center
                + Vector(dx: x * half.width, dy: y * half.height).rotated(by: placement.rotation)
        }
    }

    /// From device pixels to pixels of the level, the level's own part that begins at `origin`.
    func patternMatrix(origin: (x: Int, y: Int)) -> cairo_matrix_t {
        let zoom = placement.zoom * scale
        let across = Vector(dx: 1, dy: 0).rotated(by: -placement.rotation) * (1 / zoom)
        let down = Vector(dx: 0, dy: 1).rotated(by: -placement.rotation) * (1 / zoom)
        // Not the ratio of the sizes, which are rounded up: a level's pixel k is the mean of the
        // picture's pixels from k·2ⁿ on.
        let reduction = level.scale
        let center = Point(x: placement.center.x * scale, y: placement.center.y * scale)
        let fromCenter = Vector(dx: -center.x, dy: -center.y).rotated(by: -placement.rotation)
        let (u, v) = (reduction * stretch.dx, reduction * stretch.dy)
        return cairo_matrix_t(
            xx: across.dx * u, yx: across.dy * v, xy: down.dx * u, yy: down.dy * v,
            x0: (fromCenter.dx / zoom + size.width / 2) * u - Double(origin.x),
            y0: (fromCenter.dy / zoom + size.height / 2) * v - Double(origin.y))
    }

    /// The pixels of the level that `part`, device pixels, is painted from, one more on each
    /// side for the filter.
    func levelPart(for part: PixelRect) -> PixelRect {
        let matrix = patternMatrix(origin: (0, 0))
        var (left, top) = (Double.infinity, Double.infinity)
        var (right, bottom) = (-Double.infinity, -Double.infinity)
        for (x, y) in [
            (part.x, part.y), (part.maxX, part.y), (part.x, part.maxY), (part.maxX, part.maxY),
        ] {
            let (x, y) = (Double(x), Double(y))
            let u = matrix.xx * x + matrix.xy * y + matrix.x0
            let v = matrix.yx * x + matrix.yy * y + matrix.y0
            (left, right) = (min(left, u), max(right, u))
            (top, bottom) = (min(top, v), max(bottom, v))
        }
        return PixelRect(
            touching: Rect(
                x: left - 2, y: top - 2, width: right - left + 4, height: bottom - top + 4),
            in: PixelRect(level.size))
    }
}
