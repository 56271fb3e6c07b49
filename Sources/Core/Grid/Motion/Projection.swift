import Geometry
import Motion

/// A former layout of the grid that is still fading out.
struct FadingLayout: Sendable {
    var layout: any ScalingLayout
    /// Weight of this layout: 1 shows only this layout, 0 only its successor.
    var share: Spring
    /// The point at which this layout is aligned with its successor.
    var reference: Anchor
    /// Additional translation of this layout, in logical pixels.
    var offset = Vector.zero

    /// ω of the cross-fade's spring, in radians per second: settled after 0.2 s.
    static let frequency = Spring.frequency(settlingIn: 0.2)
    /// Tolerance of `share`: less than one step of 8-bit colour.
    private static let tolerance = Tolerance.opacity

    /// Whether the reference is at the same place in this layout and in its successor.
    var isAligned: Bool { offset.length < Self.negligible }
    /// A shorter distance, in logical pixels, is a rounding error.
    private static let negligible = 1e-3

    /// Whether the cross-fade is over.
    func isOver(at moment: Moment) -> Bool {
        share.isAtRest(at: moment, tolerance: Self.tolerance)
    }
}

/// The grid on the surface at one moment: position and opacity of each cell.
///
/// After a change of the arrangement, cells with the same position in both arrangements stay. All
/// other cells fade in at their new positions, above the cells that fade out there; only the cell of
/// the reference, which fingers may hold, goes from its former rectangle to its new one. Both
/// arrangements are laid out at the same live scale, with the held point at the same position.
/// Changes in quick succession form a chain of layers.
struct Projection {
    private struct Layer {
        var layout: any ScalingLayout
        /// Translation from content to surface coordinates, in logical pixels.
        var shift: Vector
        /// Weight, 0…1, of this layer and all older ones, relative to the next newer layer.
        var share: Double
        /// The cell at which this layer is aligned with the next newer one; nil where it is not at the
        /// same place in both.
        var reference: Int?
    }

    /// The present layout, followed by the former ones, the latest first.
    private var layers: [Layer]
    private let surface: Rect

    /// A cell on the surface.
    struct Cell: Hashable {
        var index: Int
        var rect: Rect
        var opacity: Double
        var crop: CellCrop
    }

    init(
        _ layout: any ScalingLayout, _ fadingLayouts: [FadingLayout], scrollState: ScrollState,
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
        for former in fadingLayouts {
            let later = layers[layers.count - 1]
            var layout = former.layout
            layout.scale = scrollState.scale
            let delta =
                later.layout.point(of: former.reference) - layout.point(of: former.reference)
            layers.append(
                Layer(
                    layout: layout, shift: later.shift + delta + former.offset,
                    share: min(max(former.share.value(at: moment), 0), 1),
                    reference: former.isAligned ? former.reference.index : nil))
        }
        self.layers = layers
        self.surface = Rect(x: 0, y: 0, width: surface.width, height: surface.height)
        // A point of a cell that changes its shape stays at its place of the surface.
        let slip = scrollState.focal - place(of: scrollState.anchor)
        if slip != .zero {
            for number in layers.indices {
                self.layers[number].shift = layers[number].shift + slip
            }
        }
    }

    private func visible(in layer: Layer) -> Rect {
        Rect(
            x: surface.x - layer.shift.dx, y: surface.y - layer.shift.dy, width: surface.width,
            height: surface.height)
    }

    /// The rectangle of a picture's cell on the surface; may lie beyond its edges.
    func rect(of index: Int) -> Rect { drawnRect(of: index, in: 0) }

    /// How a picture's cell is cropped.
    func crop(of index: Int) -> CellCrop { crop(of: index, in: 0) }

    /// The position of an anchored point on the surface.
    func place(of anchor: Anchor) -> Point {
        guard changesShape(anchor.index, in: 0) else {
            return layers[0].layout.point(of: anchor) + layers[0].shift
        }
        let rect = rect(of: anchor.index)
        return Point(
            x: rect.x + anchor.fraction.dx * rect.width,
            y: rect.y + anchor.fraction.dy * rect.height)
    }

    private func rect(of index: Int, in number: Int) -> Rect {
        layers[number].layout.rect(of: index).moved(by: layers[number].shift)
    }

    // MARK: The cell of the reference

    /// Whether an older layer has this cell as its reference.
    private func changesShape(_ index: Int, in number: Int) -> Bool {
        layers[(number + 1)...].contains { $0.reference == index }
    }

    /// Whether a cell goes from its rectangle in the next older layer to the one in this layer,
    /// because it shows more or less of its picture there.
    private func isReference(_ index: Int, in number: Int) -> Bool {
        number + 1 < layers.count && layers[number + 1].reference == index
            && layers[number].layout.crop(of: index) != layers[number + 1].layout.crop(of: index)
    }

