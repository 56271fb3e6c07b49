import CoreTestKit
import Edits
import Geometry
import Interface
import Motion
import SceneModel
import Testing

@testable import Browser
@testable import Grid

/// The texts over the cells of the grid.
@Suite struct GridSceneTests {
    private static func frame(
        section: Bool = false
    ) -> GridFrame {
        let grid = GridModel(
            surface: Size(width: 900, height: 600),
            contents: GridContents(
                count: 60,
                sections: section
                    ? [GridSection(title: "May", first: 0), GridSection(title: "June", first: 7)]
                    : []),
            settings: GridSettings(), below: 0)
        return grid.frame(at: .zero)
    }

    private func scene(
        _ frame: GridFrame, _ content: CellContent, shade: Double = 0, _ theme: Theme = Theme()
    ) -> [SceneItem] {
        GridScene(
            frame: frame, shade: shade, content: { _ in content },
            name: { "a long name of a file \($0).jpg" }, folder: { _ in FolderContent() },
            layout: BarLayout(surface: frame.surface, theme: theme, text: .fixed)
        ).items
    }

    private func layers(_ items: [SceneItem]) -> [LayerItem] {
        items.compactMap { if case .layer(let layer) = $0 { layer } else { nil } }
    }

    private func texts(_ layer: LayerItem) -> [String] {
        layer.elements.compactMap { if case .text(let label) = $0 { label.text } else { nil } }
    }

