package import Geometry

/// The device pixels that a picture at rest covers wholly, for its refinement.
package struct RefinementPlan: Hashable, Sendable {
    package let source: PictureItem.Source
    /// The size of the whole picture, in picture pixels.
    package let pictureSize: PixelSize
    /// The device pixels that the picture covers wholly.
    package let rect: PixelRect
    /// The part of the picture that `rect` shows, in picture pixels.
    package let part: Rect
    /// Clockwise quarter turns of the picture, 0…3.
    package let quarterTurns: Int
    /// Device pixels per logical pixel.
    private let scale: Double

    /// An edge nearer to a pixel boundary than this, in device pixels, counts as on the boundary.
    private static let snap = 1.0 / 512

    /// Nil where the picture cannot be refined.
    ///
    /// This is so where the picture is not on the surface, is rotated by anything but multiples of
    /// 90°, is translucent, is mirrored, or is cropped, as in transitions and fades.
    package init?(_ item: PictureItem, on surface: PixelSize, scale: Double) {
        let turns = item.placement.rotation / (.pi / 2)
        guard item.opacity >= 1, item.crop == nil, !item.isMirrored, item.placement.zoom > 0,
            scale > 0,
            abs(turns) < 1e6, abs(turns - turns.rounded()) < 1e-9
        else { return nil }
        let bounds = item.placement.boundingRect(of: item.size) * scale
        // False for NaN too.
        guard [bounds.x, bounds.y, bounds.width, bounds.height].allSatisfy({ abs($0) < 1e9 })
        else { return nil }
        let left = Int(clamping: (bounds.x - Self.snap).rounded(.up))
        let top = Int(clamping: (bounds.y - Self.snap).rounded(.up))
        let right = Int(clamping: (bounds.maxX + Self.snap).rounded(.down))
        let bottom = Int(clamping: (bounds.maxY + Self.snap).rounded(.down))
        var rect = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
            .intersection(PixelRect(surface))
        if let clip = item.clip {
            rect = rect.intersection(PixelRect(touching: clip * scale, in: PixelRect(surface)))
        }
        guard !rect.isEmpty else { return nil }
        func point(_ x: Int, _ y: Int) -> Point {
            item.placement.picturePoint(
                at: Point(x: Double(x) / scale, y: Double(y) / scale), in: item.size)
        }
        let (first, last) = (point(rect.x, rect.y), point(rect.maxX, rect.maxY))
        source = item.source
        pictureSize = item.size
        self.rect = rect
        part = Rect(
            x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x),
            height: abs(last.y - first.y))
        quarterTurns = ((Int(clamping: turns.rounded()) % 4) + 4) % 4
        self.scale = scale
    }

    /// The size of the refined part, in device pixels, before the rotation.
    package var size: PixelSize {
        let size = rect.size
        return quarterTurns.isMultiple(of: 2) ? size : size.transposed
    }

    /// The item that shows the refined pixels, one for each device pixel.
    package func item(_ source: PictureItem.Source) -> PictureItem {
        let center = Rect(rect).center
        return PictureItem(
            source: source, size: rect.size,
            placement: Placement(
                center: Point(x: center.x / scale, y: center.y / scale), zoom: 1 / scale))
    }
}

extension Scene {
    /// The only picture item on the surface, and its index among the items.
    ///
    /// Nil where there are several, as between pages and where a picture is shown in tiles.
    package var onlyPicture: (index: Int, item: PictureItem)? {
        topPicture.flatMap { $0.isAlone ? ($0.index, $0.item) : nil }
    }

    /// The topmost item of the only picture on the surface, its index among the items, and whether
    /// it is the only item of that picture.
    ///
    /// A picture may be shown in tiles; thumbnails do not count. Nil where there are several pictures, or sources of
    /// different kinds for one picture.
    package var topPicture: (index: Int, item: PictureItem, isAlone: Bool)? {
        let surface = Rect(x: 0, y: 0, width: size.width, height: size.height)
        var found: (index: Int, item: PictureItem, isAlone: Bool)?
        for (index, item) in items.enumerated() {
            // Cells of the grid or of the filmstrip and blurred margins are not the picture.
            guard case .picture(let picture) = item, !picture.source.isAccessory,
                !picture.bounds.intersection(surface).isEmpty
            else { continue }
            if let source = found?.item.source {
                guard source.picture == picture.source.picture, source.kind == picture.source.kind
                else { return nil }
            }
            found = (index, picture, found == nil)
        }
        return found
    }
}
