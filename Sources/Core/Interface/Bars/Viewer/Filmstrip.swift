package import Geometry
import Gestures
package import Motion

/// Where the cells of the filmstrip are: the pictures around the selected one, in a row.
package struct FilmstripLayout: Hashable, Sendable {
    /// Logical pixels of the surface.
    package let rect: Rect
    let center: Double
    let count: Int
    let isMirrored: Bool

    /// The side of a cell, and the distance from one cell to the next, in logical pixels.
    package static let cell = 56.0
    static let pitch = cell + Theme.Space.row
    /// How much larger the selected cell's frame is, in logical pixels.
    static let height = cell + Theme.Space.row

    /// A strip that ends at `bottom` and is at most `width` wide, about `center`.
    init(bottom: Double, width: Double, center: Double, count: Int, isMirrored: Bool) {
        let most = (width / Self.pitch).rounded(.down) * Self.pitch
        let length = max(min(most, Double(count) * 2 * Self.pitch), Self.pitch)
        rect = Rect(
            x: center - length / 2, y: bottom - Self.height, width: length, height: Self.height)
        self.center = center
        self.count = count
        self.isMirrored = isMirrored
    }

    /// The cells that are visible at least in part while `position` is in the middle: the number of a
    /// picture, with a fraction between two.
    package func cells(at position: Double) -> [(index: Int, rect: Rect)] {
        let reach = rect.width / 2 / Self.pitch + 1
        let first = max(Int(clamping: (position - reach).rounded(.down)), 0)
        let last = min(Int(clamping: (position + reach).rounded(.up)), count - 1)
        guard first <= last else { return [] }
        return (first...last).compactMap { index in
            let offset = (Double(index) - position) * Self.pitch * (isMirrored ? -1 : 1)
            let cell = Rect(
                center: Point(x: center + offset, y: rect.center.y),
                size: Size(width: Self.cell, height: Self.cell))
            return cell.intersection(rect).isEmpty ? nil : (index, cell)
        }
    }

    /// The picture at a point while `position` is in the middle; nil beside the cells.
    package func index(at point: Point, _ position: Double) -> Int? {
        let offset = (point.x - center) / Self.pitch * (isMirrored ? -1 : 1)
        let index = Int(clamping: (position + offset).rounded())
        return rect.contains(point) && (0..<count).contains(index) ? index : nil
    }

    /// How many pictures a drag of `dx` logical pixels passes.
    func steps(of dx: Double) -> Double { -dx / Self.pitch * (isMirrored ? -1 : 1) }
}

/// The motion of the filmstrip: which picture is in the middle.
package struct Filmstrip: Hashable, Sendable {
    /// The number of the picture in the middle, with a fraction between two.
    private var position = ScalarMotion.still(0)
    private var held: Held?

    /// A third of a logical pixel.
    private static let tolerance = Tolerance(distance: 0.005, speed: 0.05)

    /// In numbers of pictures.
    private struct Held: Hashable, Sendable {
        var start: Double
        var position: Double
    }

    package init() {}

    package func position(at moment: Moment) -> Double {
        held?.position ?? position.value(at: moment)
    }

    package var isHeld: Bool { held != nil }

    /// Moves to a picture that was selected elsewhere, at once if `isStill`.
    package mutating func follow(_ index: Int, at moment: Moment, isStill: Bool) {
        guard held == nil, position.restValue != Double(index) else { return }
        position.move(to: Double(index), at: moment, isStill: isStill)
    }

    /// Shows a picture in the middle at once.
    package mutating func set(_ index: Int) { position = .still(Double(index)) }

    package mutating func begin(at moment: Moment) {
        let now = position.value(at: moment)
        held = Held(start: now, position: now)
    }

    /// Follows a finger `dx` logical pixels from where it began; returns the picture in the middle.
    ///
    /// Beyond the ends a rubber band resists, unless `isStill`.
    package mutating func drag(
        by dx: Double, on layout: FilmstripLayout, isStill: Bool
    ) -> Int? {
        guard let held else { return nil }
        let most = Double(layout.count - 1)
        let raw = held.start + layout.steps(of: dx)
        let inside = min(max(raw, 0), most)
        let beyond =
            isStill
            ? 0
            : RubberBand.displayed(
                (raw - inside) * FilmstripLayout.pitch, extent: layout.rect.width)
                / FilmstripLayout.pitch
        self.held?.position = inside + beyond
        return Int(clamping: inside.rounded())
    }

    /// Lets go: the picture in the middle gets exactly there.
    package mutating func end(on index: Int, at moment: Moment, isStill: Bool) {
        guard let held else { return }
        self.held = nil
        position = .still(held.position)
        follow(index, at: moment, isStill: isStill)
    }

    package func isAnimating(at moment: Moment) -> Bool {
        !position.isAtRest(at: moment, tolerance: Self.tolerance)
    }

    package mutating func advance(to moment: Moment) {
        if !isAnimating(at: moment) { position = .still(position.restValue) }
    }
}
