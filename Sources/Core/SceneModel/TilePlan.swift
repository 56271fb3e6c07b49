package import Geometry
package import ImageTypes

/// Which parts of a picture that is too large to be held are needed to show it in a frame.
///
/// Parts are bands across what is seen: whoever decodes a row of a file decodes all of it.
package struct TilePlan: Hashable, Sendable {
    /// The level whose pixels are just not larger than the surface's: how often it is halved.
    package let exponent: Int
    /// The level's size.
    package let level: PixelSize
    /// What is seen of the level, in its pixels.
    package let visible: PixelRect

    /// Whether what is seen comes in one piece and not in bands.
    private let isOnePiece: Bool
    /// The height of a band, in pixels of the level.
    package static let bandHeight = 512
    /// Columns are needed in pieces of this many, so that a small step aside needs nothing.
    private static let step = 512

    /// Nil where the picture is not on the surface, or a level that is halved `coarsest` times, which
    /// is there, does; also while it is cut to its middle or lets something through, as in flights and
    /// fades, where parts would show their edges.
    package init?(
        _ item: PictureItem, on surface: Size, scale: Double, coarsest: Int,
        isOnePiece: Bool = false
    ) {
        self.isOnePiece = isOnePiece
        let zoom = item.placement.zoom * scale
        guard zoom > 0, zoom.isFinite, item.crop == nil, item.opacity >= 1 else { return nil }
        // A rounding error must not ask for a level twice as fine.
        exponent = (0..<coarsest).last { 1 / Double(1 << $0) >= zoom * (1 - 1e-6) } ?? 0
        guard zoom * (1 - 1e-6) > 1 / Double(1 << coarsest) else { return nil }
        level = item.size.reduced(by: exponent)
        var seen = Rect(x: 0, y: 0, width: surface.width, height: surface.height)
        if let clip = item.clip { seen = seen.intersection(clip) }
        guard !seen.isEmpty else { return nil }
        let corners = [
            Point(x: seen.x, y: seen.y), Point(x: seen.maxX, y: seen.y),
            Point(x: seen.x, y: seen.maxY), Point(x: seen.maxX, y: seen.maxY),
        ].map { item.placement.picturePoint(at: $0, in: item.size) }
        let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
        let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
        let part = 1 / Double(1 << exponent)
        visible = PixelRect(
            touching: Rect(
                x: left * part, y: top * part, width: (right - left) * part,
                height: (bottom - top) * part), in: PixelRect(level))
        guard !visible.isEmpty else { return nil }
    }

    /// The bands that are seen, the middle one first.
    package var bands: [Int] {
        guard !isOnePiece else { return [0] }
        let all = visible.y / Self.bandHeight...(visible.maxY - 1) / Self.bandHeight
        let middle = (visible.y + visible.height / 2) / Self.bandHeight
        return all.sorted { abs($0 - middle) < abs($1 - middle) }
    }

    /// The bands just above and below what is seen.
    package var neighbours: [Int] {
        guard !isOnePiece else { return [] }
        let last = (level.height - 1) / Self.bandHeight
        return [(visible.maxY - 1) / Self.bandHeight + 1, visible.y / Self.bandHeight - 1]
            .filter { (0...last).contains($0) }
    }

    /// What of a band has to be there.
    package func needed(of band: Int) -> PixelRect {
        guard !isOnePiece else { return visible }
        let rows = PixelRect(
            x: visible.x, y: band * Self.bandHeight, width: visible.width, height: Self.bandHeight)
        return rows.intersection(PixelRect(level))
    }

    /// What of a band is to be decoded, with a pixel more above and below, so that bands overlap and no
    /// seam shows.
    package func part(of band: Int) -> PicturePart {
        let columns = Self.widened(visible.x..<visible.maxX)
        let rows =
            isOnePiece
            ? Self.widened(visible.y..<visible.maxY)
            : band * Self.bandHeight - 1..<(band + 1) * Self.bandHeight + 1
        let rect = PixelRect(
            x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        return PicturePart(exponent: exponent, rect: rect.intersection(PixelRect(level)))
    }

    /// To whole steps, and one more on each side.
    private static func widened(_ range: Range<Int>) -> Range<Int> {
        (range.lowerBound / step - 1) * step..<((range.upperBound - 1) / step + 2) * step
    }
}

extension PictureItem {
    /// The same, with pixels that are halved so often.
    package func refined(by halvings: Int) -> PictureItem {
        var item = self
        item.size = PixelSize(width: size.width << halvings, height: size.height << halvings)
        item.placement.zoom /= Double(1 << halvings)
        return item
    }

    /// A part of the picture as an item of its own, lying where it belongs.
    package func part(_ part: PicturePart, source: Source) -> PictureItem {
        let unit = Double(1 << part.exponent)
        let middle = Point(
            x: (Double(part.rect.x) + Double(part.rect.width) / 2) * unit,
            y: (Double(part.rect.y) + Double(part.rect.height) / 2) * unit)
        var item = self
        item.source = source
        item.size = PixelSize(
            width: part.rect.width << part.exponent, height: part.rect.height << part.exponent)
        item.placement.center = placement.surfacePoint(of: middle, in: size)
        return item
    }
}

extension PicturePart {
    /// Whether it has all of that.
    package func covers(_ rect: PixelRect) -> Bool { self.rect.intersection(rect) == rect }
}
