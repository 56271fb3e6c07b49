package import Geometry

/// The parts of the surface that lie over the content and take touches for themselves.
package struct ChromeArea: Hashable, Sendable {
    /// The bar at the top, in logical pixels; none while it is hidden.
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
