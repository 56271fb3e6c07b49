import Geometry
import SceneModel

/// The regions of a picture that stay in view: all of them where they fit on the surface, or else the
/// largest one.
struct PanZoomFocus: Hashable, Sendable {
    /// From the picture's centre to the middle of the regions, in picture pixels along the axes of the
    /// surface.
    let center: Vector
    /// In picture pixels.
    private let size: Size
    /// The largest zoom at which the regions are in view.
    let largestZoom: Double
    private let share: Double

    /// Nil without a region.
    ///
    /// `regions` are in fractions of the upright picture, `zoom` is in logical pixels per picture
    /// pixel. The regions take at most `share` of the surface's width and height.
    init?(
        _ regions: [Rect], of geometry: ViewGeometry, rotation: Double, zoom: Double, share: Double
    ) {
        let whole = Rect(x: 0, y: 0, width: 1, height: 1)
        let inside = regions.map { $0.intersection(whole) }.filter {
            $0.x.isFinite && $0.y.isFinite && $0.width > 0 && $0.height > 0
        }
        guard let largest = inside.max(by: { $0.width * $0.height < $1.width * $1.height }) else {
            return nil
        }
        let all = inside.reduce(largest) { $0.union($1) }
        let fitting = [all, largest].first {
            Self.zoom(Self.size(of: $0, in: geometry, rotation), geometry, share) >= zoom
        }
        let region = fitting ?? largest
        let picture = geometry.picture
        center = Vector(
            dx: (region.center.x - 0.5) * picture.width,
            dy: (region.center.y - 0.5) * picture.height
        ).rotated(by: rotation)
        size = Self.size(of: region, in: geometry, rotation)
        largestZoom = Self.zoom(size, geometry, share)
        self.share = share
    }

    /// The size of a region in picture pixels, along the axes of the surface.
    private static func size(
        of region: Rect, in geometry: ViewGeometry, _ rotation: Double
    ) -> Size {
        let rotated = geometry.rotatedSize(rotation: rotation)
        return rotated == geometry.picture
            ? Size(
                width: region.width * rotated.width, height: region.height * rotated.height)
            : Size(
                width: region.height * rotated.width, height: region.width * rotated.height)
    }

    private static func zoom(_ size: Size, _ geometry: ViewGeometry, _ share: Double) -> Double {
        let surface = geometry.viewport.size
        return share
            * min(surface.width / max(size.width, 1), surface.height / max(size.height, 1))
    }

    /// The offset nearest to `offset` at which the regions are in view; in their middle where they
    /// take more than the surface.
    func offset(nearest offset: Vector, zoom: Double, on geometry: ViewGeometry) -> Vector {
        let surface = geometry.viewport.size
        func nearest(_ value: Double, _ middle: Double, _ length: Double, _ side: Double) -> Double
        {
            let slack = max(side * share / zoom - length, 0) / 2
            return min(max(value, middle - slack), middle + slack)
        }
        return Vector(
            dx: nearest(offset.dx, center.dx, size.width, surface.width),
            dy: nearest(offset.dy, center.dy, size.height, surface.height))
    }
}

extension Rect {
    /// The smallest rectangle that contains both.
    fileprivate func union(_ other: Rect) -> Rect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Rect(
            x: left, y: top, width: max(maxX, other.maxX) - left,
            height: max(maxY, other.maxY) - top)
    }
}
