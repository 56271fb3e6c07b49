package import Geometry

/// A layout of the grid: the position of each cell, at scales within and slightly beyond `limits`.
///
/// A layout has a *scale*, which magnifies its cells continuously, and an *arrangement*, which
/// assigns each cell to a row and a column. Setting the scale never changes the arrangement;
/// `arrange` and `settle` do. At other scales than its resting scale, the content of an arrangement
/// is wider or narrower than the surface.
///
/// Points and rectangles are in logical pixels of the content at the current scale, from its top
/// left corner. All operations are O(log n) in the number of pictures, or linear in the number of
/// items in the rectangle.
package protocol ScalingLayout: Sendable {
    /// 1 is the scale of the base arrangement.
    var scale: Double { get set }
    /// The range of the layout's resting scales.
    var limits: ClosedRange<Double> { get }
    /// Columns of the arrangement; where rows differ, those of a row of average pictures.
    var columns: Int { get }
    /// The sections of the arrangement.
    var level: SectionLevel { get }

    /// The size of the present arrangement at a scale.
    func contentSize(at scale: Double) -> Size
    /// The cells that intersect the rectangle, by ascending index.
    func cells(in rect: Rect) -> [LaidOutCell]
    /// The headers that intersect the rectangle.
    func headers(in rect: Rect) -> [LaidOutHeader]
    /// The cell at a point, nil in a gap.
    func cell(at point: Point) -> Int?
    /// The cell at a point, or one of the nearest; nil without pictures.
    func nearestCell(to point: Point) -> Int?
    /// The rectangle of a picture's cell; empty for an invalid index.
    func rect(of index: Int) -> Rect
    /// How a cell shows its picture.
    func crop(of index: Int) -> CellCrop
    /// The cell that is `rows` rows below (negative: above), in the same column or the nearest.
    func cell(_ rows: Int, rowsBelow index: Int) -> Int

    /// The scale nearest to `scale` at which some arrangement rests.
    func restScale(near scale: Double) -> Double
    /// The scale after one press of a zoom key; cells get larger if `up`.
    func nextScale(after scale: Double, up: Bool) -> Double
    /// Whether the resting scales are discrete steps, each with its own arrangement.
    var hasSteps: Bool { get }
    /// Chooses the arrangement for the present scale while `cell` is held.
    ///
    /// The arrangement changes only when the scale is clearly nearer to another one, so that a
    /// trembling finger causes no flicker. The held cell keeps its horizontal position. Returns
    /// whether cells changed places.
    mutating func arrange(holding cell: HeldCell) -> Bool
    /// Sets a resting scale, one of `restScale(near:)`, and an arrangement that rests there.
    ///
    /// The held cell gets into the column nearest to it. Without a held cell, an arrangement that
    /// already rests at the scale stays. Returns whether cells changed places.
    @discardableResult
    mutating func settle(at scale: Double, holding cell: HeldCell?) -> Bool
    /// Whether the rectangle contains places that are empty because a held cell kept its column.
    func hasGap(in rect: Rect) -> Bool
    /// Closes the gap of `hasGap(in:)`; returns whether cells changed places.
    mutating func closeGap() -> Bool
    /// Sets a picture's aspect ratio, width / height; returns whether cells moved.
    mutating func setAspect(_ aspect: Float, of index: Int) -> Bool
}

/// A cell in the content.
package struct LaidOutCell: Hashable, Sendable {
    package var index: Int
    package var rect: Rect
}

/// A section's header in the content.
package struct LaidOutHeader: Hashable, Sendable {
    package var level = SectionLevel.own
    package var section: Int
    package var rect: Rect
}

/// A cell that fingers hold while its layout scales.
package struct HeldCell: Hashable, Sendable {
    package var index: Int
    /// The x of the held point in the cell, as a fraction of the cell's width.
    package var fraction: Double
    /// The x of the fingers on the surface, in logical pixels.
    package var x: Double
}

extension ScalingLayout {
    package var hasSteps: Bool { true }
    package var level: SectionLevel { .own }

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

    /// The content point of an anchor.
    func point(of anchor: Anchor) -> Point {
        let rect = rect(of: anchor.index)
        return Point(
            x: rect.x + anchor.fraction.dx * rect.width,
            y: rect.y + anchor.fraction.dy * rect.height)
    }
}

/// A point of the grid that stays valid after every change of the layout: a point of a cell.
package struct Anchor: Hashable, Sendable {
    package var index: Int
    /// Offset from the cell's top left corner, relative to its size; outside 0…1 in a gap.
    package var fraction: Vector

    package static let start = Anchor(index: 0, fraction: .zero)

    init(index: Int, fraction: Vector) {
        self.index = index
        self.fraction = fraction
    }

    /// The anchor at `point` relative to a cell that is drawn at `rect`.
    init(index: Int, at point: Point, in rect: Rect) {
        self.index = index
        fraction = Vector(
            dx: rect.width > 0 ? (point.x - rect.x) / rect.width : 0,
            dy: rect.height > 0 ? (point.y - rect.y) / rect.height : 0)
    }
}
