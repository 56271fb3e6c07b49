package import Geometry
import Interface
import Viewer
package import Motion

/// Exploring by touch: a screen reader says what has the focus, so what a finger touches gets the focus.
extension BrowserModel {
    package mutating func read(at point: Point, at moment: Moment) {
        // What nobody sees cannot be found by a finger.
        if mode == .viewer { viewer.showBars(at: moment) }
        let interface = interface(title: "", name: { "\($0)" }, at: moment)
        guard let widget = interface.readable(at: point), widget.id != touched else { return }
        touched = widget.id
        setFocus(widget.id, at: moment)
    }

    package mutating func activate(at moment: Moment, effects: inout [Effect]) {
        let tree = AccessibleTree(interface(title: "", name: { "\($0)" }, at: moment))
        // What the activation opens gets the focus.
        touched = nil
        guard let widget = tree.node(tree.focus) else { return }
        press(widget.id, at: moment, effects: &effects)
    }
}
