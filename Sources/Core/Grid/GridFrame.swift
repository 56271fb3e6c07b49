package import Geometry

/// What one frame of the grid shows, as values, and what the trace says of it.
///
/// Rectangles are on the surface, in logical pixels. Painted in this order: places that cells have left, cells, headers, handle,
/// the backdrop of a lifted picture, and the picture itself.
package struct GridFrame: Hashable, Sendable {
    package enum Phase: String, Sendable { case idle, touching, animating }
    package enum Activity: String, Sendable { case none, scroll, pinch, peek }

    package struct Cell: Hashable, Sendable {
        package var index: Int
        package var rect: Rect
        package var crop: CellCrop
        /// 0…1.
        package var opacity: Double
        /// The place is empty: its picture is lifted, or flies elsewhere.
        package var isHidden: Bool
        package var isFocused: Bool
        package var isSelected: Bool
    }

    package struct Header: Hashable, Sendable {
        package var section: Int
        package var title: String
        package var rect: Rect
        package var opacity: Double
    }

    /// The fast-scroll handle, with what its label is about.
    package struct Handle: Hashable, Sendable {
        package var rect: Rect
        package var opacity: Double
        /// The first picture in sight, whose name or date the label may say.
        package var index: Int
        /// The section it is in, which the label rather says.
        package var title: String?
        package var isHeld: Bool
    }

    /// A picture lifted out of the page.
    package struct Lifted: Hashable, Sendable {
        package var index: Int
        /// Times its cell.
        package var scale: Double
        package var rect: Rect
        package var crop: CellCrop
        /// Opacity of the black backdrop beneath it, 0…1.
        package var dim: Double
    }

    /// The held point of a pinch, for the trace.
    package struct Held: Hashable, Sendable {
        package var index: Int
        /// In parts of the cell, from its top left corner.
        package var fraction: Vector
        /// Where the fingers' midpoint is, and so the held point.
        package var point: Point
    }

    /// The pictures of the cells, the middle of the surface first, and then half as many before and
    /// after them that come into sight next, of `count` pictures.
    package func nearestCells(of count: Int) -> [Int] {
        let middle = Point(x: surface.width / 2, y: surface.height / 2)
        let predicted = cells.filter { $0.index < count }.sorted {
            ($0.rect.center - middle).length < ($1.rect.center - middle).length
        }.map(\.index)
        guard let first = predicted.min(), let last = predicted.max() else { return [] }
        let reach = Int((Double(predicted.count) * Self.reach).rounded(.up))
        let later = (last + 1)..<max(last + 1, min(last + 1 + reach, count))
        let earlier = max(0, first - reach)..<first
        return predicted
            + (velocity.dy > 0
                ? Array(earlier.reversed()) + Array(later)
                : Array(later) + Array(earlier.reversed()))
    }

    /// How many pictures beyond the surface's edges are nearest, as a part of those on it.
    private static let reach = 0.5

    package var surface: Size
    package var cells: [Cell]
    /// Places that cells have left for other rows, beneath `cells`.
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
    /// Of the content on the surface, in logical pixels per second: where to look ahead.
    package var velocity: Vector
}
