import Geometry

/// A layout whose content begins below a free strip at the top, under a header.
///
/// The height of the strip is in logical pixels, and does not depend on the scale.
struct InsetLayout: AdaptedLayout {
    var layout: any ScalingLayout
    let top: Double

    init(_ layout: any ScalingLayout, top: Double) {
        (self.layout, self.top) = (layout, top)
    }

    private var inset: Vector { Vector(dx: 0, dy: top) }

    func contentSize(at scale: Double) -> Size {
        var size = layout.contentSize(at: scale)
        size.height += top
        return size
    }

    func cells(in rect: Rect) -> [LaidOutCell] {
        layout.cells(in: rect + inset * -1).map {
            LaidOutCell(index: $0.index, rect: $0.rect + inset)
        }
    }

    func headers(in rect: Rect) -> [LaidOutHeader] {
        layout.headers(in: rect + inset * -1).map {
            LaidOutHeader(level: $0.level, section: $0.section, rect: $0.rect + inset)
        }
    }

    func cell(at point: Point) -> Int? { layout.cell(at: point - inset) }
    func nearestCell(to point: Point) -> Int? { layout.nearestCell(to: point - inset) }

    /// Without pictures the first place is a pixel, so that an anchor can refer to it.
    func rect(of index: Int) -> Rect {
        guard index == 0, layout.contentSize(at: scale).height == 0 else {
            return layout.rect(of: index) + inset
        }
        return Rect(x: 0, y: top, width: 1, height: 1)
    }

    func hasGap(in rect: Rect) -> Bool { layout.hasGap(in: rect + inset * -1) }
}