    /// The rectangle at which a cell is drawn in a layer.
    private func drawnRect(of index: Int, in number: Int) -> Rect {
        let rect = rect(of: index, in: number)
        guard changesShape(index, in: number) else { return rect }
        if isReference(index, in: number) {
            return rect.interpolated(
                to: drawnRect(of: index, in: number + 1), share: layers[number + 1].share)
        }
        return stays(index, in: number) ? drawnRect(of: index, in: number + 1) : rect
    }

    private func crop(of index: Int, in number: Int) -> CellCrop {
        let crop = layers[number].layout.crop(of: index)
        guard isReference(index, in: number) else { return crop }
        return crop.interpolated(
            to: self.crop(of: index, in: number + 1), share: layers[number + 1].share)
    }

    /// Whether a cell has the same position, within 1 logical pixel, in a layer and the next older.
    private func stays(_ index: Int, in number: Int) -> Bool {
        let (new, old) = (rect(of: index, in: number), rect(of: index, in: number + 1))
        return max(
            abs(new.x - old.x), abs(new.y - old.y), abs(new.maxX - old.maxX),
            abs(new.maxY - old.maxY)) < 1
    }

    /// The opacity of a cell at its position in a layer, 0…1.
    private func opacity(of index: Int, in number: Int) -> Double {
        guard number + 1 < layers.count else { return 1 }
        return isReference(index, in: number) || stays(index, in: number)
            ? opacity(of: index, in: number + 1) : 1 - layers[number + 1].share
    }

    /// The visible cells by ascending index, and the cells that fade out at former positions.
    ///
    /// The cells that fade out (`left`) lie beneath the visible ones.
    func cells() -> (cells: [Cell], left: [Cell]) {
        func laidOut(in number: Int, _ opacity: (Int) -> Double) -> [Cell] {
            layers[number].layout.cells(in: visible(in: layers[number])).map {
                Cell(
                    index: $0.index,
                    rect: changesShape($0.index, in: number)
                        ? drawnRect(of: $0.index, in: number)
                        : $0.rect.moved(by: layers[number].shift),
                    opacity: opacity($0.index), crop: crop(of: $0.index, in: number))
            }
        }
        var left: [Cell] = []
        var remainder = 1.0
        for number in layers.indices.dropFirst() {
            // New cells fade in above. With twice the weight for the old cells, both together stay
            // opaque for most of the fade.
            remainder *= min(2 * layers[number].share, 1)
            left += laidOut(in: number) {
                isReference($0, in: number - 1) || stays($0, in: number - 1)
                    ? 0 : opacity(of: $0, in: number) * remainder
            }.filter { $0.opacity > 0 }
        }
        return (laidOut(in: 0) { opacity(of: $0, in: 0) }, left.reversed())
    }

    /// The headers of the present layout, and those of the previous layout, which fade out.
    func headers() -> [(header: LaidOutHeader, opacity: Double)] {
        var headers: [(header: LaidOutHeader, opacity: Double)] = []
        let old = layers.count > 1 ? layers[1].share : 0
        for (layer, opacity) in zip(layers, [1 - old, old]) {
            for header in layer.layout.headers(in: visible(in: layer)) {
                let rect = header.rect.moved(by: layer.shift)
                headers.append(
                    (
                        LaidOutHeader(level: header.level, section: header.section, rect: rect),
                        opacity
                    ))
            }
        }
        return headers
    }

    /// The cell drawn at a point of the surface, or nil.
    func cell(at point: Point) -> Int? { layers[0].layout.cell(at: point - layers[0].shift) }

    /// The cell that a finger at a point means: the one under the finger, else the nearest one within
    /// `reach` beside it, unless the finger is on a header.
    func target(at point: Point) -> Int? {
        if let cell = cell(at: point) { return cell }
        guard !headers().contains(where: { $0.header.rect.contains(point) }) else { return nil }
        let local = point - layers[0].shift
        let around = Rect(x: local.x, y: local.y, width: 0, height: 0).inset(by: -Self.reach)
        return layers[0].layout.cells(in: around)
            .map { (index: $0.index, distance: (local - $0.rect.clamp(local)).length) }
            .filter { $0.distance <= Self.reach }
            .min { $0.distance < $1.distance }?.index
    }

    /// More than the gap between two cells and the margin of the grid, in logical pixels.
    private static let reach = 15.0

    /// The anchor at a point of the surface.
    func anchor(at point: Point) -> Anchor {
        // Without pictures the folders are scrolled.
        let index = cell(at: point) ?? nearestCell(to: point) ?? 0
        return Anchor(index: index, at: point, in: rect(of: index))
    }

    private func nearestCell(to point: Point) -> Int? {
        layers[0].layout.nearestCell(to: point - layers[0].shift)
    }
}

extension Rect {
    func moved(by translation: Vector) -> Rect {
        Rect(x: x + translation.dx, y: y + translation.dy, width: width, height: height)
    }

    func intersects(_ other: Rect) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }
}
