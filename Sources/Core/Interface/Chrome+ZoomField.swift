package import Input
package import Motion

/// The percentage of the zoom control while a person edits it.
extension Chrome {
    /// The longest text of the field, in characters.
    private static let longest = 8

    /// Begins to edit a percentage; typing replaces it.
    package mutating func editZoom(_ percent: Int, at moment: Moment) {
        zoomField = TextField(
            "\(percent)", limit: Self.longest, filter: .percentage(decimalSeparator: "."))
        fieldNumber += 1
        focus.focused = "zoom"
        bars.show(at: moment, isStill: reducesMotion)
    }

    package mutating func endEditing(at moment: Moment) {
        endSearchEditing()
        guard zoomField != nil else { return }
        zoomField = nil
        if focus.focused == "zoom" { focus.focused = nil }
        bars.use(at: moment)
    }

    /// Handles a key while the percentage is edited; nil where the key is not for the field, and a
    /// percentage when the person has confirmed one.
    package mutating func handleInField(_ key: KeyEvent, at moment: Moment) -> FieldResponse? {
        guard var field = zoomField else { return nil }
        switch field.handle(key) {
        // Releases, modifier keys and commands without a text; Tab ends the editing.
        case .ignored: return nil
        case .consumed: zoomField = field
        case .committed:
            let percent = Self.percent(field.commit())
            endEditing(at: moment)
            return percent.map { .zoom($0) } ?? .consumed
        case .cancelled: endEditing(at: moment)
        }
        return .consumed
    }

    package enum FieldResponse: Hashable, Sendable {
        case consumed
        /// A percentage was confirmed.
        case zoom(Double)
    }

    /// Handles what an input method sends.
    package mutating func handleInField(_ input: TextInputEvent) {
        _ = zoomField?.handle(input)
    }

    /// The number in a text such as "150" or "66.7 %"; nil where there is none above 0.
    static func percent(_ text: String) -> Double? {
        let number = Double(text.filter { $0 != "%" && $0 != " " })
        return number.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
}
