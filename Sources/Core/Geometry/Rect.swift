import CMath

/// An axis-parallel rectangle in a real-valued space.
package struct Rect: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package init(center: Point, size: Size) {
        self.init(
            x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width,
            height: size.height)
    }

    package init(origin: Point, size: Size) {
        self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
    }

    package init(_ pixels: PixelRect) {
        self.init(
            x: Double(pixels.x), y: Double(pixels.y), width: Double(pixels.width),
            height: Double(pixels.height))
    }

    package var origin: Point { Point(x: x, y: y) }
    package var size: Size {
        get { Size(width: width, height: height) }
        set { (width, height) = (newValue.width, newValue.height) }
    }
    package var maxX: Double { x + width }
    package var maxY: Double { y + height }
    package var center: Point { Point(x: x + width / 2, y: y + height / 2) }
    package var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Whether the point lies inside; the right and bottom edges are outside.
    package func contains(_ point: Point) -> Bool {
        point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
    }

    /// The point of the rectangle that is nearest to `point`.
    package func clamp(_ point: Point) -> Point {
        Point(x: min(max(point.x, x), maxX), y: min(max(point.y, y), maxY))
    }

    /// The overlap of both rectangles; empty where they do not overlap.
    package func intersection(_ other: Rect) -> Rect {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return Rect(
            x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
            height: max(0, min(maxY, other.maxY) - top))
    }

    /// The rectangle moved by `translation`.
    package static func + (rect: Rect, translation: Vector) -> Rect {
        Rect(origin: rect.origin + translation, size: rect.size)
    }

    /// The rectangle between this one and another, which has the weight `share`.
    package func interpolated(to other: Rect, share: Double) -> Rect {
        func between(_ start: Double, _ end: Double) -> Double { start + (end - start) * share }
        return Rect(
            x: between(x, other.x), y: between(y, other.y), width: between(width, other.width),
            height: between(height, other.height))
    }

    /// The rectangle without `margin` on each side; empty in the middle where nothing is left.
    package func inset(by margin: Double) -> Rect {
        Rect(
            center: center,
            size: Size(width: max(width - 2 * margin, 0), height: max(height - 2 * margin, 0)))
    }

    package static func * (rect: Rect, factor: Double) -> Rect {
        Rect(
            x: rect.x * factor, y: rect.y * factor, width: rect.width * factor,
            height: rect.height * factor)
    }
}

/// An axis-parallel rectangle of whole pixels.
package struct PixelRect: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole area of a buffer of `size`, from (0, 0).
    package init(_ size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// `rect` with each side rounded to the nearest pixel boundary; NaN becomes 0.
    package init(rounding rect: Rect) {
        func boundary(_ value: Double) -> Int {
            Int(
                clamping: min(max(value, -Self.largestCoordinate), Self.largestCoordinate).rounded()
            )
        }
        let (left, top) = (boundary(rect.x), boundary(rect.y))
        self.init(
            x: left, y: top, width: max(0, boundary(rect.maxX) - left),
            height: max(0, boundary(rect.maxY) - top))
    }

    /// The largest magnitude of a rounded coordinate, in pixels; no surface is that large.
    static let largestCoordinate = 1e9

    /// All pixels of `bounds` that `rect` touches, also partly; NaN becomes 0.
    package init(touching rect: Rect, in bounds: PixelRect) {
        func pixel(_ value: Double, _ low: Int, _ high: Int) -> Int {
            min(max(Int(clamping: value), low), high)
        }
        let left = pixel(rect.x.rounded(.down), bounds.x, bounds.maxX)
        let top = pixel(rect.y.rounded(.down), bounds.y, bounds.maxY)
        let right = pixel(rect.maxX.rounded(.up), bounds.x, bounds.maxX)
        let bottom = pixel(rect.maxY.rounded(.up), bounds.y, bounds.maxY)
        self.init(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }

    package var maxX: Int { x + width }
    package var maxY: Int { y + height }
    package var isEmpty: Bool { width <= 0 || height <= 0 }
    package var size: PixelSize { PixelSize(width: width, height: height) }

    package func intersection(_ other: PixelRect) -> PixelRect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return PixelRect(
            x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
            height: max(0, min(maxY, other.maxY) - top))
    }

    /// The smallest rectangle that contains both; an empty rectangle is ignored.
    package func union(_ other: PixelRect) -> PixelRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRect(
            x: left, y: top, width: max(maxX, other.maxX) - left,
            height: max(maxY, other.maxY) - top)
    }
}
