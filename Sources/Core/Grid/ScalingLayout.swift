package import Geometry

/// How the pictures hang: where each cell is, at every scale between the limits and a bit beyond.
///
/// A layout has a *scale*, which grows its cells continuously, and an *arrangement*, which cell is
/// in which row and column. Setting the scale never changes the arrangement; `arrange` and
/// `settle` do. Between the scales at which an arrangement rests its content is wider or
/// narrower than the surface.
///
/// Points and rectangles are in logical pixels of the content at the current scale, from its top
/// left corner. Everything is O(log n) in the pictures, or O(what is in the rectangle).
package protocol ScalingLayout: Sendable {
    /// 1 is the scale of the base arrangement.
    var scale: Double { get set }
    /// The scales at which the layout may rest at all.
    var limits: ClosedRange<Double> { get }
    /// Columns of the arrangement; where rows differ, those of a row of ordinary pictures.
    var columns: Int { get }
    /// How a cell shows its picture.
    var crop: CellCrop { get }

    /// The extent of the present arrangement at a scale.
    func contentSize(at scale: Double) -> Size
    /// The cells that reach into the rectangle, by ascending index.
    func cells(in rect: Rect) -> [LaidOutCell]
    /// The headers that reach into the rectangle.
    func headers(in rect: Rect) -> [LaidOutHeader]
    /// The cell at a point, or none in a gap.
    func cell(at point: Point) -> Int?
    /// The cell at a point, or one of the nearest; none where there are no pictures.
    func nearestCell(to point: Point) -> Int?
    /// Where a picture's cell is; an empty rectangle for an index that is none.
    func rect(of index: Int) -> Rect
    /// The cell that is `rows` rows below (negative: above), in the same column or the nearest.
    func cell(_ rows: Int, rowsBelow index: Int) -> Int

    /// The scale nearest to `scale` at which some arrangement rests.
    func restScale(near scale: Double) -> Double
    /// The scale that one press of a zoom key goes to: cells larger if `up`.
    func nextScale(after scale: Double, up: Bool) -> Double
    /// Whether the scale goes in steps, each with an arrangement of its own.
    var hasSteps: Bool { get }
    /// Takes the arrangement that suits the present scale while `cell` is held, and says whether
    /// cells changed places.
    ///
    /// It waits until the scale is clearly nearer to another arrangement, so that a finger that
    /// trembles makes nothing flicker, and lets the held cell keep its place across.
    mutating func arrange(holding cell: HeldCell) -> Bool
    /// Takes the scale, one of `restScale(near:)`, and an arrangement that rests there; says whether
    /// cells changed places.
    ///
    /// The held cell comes into the column that is nearest to it; without one, an arrangement that
    /// rests at the scale stays as it is.
    @discardableResult
    mutating func settle(at scale: Double, holding cell: HeldCell?) -> Bool
    /// Whether a held cell that kept its column has left places empty in the rectangle, although there
    /// are pictures behind them.
    func hasGap(in rect: Rect) -> Bool
    /// Closes such a gap; says whether cells changed places.
    mutating func closeGap() -> Bool
    /// Takes a picture's shape, width over height, once it is known; says whether that moved cells.
    mutating func setAspect(_ aspect: Float, of index: Int) -> Bool
}

/// How a cell shows a picture whose shape may be another one.
package enum CellCrop: Hashable, Sendable {
    /// The middle of the picture fills the cell.
    case fill
    /// The whole picture, in the middle of the cell.
    case whole
}

/// A cell in the content.
package struct LaidOutCell: Hashable, Sendable {
    package var index: Int
    package var rect: Rect
}

/// A section's header in the content.
package struct LaidOutHeader: Hashable, Sendable {
    package var section: Int
    package var rect: Rect
}

/// A cell that fingers hold while its layout scales.
package struct HeldCell: Hashable, Sendable {
    package var index: Int
    /// The point that is held: its way into the cell from the left, as a part of the width.
    package var fraction: Double
    /// Where the fingers are, in logical pixels from the surface's left edge.
    package var x: Double
}

extension ScalingLayout {
    package var hasSteps: Bool { true }

    @discardableResult
    mutating func settle(at scale: Double) -> Bool { settle(at: scale, holding: nil) }

    package func hasGap(in rect: Rect) -> Bool { false }

    package mutating func closeGap() -> Bool { false }

    package func cell(at point: Point) -> Int? {
        guard let index = nearestCell(to: point), rect(of: index).contains(point) else {
            return nil
        }
        return index
    }

    package mutating func setAspect(_ aspect: Float, of index: Int) -> Bool { false }

    /// The content point that an anchor names.
    func point(of anchor: Anchor) -> Point {
        let rect = rect(of: anchor.index)
        return Point(
            x: rect.x + anchor.fraction.dx * rect.width,
            y: rect.y + anchor.fraction.dy * rect.height)
    }
}

/// A point of the grid that survives every change of the layout: a part of a cell.
package struct Anchor: Hashable, Sendable {
    package var index: Int
    /// From the cell's top left corner, in parts of its width and height; beyond 0…1 in a gap.
    package var fraction: Vector

    package static let start = Anchor(index: 0, fraction: .zero)

    init(index: Int, fraction: Vector) {
        self.index = index
        self.fraction = fraction
    }

    /// The anchor at `point` with regard to a cell that is drawn at `rect`.
    init(index: Int, at point: Point, in rect: Rect) {
        self.index = index
        fraction = Vector(
            dx: rect.width > 0 ? (point.x - rect.x) / rect.width : 0,
            dy: rect.height > 0 ? (point.y - rect.y) / rect.height : 0)
    }
}