    /// A selected cell has a mark in its corner, the focused one has none.
    @Test(arguments: [false, true])
    func selectedCellsAreMarked(isRightToLeft: Bool) throws {
        var frame = Self.frame()
        frame.cells[1].isSelected = true
        frame.cells[2].isFocused = true
        let layers = layers(
            scene(frame, CellContent(), Theme(isRightToLeft: isRightToLeft)))
        #expect(layers.count == 1)
        let (mark, cell) = (try #require(layers.first).rect, frame.cells[1].rect)
        #expect(mark.intersection(cell) == mark)
        #expect((mark.center.x > cell.center.x) == !isRightToLeft)
        #expect(mark.center.y < cell.center.y)
        // The picture keeps its colours.
        let fills = scene(frame, CellContent(color: .gray(0.5))).compactMap {
            if case .fill(let fill) = $0 { fill } else { nil }
        }
        #expect(fills.allSatisfy { $0.rect != cell || $0.color == .gray(0.5) })
        // Where taps select, the others have empty circles in the same place.
        frame.isSelecting = true
        let all = self.layers(scene(frame, CellContent(), Theme(isRightToLeft: isRightToLeft)))
        #expect(all.count == frame.cells.count)
        for (number, layer) in all.enumerated() {
            #expect((layer.elements.count == 2) == (number == 1))
            #expect(layer.rect.intersection(frame.cells[number].rect) == layer.rect)
        }
    }

    /// A favourite and a rating show in the corner opposite to the mark of the selection.
    @Test(arguments: [false, true], [56.0, 170])
    func markedPicturesHaveABadge(isRightToLeft: Bool, side: Double) throws {
        var frame = Self.frame()
        frame.cells = Array(frame.cells.prefix(4))
        let marks = [
            PictureMark(isFavourite: true), PictureMark(rating: 3),
            PictureMark(isFavourite: true, rating: 5), PictureMark(),
        ]
        for number in frame.cells.indices {
            frame.cells[number].rect.size = Size(width: side, height: side)
            frame.cells[number].mark = marks[number]
        }
        let layers = layers(scene(frame, CellContent(), Theme(isRightToLeft: isRightToLeft)))
        #expect(layers.map(texts) == [[], ["3"], side > 60 ? ["5"] : []])
        for (badge, cell) in zip(layers, frame.cells) {
            #expect(badge.rect.intersection(cell.rect) == badge.rect)
            #expect(badge.rect.center.y > cell.rect.center.y)
            if side > 60 { #expect((badge.rect.center.x < cell.rect.center.x) == !isRightToLeft) }
            for element in badge.elements {
                #expect(
                    element.rect.intersection(Rect(origin: .zero, size: badge.rect.size))
                        == element.rect)
            }
        }
        // The mark of a selected cell stays free.
        frame.cells = [frame.cells[2]]
        frame.cells[0].isSelected = true
        let both = self.layers(scene(frame, CellContent()))
        try #require(both.count == (side > 60 ? 2 : 1))
        #expect(both.count == 1 || both[0].rect.intersection(both[1].rect).isEmpty)
        // A tiny cell has none.
        frame.cells[0].rect.size = Size(width: 30, height: 30)
        #expect(self.layers(scene(frame, CellContent())).isEmpty)
    }

    /// A GIF has the name of its format in the badge, behind its other marks, where there is room.
    @Test(arguments: [false, true], [40.0, 56, 170]) func gifsHaveABadge(
        isMarked: Bool, side: Double
    ) {
        var frame = Self.frame()
        frame.cells = Array(frame.cells.prefix(1))
        frame.cells[0].rect.size = Size(width: side, height: side)
        if isMarked { frame.cells[0].mark = PictureMark(isFavourite: true, rating: 4) }
        var content = CellContent()
        content.badge = "GIF"
        let layers = layers(scene(frame, content))
        let expected: [String] =
            side > 100
            ? (isMarked ? ["4", "GIF"] : ["GIF"]) : side > 50 && !isMarked ? ["GIF"] : []
        #expect(layers.flatMap(texts) == expected)
        for badge in layers {
            let cell = frame.cells[0].rect
            #expect(badge.rect.intersection(cell) == badge.rect)
            let whole = Rect(origin: .zero, size: badge.rect.size)
            #expect(badge.elements.allSatisfy { $0.rect.intersection(whole) == $0.rect })
        }
    }

    /// The elements of a layer do not leave it, and a mark does not leave its cell.
    @Test(arguments: [false, true])
    func marksAreInTheirCells(isDamaged: Bool) throws {
        let frame = Self.frame()
        let thumbnail: (PictureItem.Source, PixelSize)? =
            isDamaged ? (.init(picture: 0, revision: 1), PixelSize(width: 64, height: 64)) : nil
        let content = CellContent(
            thumbnail: thumbnail, isDamaged: isDamaged, failure: isDamaged ? nil : "not a picture")
        let marks = layers(scene(frame, content))
        #expect(marks.count == frame.cells.count && !marks.isEmpty)
        for (mark, cell) in zip(marks, frame.cells) {
            let name = "a long name of a file \(cell.index).jpg"
            #expect(texts(mark) == [name])
            #expect(mark.elements.contains { if case .paths = $0 { true } else { false } })
            let bounds = mark.bounds
            #expect(bounds.intersection(cell.rect) == bounds)
            let whole = Rect(origin: .zero, size: mark.rect.size)
            for element in mark.elements {
                let rect = element.rect
                #expect(rect.y >= 0 && rect.maxY <= whole.maxY + 1e-9)
                #expect(rect.x >= 0 && rect.maxX <= whole.maxX)
            }
        }
    }

    /// While cells grow by fractions of a pixel, marks stay the same, and are not painted anew.
    @Test func marksChangeInSteps() throws {
        var frame = Self.frame()
        var seen: Set<[LayerItem.Element]> = []
        let cell = try #require(frame.cells.first)
        for step in 0..<100 {
            frame.cells = [cell]
            frame.cells[0].rect.size = Size(
                width: 200 + Double(step) / 3, height: 200 + Double(step) / 3)
            for layer in layers(scene(frame, CellContent(failure: "broken"))) {
                seen.insert(layer.elements)
            }
        }
        #expect((1...4).contains(seen.count))
    }

    @Test func tinyCellsHaveNoTexts() throws {
        var frame = Self.frame()
        for index in frame.cells.indices {
            frame.cells[index].rect.size = Size(width: 40, height: 40)
        }
        // The icon is what is left.
        let marks = layers(scene(frame, CellContent(failure: "broken")))
        #expect(marks.count == frame.cells.count)
        #expect(marks.allSatisfy { texts($0).isEmpty && $0.elements.count == 1 })
    }

    /// Titles are as large as the desktop wants and their strip allows, and fade under a picture.
    @Test(arguments: [0.5, 1, 3])
    func titlesFitTheirStrips(scale: Double) throws {
        let frame = Self.frame(section: true)
        let theme = Theme(textScale: scale)
        let titles = layers(scene(frame, CellContent(), shade: 0.25, theme))
        #expect(titles.flatMap(texts) == frame.headers.map(\.title) && !titles.isEmpty)
        for (title, header) in zip(titles, frame.headers) {
            #expect(title.rect.intersection(header.rect) == title.rect)
            #expect(title.opacity == 0.75 * header.opacity)
            guard case .text(let label)? = title.elements.first else { continue }
            #expect(label.style.size * 1.4 <= header.rect.height + 1e-9)
        }
    }

    @Test(arguments: [0.5, 1, 3])
    func theLabelOfTheHandleFollowsTheTheme(scale: Double) throws {
        var frame = Self.frame()
        frame.handle = GridFrame.Handle(
            rect: Rect(x: 880, y: 590, width: 8, height: 10), opacity: 1, index: 5, title: nil,
            isHeld: true)
        let theme = Theme(.light, isHighContrast: true, textScale: scale)
        let label = try #require(layers(scene(frame, CellContent(), theme)).last)
        #expect(label.rect.maxX < 880 && label.rect.x > 0 && label.rect.maxY <= 600)
        guard case .box(let box)? = label.elements.first else {
            Issue.record("no ground")
            return
        }
        #expect(box.color == theme.ground && texts(label) == ["a long name of a file 5.jpg"])
    }
}
