package import Geometry
package import ImageTypes

/// The tiles that a frame needs of a picture that is too large for memory.
///
/// Tiles are bands across the visible part, because a decoder of one row of a file decodes the
/// whole row.
package struct TilePlan: Hashable, Sendable {
    /// The mip level to show, as a number of halvings: the coarsest one with at least one pixel per
    /// device pixel.
    package let mipLevel: Int
    /// The size of the mip level.
    package let level: PixelSize
    /// The visible part of the mip level, in its pixels.
    package let visible: PixelRect

    /// Whether the visible part is one tile instead of bands.
    private let isSingleTile: Bool
    /// The height of a band, in pixels of the mip level.
    package static let bandHeight = 512
    /// Tiles begin and end at multiples of this, so that a small step sideways needs no new tile.
    private static let step = 512

    /// Nil where no tiles are needed, or where tiles would show their edges.
    ///
    /// No tiles are needed where the picture is not on the surface, or where the mip level of
    /// `coarsest` halvings suffices; that level is always available. Tiles would show their edges
    /// while the picture is cropped or translucent, as in transitions and fades.
    package init?(
        _ item: PictureItem, on surface: Size, scale: Double, coarsest: Int,
        isSingleTile: Bool = false
    ) {
        self.isSingleTile = isSingleTile
        let zoom = item.placement.zoom * scale
        guard zoom > 0, zoom.isFinite, item.crop == nil, item.opacity >= 1 else { return nil }
        // A rounding error must not select a level twice as fine.
        mipLevel = (0..<coarsest).last { 1 / Double(1 << $0) >= zoom * (1 - 1e-6) } ?? 0
        guard zoom * (1 - 1e-6) > 1 / Double(1 << coarsest) else { return nil }
        level = item.size.reduced(by: mipLevel)
        var area = Rect(x: 0, y: 0, width: surface.width, height: surface.height)
        if let clip = item.clip { area = area.intersection(clip) }
        guard !area.isEmpty else { return nil }
        let corners = [
            Point(x: area.x, y: area.y), Point(x: area.maxX, y: area.y),
            Point(x: area.x, y: area.maxY), Point(x: area.maxX, y: area.maxY),
        ].map { item.placement.picturePoint(at: $0, in: item.size) }
        let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
        let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
        let levelScale = 1 / Double(1 << mipLevel)
        visible = PixelRect(
            touching: Rect(
                x: left * levelScale, y: top * levelScale, width: (right - left) * levelScale,
                height: (bottom - top) * levelScale), in: PixelRect(level))
        guard !visible.isEmpty else { return nil }
    }

    /// The indices of the visible bands, the middle one first.
    package var bands: [Int] {
        guard !isSingleTile else { return [0] }
        let all = visible.y / Self.bandHeight...(visible.maxY - 1) / Self.bandHeight
        let middle = (visible.y + visible.height / 2) / Self.bandHeight
        return all.sorted { abs($0 - middle) < abs($1 - middle) }
    }

    /// The indices of the bands next to the visible ones, below and above.
    package var neighbours: [Int] {
        guard !isSingleTile else { return [] }
        let last = (level.height - 1) / Self.bandHeight
        return [(visible.maxY - 1) / Self.bandHeight + 1, visible.y / Self.bandHeight - 1]
            .filter { (0...last).contains($0) }
    }

    /// The part of a band that must be available, in pixels of the mip level.
    package func needed(of band: Int) -> PixelRect {
        guard !isSingleTile else { return visible }
        let rows = PixelRect(
            x: visible.x, y: band * Self.bandHeight, width: visible.width, height: Self.bandHeight)
        return rows.intersection(PixelRect(level))
    }

    /// The part of a band to decode.
    ///
    /// One more row above and below makes bands overlap, so that no seam shows.
    package func part(of band: Int) -> PictureTile {
        let columns = Self.widened(visible.x..<visible.maxX)
        let rows =
            isSingleTile
            ? Self.widened(visible.y..<visible.maxY)
            : band * Self.bandHeight - 1..<(band + 1) * Self.bandHeight + 1
        let rect = PixelRect(
            x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        return PictureTile(mipLevel: mipLevel, rect: rect.intersection(PixelRect(level)))
    }

    /// The range extended to whole steps, and by one more step on each side.
    private static func widened(_ range: Range<Int>) -> Range<Int> {
        (range.lowerBound / step - 1) * step..<((range.upperBound - 1) / step + 2) * step
    }
}

extension PictureItem {
    /// The same item, measured in pixels that are halved `halvings` times.
    package func refined(by halvings: Int) -> PictureItem {
        var item = self
        item.size = PixelSize(width: size.width << halvings, height: size.height << halvings)
        item.placement.zoom /= Double(1 << halvings)
        return item
    }

    /// An item of its own for one tile of the picture, at the place of the tile.
    package func part(_ part: PictureTile, source: Source) -> PictureItem {
        let unit = Double(1 << part.mipLevel)
        let middle = Point(
            x: (Double(part.rect.x) + Double(part.rect.width) / 2) * unit,
            y: (Double(part.rect.y) + Double(part.rect.height) / 2) * unit)
        var item = self
        item.source = source
        item.size = PixelSize(
            width: part.rect.width << part.mipLevel, height: part.rect.height << part.mipLevel)
        item.placement.center = placement.surfacePoint(of: middle, in: size)
        return item
    }
}

extension PictureTile {
    /// Whether the tile covers all of `rect`, in pixels of the same mip level.
    package func covers(_ rect: PixelRect) -> Bool { self.rect.intersection(rect) == rect }
}
