import Geometry
import SceneModel
import Grid

/// Converts a frame of the grid to the items of a scene.
struct GridScene {
    let frame: GridFrame
    /// The opacity of the backdrop above the grid, 0…1: the texts of the grid fade with it.
    let shade: Double
    let content: (Int) -> CellContent
    let name: (Int) -> String
    /// The colour of outlines and selected cells.
    let accent: Color

    /// The colour of a cell whose picture has no known colour yet.
    static let blank = Color(red: 0.13, green: 0.13, blue: 0.14)
    /// The width of the outline around a cell, in logical pixels.
    private static let outlineWidth = 3.0

    var items: [SceneItem] {
        var items: [SceneItem] = []
        for cell in frame.fading + frame.cells where !cell.isHidden && cell.opacity > 0 {
            items += self.items(of: cell)
        }
        if shade < 1 { items += overlays }
        if let lifted = frame.lifted { items += self.items(of: lifted) }
        return items
    }

    // MARK: Cells

    private func items(of cell: GridFrame.Cell) -> [SceneItem] {
        var items = picture(
            cell.index, in: cell.rect, crop: cell.crop, opacity: cell.opacity)
        if cell.isSelected {
            var tint = accent
            tint.alpha = 0.35 * cell.opacity
            items.append(.fill(FillItem(rect: cell.rect, color: tint)))
        }
        if cell.isSelected || cell.isFocused {
            items += outline(around: cell.rect, opacity: cell.opacity)
        }
        return items
    }

    /// The items of a picture in a rectangle of the surface: its thumbnail, its colour, or a mark
    /// of failure.
    private func picture(
        _ index: Int, in rect: Rect, crop: CellCrop, opacity: Double
    ) -> [SceneItem] {
        let content = content(index)
        if let thumbnail = content.thumbnail, !thumbnail.size.isEmpty {
            let placement = Placement(
                center: rect.center, zoom: crop.zoom(of: thumbnail.size.size, in: rect))
            let picture = SceneItem.picture(
                PictureItem(
                    source: thumbnail.source, size: thumbnail.size, placement: placement,
                    opacity: opacity, clip: rect))
            return content.isDamaged
                ? [picture, damageMark(index, in: rect, opacity: opacity)] : [picture]
        }
        var color = content.color ?? Self.blank
        color.alpha *= opacity
        var items: [SceneItem] = [.fill(FillItem(rect: rect, color: color))]
        if content.failure != nil {
            items.append(
                .panel(
                    PanelItem(
                        rect: rect,
                        labels: [
                            .init("✕", alignment: .center), .init(name(index), alignment: .center),
                        ],
                        textSize: 13, ground: .clear, opacity: opacity * (1 - shade))))
        }
        return items
    }

    /// The name of an incomplete picture, at the lower edge of its cell.
    private func damageMark(_ index: Int, in rect: Rect, opacity: Double) -> SceneItem {
        let height = min(Self.damageHeight, rect.height)
        return .panel(
            PanelItem(
                rect: Rect(
                    x: rect.x, y: rect.maxY - height, width: rect.width, height: height),
                labels: [.init("✕ " + name(index), alignment: .center)], textSize: 13,
                opacity: opacity * (1 - shade)))
    }

    /// The height of the mark, in logical pixels: one line of text and padding.
    private static let damageHeight = 28.0

    private func outline(around rect: Rect, opacity: Double) -> [SceneItem] {
        var color = accent
        color.alpha = opacity
        let width = Self.outlineWidth
        return [
            Rect(x: rect.x, y: rect.y, width: rect.width, height: width),
            Rect(x: rect.x, y: rect.maxY - width, width: rect.width, height: width),
            Rect(x: rect.x, y: rect.y + width, width: width, height: rect.height - 2 * width),
            Rect(
                x: rect.maxX - width, y: rect.y + width, width: width,
                height: rect.height - 2 * width),
        ].map { .fill(FillItem(rect: $0, color: color)) }
    }

    // MARK: Overlays

    private var overlays: [SceneItem] {
        var items: [SceneItem] = frame.headers.map { header in
            .panel(
                PanelItem(
                    rect: header.rect, labels: [.init(header.title, weight: .bold)], textSize: 15,
                    ground: .clear, opacity: header.opacity * (1 - shade)))
        }
        guard let handle = frame.handle else { return items }
        var color = Color(red: 1, green: 1, blue: 1)
        color.alpha = (handle.isHeld ? 0.8 : 0.45) * handle.opacity * (1 - shade)
        items.append(.fill(FillItem(rect: handle.rect, color: color)))
        guard handle.isHeld else { return items }
        let size = Size(width: min(320, frame.surface.width * 0.6), height: 48)
        let center = Point(
            x: handle.rect.x - size.width / 2 - 12,
            y: min(
                max(handle.rect.center.y, size.height / 2), frame.surface.height - size.height / 2))
        items.append(
            .panel(
                PanelItem(
                    rect: Rect(center: center, size: size), cornerRadius: 12,
                    labels: [.init(handle.title ?? name(handle.index), alignment: .center)],
                    opacity: handle.opacity * (1 - shade))))
        return items
    }

    private func items(of lifted: GridFrame.Lifted) -> [SceneItem] {
        let surface = Rect(
            x: 0, y: 0, width: frame.surface.width, height: frame.surface.height)
        return [.fill(FillItem(rect: surface, color: .black(lifted.dim)))]
            + picture(
                lifted.index, in: lifted.rect, crop: lifted.crop, opacity: 1)
    }
}
