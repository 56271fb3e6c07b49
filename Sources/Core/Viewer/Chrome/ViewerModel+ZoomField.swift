import Commands
import Geometry
package import Input
package import Interface
import Localization
package import Motion
import SceneModel

/// The percentage of the zoom control, which a person can edit.
extension ViewerModel {
    /// Handles a key while the percentage is edited; returns whether the key was for the field.
    mutating func handleInField(_ key: KeyEvent, at moment: Moment) -> Bool {
        switch chrome.handleInField(key, at: moment) {
        case nil: return false
        case .consumed: break
        case .zoom(let percent): zoom(toPercent: percent, at: moment)
        }
        return true
    }

    /// Zooms about the centre to so many device pixels per hundred picture pixels.
    mutating func zoom(toPercent percent: Double, at moment: Moment) {
        let zoom = percent / 100 / viewport.scale
        chosenZoom = zoom
        self.zoom(to: zoom, about: viewport.center, at: moment)
    }

    /// The percentages of the menu of zoom steps.
    private static let percentages = [5, 10, 25, 50, 75, 100, 150, 200, 300, 400, 800, 1600, 3200]

    /// The zooms that depend on the surface, with their percentages, and the percentages that are possible.
    var zoomItems: [Menu.Item] {
        let (limits, scale) = (goalLimits, viewport.scale * 100)
        func percent(_ zoom: Double) -> Int { Int(clamping: (zoom * scale).rounded()) }
        let current = percent(zoomPan.goal.zoom)
        let range = limits.range.lowerBound * scale...limits.range.upperBound * scale
        let named: [(Command, Int)] = [(.fit, percent(limits.fit)), (.fill, percent(limits.fill))]
        let steps = Self.percentages.filter { range.contains(Double($0)) }
        return Menu.Item.sections([
            named.filter { policy.allows($0.0) }.map { command, percent in
                Menu.Item(
                    title: CommandTable.entry(of: command).title, action: .command(command),
                    detail: percentage(percent), isChecked: percent == current)
            },
            steps.map {
                Menu.Item(
                    title: percentage($0), action: .zoom(percent: $0), isChecked: $0 == current)
            },
        ])
    }

    package mutating func handle(
        _ input: TextInputEvent, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        if !chrome.handleInPrompt(input) { chrome.handleInField(input) }
    }

    /// The text field for the input method; nil while no field is edited.
    package func textInput(at moment: Moment) -> TextInputState? {
        if let prompt = chrome.promptInput(at: moment) { return prompt }
        guard let field = chrome.zoomField else { return nil }
        let caret = bars(at: moment).caret ?? Rect(origin: viewport.center, size: .zero)
        return field.inputState(
            field: chrome.fieldNumber, purpose: .number, cursorRect: caret)
    }
}
