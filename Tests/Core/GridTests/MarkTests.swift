import Commands
import Edits
import Geometry
import Input
import Interface
import Motion
import Testing

@testable import Grid

/// The marks of pictures in the grid, and commands for files.
@Suite struct MarkTests {
    private static let surface = Size(width: 900, height: 600)

    private func grid() -> GridModel {
        GridModel(surface: Self.surface, contents: GridContents(count: 30))
    }

    @Test func cellsHaveTheirMarks() {
        var grid = grid()
        grid.setMarks([
            1: PictureMark(isFavourite: true), 2: PictureMark(), 3: PictureMark(rating: 4),
        ])
        #expect(grid.marks.count == 2)
        let cells = grid.frame(at: .zero).cells
        #expect(
            cells.prefix(4).map(\.mark) == [
                PictureMark(), PictureMark(isFavourite: true), PictureMark(),
                PictureMark(rating: 4),
            ])
        grid.setMarks([3: PictureMark()])
        #expect(grid.marks.isEmpty)
    }

    @Test func marksFollowTheirPictures() {
        var grid = grid()
        grid.setMarks([1: PictureMark(isFavourite: true), 29: PictureMark(rating: 1)])
        grid.update(to: GridContents(count: 10), mapping: { $0 < 20 ? $0 + 1 : nil }, at: .zero)
        #expect(grid.marks == [2: PictureMark(isFavourite: true)])
    }

    @Test(arguments: [(-3, 0), (0, 0), (5, 5), (9, 5)])
    func ratingsHaveALimit(stars: Int, rating: Int) {
        #expect(PictureMark(rating: stars).rating == rating)
    }

    /// A command works on the selection, or on the picture that it marks with the focus.
    @Test func commandsForFilesArePassedOn() {
        var grid = grid()
        var effects: [ViewerEffect] = []
        grid.perform(.undo, extends: false, at: .zero, effects: &effects)
        grid.perform(.paste, extends: false, at: .zero, effects: &effects)
        #expect(grid.focus == nil)
        grid.perform(.delete, extends: false, at: .zero, effects: &effects)
        #expect(grid.focus == 0 && effects == [.files(.undo), .files(.paste), .files(.delete)])
        effects = []
        grid.perform(.flipHorizontally, extends: false, at: .zero, effects: &effects)
        #expect(effects.isEmpty)
    }
}
