package import Geometry

/// The areas of the surface where chrome lies over the content and receives touches itself.
package struct ChromeArea: Hashable, Sendable {
    /// The bar at the top, in logical pixels; nil while it is hidden.
    package var bar: Rect?
    package var menu: Rect?

    package init(bar: Rect? = nil, menu: Rect? = nil) {
        self.bar = bar
        self.menu = menu
    }

    func contains(_ point: Point) -> Bool {
        bar?.contains(point) == true || menu?.contains(point) == true
    }
}
