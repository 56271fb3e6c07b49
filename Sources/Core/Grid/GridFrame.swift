package import Edits
package import Geometry

/// One frame of the grid as values, including the values for the trace.
///
/// Rectangles are in surface coordinates, in logical pixels. The paint order is: `fading`, `cells`,
/// `headers`, `handle`, the backdrop of the lifted picture, the lifted picture.
package struct GridFrame: Hashable, Sendable {
    package enum Phase: String, Sendable { case idle, touching, animating }
    package enum Activity: String, Sendable { case none, scroll, pinch, peek }

    package struct Cell: Hashable, Sendable {
        package var index: Int
        package var rect: Rect
        /// What the picture covers: a small picture less than the cell.
        package var picture: Rect
        package var crop: CellCrop
        /// 0…1.
        package var opacity: Double
        /// Whether the cell is empty because its picture is lifted or in a transition.
        package var isHidden: Bool
        package var isFocused: Bool
        package var isSelected: Bool
        package var mark: PictureMark
        /// Width divided by height of the picture, within 1/4…4; 0 if unknown.
        package var aspect: Float

        /// Whether edges of the picture are cut.
        package var isCut: Bool { !crop.isWhole }
    }

    /// A folder before the pictures.
    package struct Folder: Hashable, Sendable {
        package var index: Int
        package var rect: Rect
        package var isFocused: Bool
        /// Whether files that are dragged over the folder would be put into the folder.
        package var isDropTarget = false

        /// The place of the cover, above the texts of the tile.
        package func cover(textScale: Double) -> Rect {
            var cover = rect
            cover.height = max(cover.height - FolderShelf.textHeight * max(textScale, 1), 0)
            return cover
        }
    }

    package struct Header: Hashable, Sendable {
        package var section: Int
        package var title: String
        package var rect: Rect
        package var opacity: Double
    }

    /// The fast-scroll handle and the data of its label.
    package struct Handle: Hashable, Sendable {
        package var rect: Rect
        package var opacity: Double
        /// The first visible picture; the label may show its name or date.
        package var index: Int
        /// The title of the picture's section, nil without sections; preferred for the label.
        package var title: String?
        package var isHeld: Bool
    }

    /// A picture lifted out of its cell.
    package struct Lifted: Hashable, Sendable {
        package var index: Int
        /// Relative to the size of the cell.
        package var scale: Double
        package var rect: Rect
        /// What the picture covers, as in a cell.
        package var picture: Rect
        package var crop: CellCrop
        /// Opacity of the black backdrop behind the picture, 0…1.
        package var dim: Double
    }

    /// The held point of a pinch, for the trace.
    package struct Held: Hashable, Sendable {
        package var index: Int
        /// Offset from the cell's top left corner, relative to the cell's size.
        package var fraction: Vector
        /// The fingers' midpoint on the surface, where the held point is drawn.
        package var point: Point
    }

    /// Indices of the visible pictures and of those that come into view next, most urgent first.
    ///
    /// The visible pictures come first, sorted by their distance from the middle of the surface.
    /// Up to half as many pictures after them and before them follow; `velocity` decides which side
    /// comes first. `count` is the number of all pictures.
    package func nearestCells(of count: Int) -> [Int] {
        let middle = Point(x: surface.width / 2, y: surface.height / 2)
        let visible = cells.filter { $0.index < count }.sorted {
            ($0.rect.center - middle).length < ($1.rect.center - middle).length
        }.map(\.index)
        guard let first = visible.min(), let last = visible.max() else { return [] }
        let reach = Int(clamping: (Double(visible.count) * Self.reach).rounded(.up))
        let later = (last + 1)..<max(last + 1, min(last + 1 + reach, count))
        let earlier = max(0, first - reach)..<first
        return visible
            + (velocity.dy > 0
                ? Array(earlier.reversed()) + Array(later)
                : Array(later) + Array(earlier.reversed()))
    }

    /// Whether the grid is a feed that rests: one column of whole pictures.
    package var isRestingFeed: Bool {
        columns == 1 && phase == .idle && cells.allSatisfy(\.crop.isWhole)
    }

    /// Number of pictures to look ahead on each side, relative to the number of visible ones.
    private static let reach = 0.5

    package var surface: Size
    package var folders: [Folder] = []
    package var cells: [Cell]
    /// Cells that fade out at their positions in a former arrangement, beneath `cells`.
    package var fading: [Cell]
    package var headers: [Header]
    package var handle: Handle?
    package var lifted: Lifted?
    package var phase: Phase
    package var activity: Activity
    package var columns: Int
    package var scale: Double
    /// The content point at the surface's top left corner.
    package var scroll: Point
    package var content: Size
    package var held: Held?
    /// The number of selected pictures.
    package var selected: Int
    /// Whether taps select pictures.
    package var isSelecting = false
    /// Velocity of the content on the surface, in logical pixels per second, for look-ahead.
    package var velocity: Vector
}
