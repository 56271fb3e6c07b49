package import Geometry

/// An event from the compositor, with Wayland's names.
///
/// One event is one line of a gesture script. Positions are surface-local logical pixels.
package enum InputEvent: Hashable, Sendable {
    case touch(TouchEvent)
    case pinch(PinchEvent)
    case swipe(SwipeEvent)
    case hold(HoldEvent)
    case pointer(PointerEvent)
    case pen(PenEvent)
    case key(KeyEvent)
    /// The modifiers in effect: those of held keys, latched ones and locked ones.
    case modifiers(KeyEvent.Modifiers)
    /// A change by an input method, such as an on-screen keyboard.
    case textInput(TextInputEvent)
    /// A configure: the surface's new logical size.
    case resize(Size)
    /// The compositor prefers this many device pixels per logical pixel.
    case scale(Double)
}

/// One `wl_touch` event.
///
/// Events take effect with the next `frame`; `cancel` takes effect without one.
package enum TouchEvent: Hashable, Sendable {
    /// `id` is unique among the contacts that are down, across all seats.
    case down(id: Int, at: Point)
    case move(id: Int, to: Point)
    case up(id: Int)
    /// The ellipse of a contact: its axes in logical pixels.
    case shape(id: Int, major: Double, minor: Double)
    case frame
    /// The compositor takes all contacts away; nothing that they have begun may be completed.
    case cancel
}

/// One `zwp_pointer_gesture_pinch_v1` event of a touchpad.
package enum PinchEvent: Hashable, Sendable {
    case begin(fingers: Int)
    /// `delta` (logical pixels) and `rotation` (degrees clockwise) are relative to the previous
    /// event, `scale` is relative to `begin`.
    case update(delta: Vector, scale: Double, rotation: Double)
    case end(cancelled: Bool)
}

/// One `zwp_pointer_gesture_swipe_v1` event of a touchpad.
package enum SwipeEvent: Hashable, Sendable {
    case begin(fingers: Int)
    case update(delta: Vector)
    case end(cancelled: Bool)
}

/// One `zwp_pointer_gesture_hold_v1` event of a touchpad.
package enum HoldEvent: Hashable, Sendable {
    case begin(fingers: Int)
    case end(cancelled: Bool)
}

package enum Axis: String, Hashable, Sendable, CaseIterable {
    case vertical
    case horizontal
}

package enum AxisSource: String, Hashable, Sendable, CaseIterable {
    case wheel
    case finger
    case continuous
}

package enum PointerButton: String, Hashable, Sendable, CaseIterable {
    case left
    case right
    case middle
}

/// One `wl_pointer` event.
package enum PointerEvent: Hashable, Sendable {
    case move(to: Point)
    case leave
    case button(PointerButton, isDown: Bool)
    /// `value` in logical pixels, positive down and right; `value120` in 1/120 of a wheel detent.
    case axis(Axis, value: Double, source: AxisSource, value120: Int?)
    /// The fingers left the touchpad along this axis.
    case axisStop(Axis)
}

/// A key event with its XKB keysym name and the text that it types.
///
/// The name is that of `xkb_keysym_get_name` after the layout and the shift level are applied
/// ("plus", "Right", "R"). Commands go by the name, text fields by the text: after a dead key the
/// key named "e" types "é".
package struct KeyEvent: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// Press and release: a `key` line of a script without an action.
        case click
        case down
        case up
        /// The key is held, and the repeat timer has fired.
        case repeated
    }

    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let shift = Modifiers(rawValue: 1)
        package static let control = Modifiers(rawValue: 2)
        package static let alt = Modifiers(rawValue: 4)
        package static let logo = Modifiers(rawValue: 8)
    }

    package var name: String
    package var modifiers: Modifiers
    package var action: Action
    /// The text that the key types; empty if it types none.
    package var text: String
    /// Whether the key belongs to an unfinished or cancelled sequence of composed keys, which a text
    /// field consumes without effect.
    package var isComposing: Bool
    /// The keysym name in the active keyboard layout, if `name` is that of a Latin layout: the name
    /// "r" of a key that types "к".
    package var localName: String?
    /// The keysym name in a Latin layout of a key that types punctuation in a layout without Latin letters:
    /// the name "q" of a key that types "/" in Hebrew.
    package var latinName: String?

    /// A key event; without `text` the key types the usual text of its name.
    package init(
        name: String, modifiers: Modifiers = [], action: Action = .click, text: String? = nil,
        isComposing: Bool = false, localName: String? = nil, latinName: String? = nil
    ) {
        self.name = name
        self.localName = localName
        self.latinName = latinName
        self.modifiers = modifiers
        self.action = action
        self.isComposing = isComposing
        let types = action != .up && !isComposing && modifiers.isDisjoint(with: Self.silencing)
        self.text = text ?? (types ? Self.text(ofName: name) : "")
    }
}
