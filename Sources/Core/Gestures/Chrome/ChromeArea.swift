package import Geometry

/// The areas of the surface where chrome lies over the content and receives touches itself.
package struct ChromeArea: Hashable, Sendable {
    /// In logical pixels.
    package var rects: [Rect]

    package init(_ rects: [Rect] = []) { self.rects = rects }

    package func contains(_ point: Point) -> Bool {
        rects.contains { $0.contains(point) }
    }
}
