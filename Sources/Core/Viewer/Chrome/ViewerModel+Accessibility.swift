import Geometry
package import Interface
package import Motion

/// What assistive technology asks of the widgets of the viewer.
extension ViewerModel {
    /// Presses a widget.
    package mutating func press(_ widget: Widget, at moment: Moment, effects: inout [ViewerEffect])
    {
        perform(chrome.press(widget, at: moment), at: moment, effects: &effects)
    }

    /// Gives the focus to a widget.
    package mutating func setFocus(_ widget: Widget, at moment: Moment) {
        // Keys act on the picture while no other widget has the focus.
        widget.id == "picture" ? chrome.forgetFocus() : chrome.setFocus(widget, at: moment)
    }

    /// Shows the bars, unless the picture leaves or arrives, or is cropped.
    package mutating func showBars(at moment: Moment) {
        if zoomPan.isShown, !isCropping { chrome.showBars(at: moment) }
    }

    /// Replaces the text of a field; a field that is not edited is edited then.
    package mutating func setText(
        _ text: String, of widget: Widget, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        if widget.id == "zoom", chrome.zoomField == nil {
            press(widget, at: moment, effects: &effects)
        }
        chrome.setText(text, of: widget)
    }

    /// Sets the number of a widget: the angle of the dial in degrees, the zoom in percent.
    package mutating func setValue(
        _ value: Double, of widget: Widget, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        guard chrome.isReachable(widget.id, at: moment) else { return }
        switch widget.id {
        case CropBars.dial: crop?.model.straighten(to: value, at: moment)
        case "zoom":
            chrome.endEditing(at: moment)
            zoom(to: value / 100 / viewport.scale, about: viewport.center, at: moment)
        default:
            perform(chrome.setValue(value, of: widget, at: moment), at: moment, effects: &effects)
        }
    }
}
