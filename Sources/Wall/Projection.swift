import Geometry
import Motion

/// A layout that the wall has just left, and how much of it is still seen.
struct FormerLayout: Sendable {
    var layout: any ScalingLayout
    /// From 1, the cells are where this layout has them, to 0.
    var share: Spring

    /// ω of the springs by which cells go to their new places: there in 0.2 s.
    static let frequency = Spring.frequency(settlingIn: 0.2)
    /// Of the share: half a pixel of a cell that goes 2000 logical pixels.
    private static let tolerance = Tolerance(distance: 2.5e-4, speed: 2.5e-3)

    /// Whether every cell has come to its new place.
    func isOver(at moment: Moment) -> Bool {
        share.isAtRest(at: moment, tolerance: Self.tolerance)
    }
}

/// The wall on the surface at one moment: where each cell is drawn.
///
/// After a change of the arrangement every cell goes from its old place to its new one. Both
/// arrangements are laid out at the same live scale with the same anchored point under the same
/// point of the surface, so that the held picture stays under the fingers all the way. Changes
/// that follow quickly form a chain.
struct Projection {
    private struct Layer {
        var layout: any ScalingLayout
        /// From the content to the surface.
        var shift: Vector
        /// How much of this layer, and of those after it, shows through the layer before.
        var share: Double
    }

    /// The present layout and then those before it, the latest first.
    private let layers: [Layer]
    private let surface: Rect

    /// A cell on the surface.
    struct Cell: Hashable {
        var index: Int
        var rect: Rect
        var opacity: Double
    }

    init(
        _ layout: any ScalingLayout, _ formers: [FormerLayout], pose: Pose, surface: Size,
        at moment: Moment
    ) {
        func layer(_ layout: any ScalingLayout, _ share: Double) -> Layer {
            var layout = layout
            layout.scale = pose.scale
            return Layer(
                layout: layout, shift: pose.focal - layout.point(of: pose.anchor), share: share)
        }
        layers =
            [layer(layout, 1)]
            + formers.map { layer($0.layout, min(max($0.share.value(at: moment), 0), 1)) }
        self.surface = Rect(x: 0, y: 0, width: surface.width, height: surface.height)
    }

    private func visible(in layer: Layer) -> Rect {
        Rect(
            x: surface.x - layer.shift.dx, y: surface.y - layer.shift.dy, width: surface.width,
            height: surface.height)
    }

    /// Where a picture's cell is drawn, wherever that is.
    func rect(of index: Int) -> Rect { place(of: index).rect }

    private func place(of index: Int) -> (rect: Rect, opacity: Double) {
        let oldest = layers[layers.count - 1]
        var rect = oldest.layout.rect(of: index).moved(by: oldest.shift)
        var opacity = 1.0
        for number in stride(from: layers.count - 2, through: 0, by: -1) {
            let share = layers[number + 1].share
            let new = layers[number].layout.rect(of: index).moved(by: layers[number].shift)
            opacity *= Self.opacity(from: rect, to: new, share: share)
            rect = new.mixed(with: rect, share: share)
        }
        return (rect, opacity)
    }

    /// A cell that goes to another row across the others fades on its way there and back in.
    private static func opacity(from old: Rect, to new: Rect, share: Double) -> Double {
        let way = (new.center - old.center).length / max(new.width, new.height, 1)
        let fades = min(max((way - nearWay) / (farWay - nearWay), 0), 1)
        return 1 - fades * (1 - abs(1 - 2 * share))
    }

    /// Ways, in cells, up to which a cell stays solid, and from which on it fades altogether.
    private static let (nearWay, farWay) = (1.3, 2.0)

    /// The cells that the surface shows, or would show if nothing moved, by ascending index.
    func cells() -> [Cell] {
        guard layers.count > 1 else {
            let layer = layers[0]
            return layer.layout.cells(in: visible(in: layer)).map {
                Cell(index: $0.index, rect: $0.rect.moved(by: layer.shift), opacity: 1)
            }
        }
        var indexes: Set<Int> = []
        for layer in layers {
            for cell in layer.layout.cells(in: visible(in: layer)) { indexes.insert(cell.index) }
        }
        return indexes.sorted().map { index in
            let place = place(of: index)
            return Cell(index: index, rect: place.rect, opacity: place.opacity)
        }
    }

    /// The headers of the present layout, and those of the one before fading away.
    func headers() -> [(header: LaidOutHeader, opacity: Double)] {
        var headers: [(header: LaidOutHeader, opacity: Double)] = []
        let old = layers.count > 1 ? layers[1].share : 0
        for (layer, opacity) in zip(layers, [1 - old, old]) {
            for header in layer.layout.headers(in: visible(in: layer)) {
                let rect = header.rect.moved(by: layer.shift)
                headers.append((LaidOutHeader(section: header.section, rect: rect), opacity))
            }
        }
        return headers
    }

    /// The cell drawn at a point of the surface, or none.
    func cell(at point: Point) -> Int? {
        guard layers.count > 1 else { return layers[0].layout.cell(at: point - layers[0].shift) }
        return cells().last { $0.rect.contains(point) }?.index
    }

    /// The anchor that lies under a point of the surface.
    func anchor(at point: Point) -> Anchor {
        guard let index = cell(at: point) ?? nearestCell(to: point) else { return .start }
        return Anchor(index: index, at: point, in: rect(of: index))
    }

    private func nearestCell(to point: Point) -> Int? {
        layers[0].layout.nearestCell(to: point - layers[0].shift)
    }
}

extension Rect {
    func moved(by way: Vector) -> Rect {
        Rect(x: x + way.dx, y: y + way.dy, width: width, height: height)
    }

    /// This rectangle on the way from `other`: all of it at share 0, none at 1.
    func mixed(with other: Rect, share: Double) -> Rect {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        return Rect(
            x: mix(x, other.x), y: mix(y, other.y), width: mix(width, other.width),
            height: mix(height, other.height))
    }

    func intersects(_ other: Rect) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }
}
