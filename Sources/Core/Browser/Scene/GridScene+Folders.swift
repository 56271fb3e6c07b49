import Geometry
import Grid
import Interface
import SceneModel

/// The folders before the pictures: a cover of up to four pictures, the name, and the number of pictures.
extension GridScene {
    /// The gap between the pictures of a cover, in logical pixels.
    private static let gap = Theme.Space.line
    private static let coverIcon = 40.0

    func items(of tile: GridFrame.Folder) -> [SceneItem] {
        let content = folder(tile.index)
        let cover = tile.cover(textScale: theme.textScale)
        var items: [SceneItem] = [.fill(FillItem(rect: cover, color: theme.blank))]
        for (picture, rect) in zip(content.covers, Self.places(content.covers.count, in: cover)) {
            items += self.cover(picture, in: rect)
        }
        if content.covers.isEmpty {
            items.append(icon(content.isUnreadable ? .warning : .open, in: cover))
        }
        if tile.isDropTarget {
            items.append(.fill(FillItem(rect: cover, color: theme.accent.faded(0.4))))
        }
        if tile.isFocused || tile.isDropTarget { items += outline(of: cover, opacity: 1) }
        // A tap selects pictures now, and enters no folder.
        if frame.isSelecting {
            items.append(.fill(FillItem(rect: cover, color: theme.page.faded(0.6))))
        }
        if shade < 1 { items.append(.layer(texts(of: content, below: cover, height: textHeight))) }
        return items
    }

    private var textHeight: Double { FolderShelf.textHeight * max(theme.textScale, 1) }

    /// A folder that closes into its tile, at a rectangle of the surface: the page, on which the cover appears
    /// with an opacity.
    func closing(_ tile: GridFrame.Folder, in rect: Rect, opacity: Double) -> [SceneItem] {
        let covers = folder(tile.index).covers
        return [.fill(FillItem(rect: rect, color: theme.page))]
            + zip(covers, Self.places(covers.count, in: rect)).flatMap {
                cover($0, in: $1, opacity: opacity)
            }
    }

    /// Where so many pictures lie in a cover.
    private static func places(_ count: Int, in cover: Rect) -> [Rect] {
        let (width, height) = ((cover.width - gap) / 2, (cover.height - gap) / 2)
        func place(_ column: Double, _ row: Double, _ size: Size) -> Rect {
            Rect(
                x: cover.x + column * (width + gap), y: cover.y + row * (height + gap),
                width: size.width, height: size.height)
        }
        let (small, tall) = (
            Size(width: width, height: height), Size(width: width, height: cover.height)
        )
        switch count {
        case 0: return []
        case 1: return [cover]
        case 2: return [place(0, 0, tall), place(1, 0, tall)]
        case 3: return [place(0, 0, tall), place(1, 0, small), place(1, 1, small)]
        default:
            return [
                place(0, 0, small), place(1, 0, small), place(0, 1, small), place(1, 1, small),
            ]
        }
    }

    private func cover(
        _ content: CellContent, in rect: Rect, opacity: Double = 1
    ) -> [SceneItem] {
        guard let thumbnail = content.thumbnail, !thumbnail.size.isEmpty else {
            let color = content.color ?? theme.blank
            return [.fill(FillItem(rect: rect, color: color.faded(opacity)))]
        }
        let size = thumbnail.size.size
        let zoom = max(rect.width / size.width, rect.height / size.height)
        return [
            .picture(
                PictureItem(
                    source: thumbnail.source, size: thumbnail.size,
                    placement: Placement(center: rect.center, zoom: zoom), opacity: opacity,
                    clip: rect,
                    crop: Size(width: rect.width / zoom, height: rect.height / zoom)))
        ]
    }

    private func icon(_ icon: Icon, in cover: Rect) -> SceneItem {
        let side = min(Self.coverIcon, cover.width / 2, cover.height / 2)
        let whole = Rect(x: 0, y: 0, width: side, height: side)
        return .layer(
            LayerItem(
                rect: Rect(center: cover.center, size: whole.size),
                elements: [
                    .paths(
                        .init(
                            whole, icon.paths, grid: Icon.side, stroke: Icon.stroke,
                            theme.dimText))
                ], opacity: 1 - shade))
    }

    private func texts(of content: FolderContent, below cover: Rect, height: Double) -> LayerItem {
        let size = Size(width: cover.width, height: height)
        let half = height / 2
        return LayerItem(
            rect: Rect(origin: Point(x: cover.x, y: cover.maxY), size: size),
            elements: [
                .text(
                    .init(
                        Rect(x: 0, y: 2, width: size.width, height: half - 2),
                        content.name, theme.body.ofContent, theme.text)),
                .text(
                    .init(
                        Rect(x: 0, y: half, width: size.width, height: half - 2), content.detail,
                        theme.small, theme.dimText)),
            ], opacity: 1 - shade)
    }
}
