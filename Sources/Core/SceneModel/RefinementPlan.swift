package import Geometry

/// What of a picture lies still on whole pixels of the screen, to be shown as well as can be.
package struct RefinementPlan: Hashable, Sendable {
    package let source: PictureItem.Source
    /// The whole picture's, in pixels.
    package let pictureSize: PixelSize
    /// The device pixels that the picture covers wholly.
    package let rect: PixelRect
    /// What is seen in them, in picture pixels.
    package let part: Rect
    /// How often the picture is turned clockwise by a right angle.
    package let quarterTurns: Int
    /// Device pixels per logical pixel.
    private let scale: Double

    /// What is off by less than this part of a pixel is not off.
    private static let snap = 1.0 / 512

    /// Nil where the picture is not on the surface, is turned by another angle, lets something through,
    /// or is cut to its middle, as in flights and fades.
    package init?(_ item: PictureItem, on surface: PixelSize, scale: Double) {
        let turns = item.placement.rotation / (.pi / 2)
        guard item.opacity >= 1, item.crop == nil, item.placement.zoom > 0, scale > 0,
            abs(turns) < 1e6, abs(turns - turns.rounded()) < 1e-9
        else { return nil }
        let bounds = item.placement.boundingRect(of: item.size) * scale
        // No number is less than anything.
        guard [bounds.x, bounds.y, bounds.width, bounds.height].allSatisfy({ abs($0) < 1e9 })
        else { return nil }
        let left = Int((bounds.x - Self.snap).rounded(.up))
        let top = Int((bounds.y - Self.snap).rounded(.up))
        let right = Int((bounds.maxX + Self.snap).rounded(.down))
        let bottom = Int((bounds.maxY + Self.snap).rounded(.down))
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
        quarterTurns = ((Int(turns.rounded()) % 4) + 4) % 4
        self.scale = scale
    }

    /// The size of what is seen, in device pixels, before it is turned.
    package var size: PixelSize {
        let size = rect.size
        return quarterTurns.isMultiple(of: 2) ? size : size.transposed
    }

    /// The item that shows it, from pixels that are just those of the screen.
    package func item(_ source: PictureItem.Source) -> PictureItem {
        let center = Rect(rect).center
        return PictureItem(
            source: source, size: rect.size,
            placement: Placement(
                center: Point(x: center.x / scale, y: center.y / scale), zoom: 1 / scale))
    }
}

extension Scene {
    /// The only picture on the surface, and its place among the items; nil where there are several, as
    /// between pages and where one is shown in parts.
    package var onlyPicture: (index: Int, item: PictureItem)? {
        topPicture.flatMap { $0.isAlone ? ($0.index, $0.item) : nil }
    }

    /// The last one of the items that show the only picture on the surface, its place among the items, and
    /// whether it is the only one: a picture may be shown in parts.
    ///
    /// Nil where there are several pictures, or different pixels of one.
    package var topPicture: (index: Int, item: PictureItem, isAlone: Bool)? {
        let surface = Rect(x: 0, y: 0, width: size.width, height: size.height)
        var found: (index: Int, item: PictureItem, isAlone: Bool)?
        for (index, item) in items.enumerated() {
            guard case .picture(let picture) = item,
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
