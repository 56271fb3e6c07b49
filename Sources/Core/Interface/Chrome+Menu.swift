package import Geometry
package import Gestures

/// The menu over the content.
extension Chrome {
    /// A wheel detent scrolls the menu by this distance, in logical pixels.
    private static let menuStep = 80.0

    /// Opens a menu at a point of the surface, in logical pixels; without the keys of its items where
    /// it is opened by touch.
    package mutating func openMenu(_ items: [Menu.Item], at point: Point) {
        menu = Menu(
            items, at: point, on: layout, showsDetails: usesKeys || layout.usesPointer)
    }

    /// Opens a menu for a widget of the bars, or in place of the menu whose row was chosen.
    package mutating func openMenu(_ items: [Menu.Item], of widget: Widget?, at point: Point) {
        let isNested = chosenFrom != nil
        let place = chosenFrom ?? widget.map { .button($0.rect) } ?? .point(point)
        menu = Menu(items, at: place, on: layout, showsDetails: usesKeys || layout.usesPointer)
        guard isNested, usesKeys else { return }
        menu?.moveFocus(by: 1)
        if menu?.backAction != nil { menu?.moveFocus(by: 1) }
    }

    /// Whether the row of a menu that has just been chosen opens another menu in its place.
    package var isInMenu: Bool { chosenFrom != nil }

    /// Closes the menu for a button of a pen, which does nothing else then; returns whether a menu was open.
    package mutating func closesMenu(_ gesture: Gesture) -> Bool {
        guard case .pen(.button, _) = gesture, menu != nil else { return false }
        menu = nil
        return true
    }

    /// Forgets what is pressed, hovered and focused, because other content is shown.
    package mutating func forgetFocus() { (focus, touch) = (WidgetFocus(), nil) }

    /// Scrolls an open menu by the wheel, in 1/120 of a detent, positive down; returns whether the
    /// menu is open.
    package mutating func turnWheelOnMenu(_ units: Double) -> Bool {
        menu?.drag(by: -units / 120 * Self.menuStep)
        return menu != nil
    }
}
