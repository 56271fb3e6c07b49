/// When a mouse that drags content takes it out of the window, to another program, instead of moving it.
package enum DragOut: Hashable, Sendable {
    case never
    /// With Ctrl at the press.
    case withControl
    /// After a rest with the button down, and with Ctrl.
    case afterRest
    /// Always.
    case always

    /// Whether a drag leaves the window.
    func applies(toRestOf milliseconds: Double, control: Bool, _ settings: GestureConstants) -> Bool
    {
        switch self {
        case .never: false
        case .withControl: control
        case .afterRest: control || milliseconds >= settings.dragOutDelay
        case .always: true
        }
    }
}
