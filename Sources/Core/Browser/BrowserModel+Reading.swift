package import Geometry
package import Interface
import Viewer
package import Motion

/// Exploring by touch: a screen reader says what has the focus, so what a finger touches gets the focus.
extension BrowserModel {
    package mutating func read(at point: Point, at moment: Moment) {
        // A finger cannot find hidden bars.
        if mode == .viewer { viewer.showBars(at: moment) }
        let interface = interface(title: "", name: { "\($0)" }, at: moment)
        guard let widget = interface.readable(at: point), widget.id != touched else { return }
        touched = widget.id
        setFocus(widget, at: moment)
    }

    package mutating func activate(at moment: Moment, effects: inout [ViewerEffect]) {
        prepareForKey(at: moment)
        let interface = interface(title: "", name: { "\($0)" }, at: moment)
        let tree = AccessibleTree(interface)
        // What the activation opens gets the focus.
        touched = nil
        guard let node = tree.node(tree.focus), let widget = interface.widget(node.id) else {
            return
        }
        press(widget, at: moment, effects: &effects)
    }
}
