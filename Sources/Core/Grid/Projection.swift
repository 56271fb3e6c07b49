import Geometry
import Motion

/// A layout that the grid has just left, and how much of it is still seen.
struct FormerLayout: Sendable {
    var layout: any ScalingLayout
    /// From 1, the cells are where this layout has them, to 0.
    var share: Spring
    /// The point that lies at the same place in this layout and in the one that followed.
    var reference: Anchor
    /// By how much it does not, in logical pixels.
    var offset = Vector.zero

    /// ω of the springs by which cells come up at their new places: there in 0.2 s.
    static let frequency = Spring.frequency(settlingIn: 0.2)
    /// Of the share: less than one step of 8-bit colour.
    private static let tolerance = Tolerance.opacity

    /// Whether every cell has come to its new place.
    func isOver(at moment: Moment) -> Bool {
        share.isAtRest(at: moment, tolerance: Self.tolerance)
    }
}

/// The grid on the surface at one moment: where each cell is drawn.
///
/// After a change of the arrangement, cells that have the same place in both arrangements stay. All
/// others fade in at their new places, above what fades out there. Both arrangements are laid out at
/// the same live scale, with the held point at the same place. Changes that follow quickly form a
/// chain.
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
        _ layout: any ScalingLayout, _ formers: [FormerLayout], scrollState: ScrollState,
        surface: Size,
        at moment: Moment
    ) {
        var layout = layout
        layout.scale = scrollState.scale
        var layers = [
            Layer(
                layout: layout, shift: scrollState.focal - layout.point(of: scrollState.anchor),
                share: 1)
        ]
        for former in formers {
            let later = layers[layers.count - 1]
            var layout = former.layout
            layout.scale = scrollState.scale
            let way = later.layout.point(of: former.reference) - layout.point(of: former.reference)
            layers.append(
                Layer(
                    layout: layout, shift: later.shift + way + former.offset,
                    share: min(max(former.share.value(at: moment), 0), 1)))
        }
        self.layers = layers
        self.surface = Rect(x: 0, y: 0, width: surface.width, height: surface.height)
    }

    private func visible(in layer: Layer) -> Rect {
        Rect(
            x: surface.x - layer.shift.dx, y: surface.y - layer.shift.dy, width: surface.width,
            height: surface.height)
    }

    /// Where a picture's cell is drawn, wherever that is.
    func rect(of index: Int) -> Rect { rect(of: index, in: 0) }

    /// Where an anchored point is drawn.
    func place(of anchor: Anchor) -> Point { layers[0].layout.point(of: anchor) + layers[0].shift }

    private func rect(of index: Int, in number: Int) -> Rect {
        layers[number].layout.rect(of: index).moved(by: layers[number].shift)
    }

    /// Whether a cell has the same place in a layer and in the one before it in time.
    private func stays(_ index: Int, in number: Int) -> Bool {
        let (new, old) = (rect(of: index, in: number), rect(of: index, in: number + 1))
        return max(
            abs(new.x - old.x), abs(new.y - old.y), abs(new.maxX - old.maxX),
            abs(new.maxY - old.maxY)) < 1
    }

    /// How opaque a cell is at its place in a layer.
    private func opacity(of index: Int, in number: Int) -> Double {
        guard number + 1 < layers.count else { return 1 }
        return stays(index, in: number)
            ? opacity(of: index, in: number + 1) : 1 - layers[number + 1].share
    }

    /// The cells that the surface shows, by ascending index; and the places that cells have left,
    /// which lie beneath.
    func cells() -> (cells: [Cell], left: [Cell]) {
        func laidOut(in number: Int, _ opacity: (Int) -> Double) -> [Cell] {
            layers[number].layout.cells(in: visible(in: layers[number])).map {
                Cell(
                    index: $0.index, rect: $0.rect.moved(by: layers[number].shift),
                    opacity: opacity($0.index))
            }
        }
        var left: [Cell] = []
        var remains = 1.0
        for number in layers.indices.dropFirst() {
            // What comes fades in above: the two together stay opaque most of the time.
            remains *= min(2 * layers[number].share, 1)
            left += laidOut(in: number) {
                stays($0, in: number - 1) ? 0 : opacity(of: $0, in: number) * remains
            }.filter { $0.opacity > 0 }
        }
        return (laidOut(in: 0) { opacity(of: $0, in: 0) }, left.reversed())
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
    func cell(at point: Point) -> Int? { layers[0].layout.cell(at: point - layers[0].shift) }

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

    func intersects(_ other: Rect) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }
}
