import Commands
import Geometry
import Gestures
import Interface
import Motion
import Testing

@testable import Grid

/// The folders before the pictures.
@Suite struct FolderShelfTests {
    private static let moment = Moment(milliseconds: 0)

    private func grid(folders: Int, pictures: Int = 30, mirrored: Bool = false) -> GridModel {
        var grid = GridModel(
            surface: Size(width: 1280, height: 800), contents: GridContents(count: pictures),
            below: 64, isMirrored: mirrored)
        grid.setFolders(folders, textScale: 1, at: Self.moment)
        return grid
    }

    @Test(arguments: [1, 2, 6, 7, 40, 10_000], [240.0, 400, 1280, 3840])
    func tilesLieInRowsWithoutOverlap(count: Int, width: Double) {
        for isMirrored in [false, true] {
            let shelf = FolderShelf(count: count, width: width, below: 64, isMirrored: isMirrored)
            let shown = shelf.indices(from: 64, to: 3000)
            #expect(shown.lowerBound == 0)
            let rects = shown.map { shelf.rect(of: $0) }
            for (index, rect) in rects.enumerated() {
                #expect(rect.x >= 0 && rect.maxX <= width && rect.y >= 64)
                #expect(rect.maxY <= 64 + shelf.height)
                #expect(shelf.index(at: rect.center) == index)
                if index > 0 { #expect(rects[index - 1].intersection(rect).isEmpty) }
            }
        }
    }

    /// The pictures begin below, and a tap on a tile enters the folder.
    @Test func aTapEntersAFolder() {
        var grid = grid(folders: 9)
        let tiles = grid.frame(at: Self.moment).folders
        #expect(tiles.count == 9)
        let first = grid.frame(at: Self.moment).cells.map(\.rect.y).min() ?? 0
        #expect(tiles.allSatisfy { $0.rect.maxY < first })
        var effects: [ViewerEffect] = []
        grid.handle(
            .tap(at: tiles[7].rect.center, source: .touch), at: Self.moment, effects: &effects)
        #expect(grid.consumeRequest() == .enter(folder: 7))
        // A long press selects no picture there.
        grid.handle(
            .longPress(at: tiles[7].rect.center, source: .touch), at: Self.moment,
            effects: &effects)
        #expect(grid.selection.isEmpty)
    }

    @Test func arrowsLeadThroughFoldersAndPictures() {
        var grid = grid(folders: 8)
        var effects: [ViewerEffect] = []
        func press(_ commands: Command...) {
            for command in commands {
                grid.perform(command, extends: false, at: Self.moment, effects: &effects)
            }
        }
        press(.first)
        #expect(grid.folderFocus == 0)
        press(.right, .right)
        #expect(grid.folderFocus == 2)
        press(.open)
        #expect(grid.consumeRequest() == .enter(folder: 2))
        press(.down)
        #expect(grid.folderFocus == 7)
        press(.down)
        #expect(grid.folderFocus == nil && grid.focus == 0)
        press(.right, .up)
        #expect(grid.folderFocus != nil)
        press(.last)
        #expect(grid.focus == 29)
        press(.open)
        #expect(grid.consumeRequest() == .open(index: 29))
    }

    /// Ten thousand folders without a picture scroll to their end.
    @Test func foldersAloneScroll() {
        var grid = grid(folders: 10_000, pictures: 0)
        var effects: [ViewerEffect] = []
        grid.perform(.last, extends: false, at: Self.moment, effects: &effects)
        grid.advance(to: Moment(milliseconds: 5000))
        let frame = grid.frame(at: Moment(milliseconds: 5000))
        #expect(frame.folders.last?.index == 9999)
        #expect(frame.folders.count < 60)
        #expect(frame.folders.last?.rect.maxY ?? 0 <= 800)
    }

    @Test func aPlaceIsShownAgain() {
        var grid = grid(folders: 100, pictures: 0)
        grid.setFolderFocus(70, at: Self.moment)
        grid.advance(to: Moment(milliseconds: 5000))
        let place = grid.place
        var other = self.grid(folders: 100, pictures: 0)
        other.show(place)
        let now = Moment(milliseconds: 5000)
        #expect(
            other.frame(at: now).folders.map(\.rect) == grid.frame(at: now).folders.map(\.rect))
    }
}
