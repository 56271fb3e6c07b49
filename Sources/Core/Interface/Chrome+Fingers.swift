import Commands
package import Geometry
package import Gestures
package import Motion

/// Fingers and the pointer on the chrome.
extension Chrome {
    /// The longest time between two taps on a bar, in milliseconds.
    private static let doubleTapTime = 400.0

    /// Handles a gesture that began on the chrome, or the pointer; `bars` are the widgets of the bars.
    package mutating func handle(
        _ gesture: Gesture, bars widgets: @autoclosure () -> [Widget], filmstrip: Rect?,
        at moment: Moment
    ) -> Response {
        chosenFrom = nil
        guard case .chrome(let gesture) = gesture else { return .ignored }
        switch gesture {
        case .down, .dragged, .cancelled: tip = nil
        case .tap, .longPress, .dragEnded, .hover: break
        }
        switch gesture {
        case .down(let point, _):
            press(at: point, widgets(), filmstrip, moment)
        case .dragged(let translation):
            return drag(by: translation, moment)
        case .tap(let point): return tap(at: point, widgets(), moment)
        case .longPress(let point): return rest(at: point, widgets(), moment)
        case .dragEnded, .cancelled:
            defer { (touch, focus.pressed) = (nil, nil) }
            bars.use(at: moment)
            if touch == .filmstrip { return .endScrub }
        case .hover(let point): return hover(point, widgets, moment)
        }
        return .consumed
    }

    /// Shows or hides the controls for the pointer and the keys in menus, depending on what was used
    /// last.
    package mutating func followInput(_ gesture: Gesture) {
        // A pointer leaves when its window does, too.
        if gesture != .chrome(.hover(at: nil)) { usesKeys = false }
        switch gesture {
        case .chrome(.down(_, let isPointer)): layout.usesPointer = isPointer
        case .chrome(.hover(.some)): layout.usesPointer = true
        case .tap(_, let source), .longPress(_, let source): layout.usesPointer = source != .touch
        case .pen: layout.usesPointer = true
        default: break
        }
    }

    private mutating func press(
        at point: Point, _ widgets: [Widget], _ filmstrip: Rect?, _ moment: Moment
    ) {
        bars.use(at: moment)
        let fields = ["zoom", SearchBar.field]
        if target(at: point, widgets, moment).map({ fields.contains($0.id) }) != true {
            endEditing(at: moment)
        }
        if zoomField == nil, !isModal { focus.focused = nil }
        focus.pressed = target(at: point, widgets, moment)?.id
        if shownSheet != nil {
            touch = .pressing
            guard focus.pressed == PromptSheet.fieldIdentifier else { return }
            pressField(at: point, extendsSelection: false, moment)
            touch = .field(point)
        } else if shownSettings != nil {
            touch = .pressing
        } else if let menu, menu.rect.contains(point) {
            touch = .menu(0)
        } else if focus.pressed == nil, filmstrip?.contains(point) == true {
            touch = .filmstrip
        } else {
            touch = focus.pressed == nil ? .bar : .pressing
        }
    }

    private mutating func drag(by translation: Vector, _ moment: Moment) -> Response {
        focus.pressed = nil
        switch touch {
        case .field(let start):
            pressField(at: start + translation, extendsSelection: true, moment)
        case .menu(let handled):
            menu?.drag(by: translation.dy - handled)
            touch = .menu(translation.dy)
        case .filmstrip:
            menu = nil
            return .scrub(translation)
        case .bar:
            touch = .nothing
            return .window(.move)
        case .pressing: touch = .nothing
        case .nothing, nil: break
        }
        return .consumed
    }

    /// A long press is for the free parts of the bars, and for buttons that have only an icon, which say their names.
    ///
    /// Buttons act when the finger lifts, however slow the finger is, but for a finger that stays to read the name.
    private mutating func rest(
        at point: Point, _ widgets: [Widget], _ moment: Moment
    ) -> Response {
        guard touch == .bar else {
            if touch == .pressing { showTip(of: target(at: point, widgets, moment), moment) }
            return .consumed
        }
        touch = .nothing
        return point.y < layout.top ? .window(.showMenu(at: point)) : .consumed
    }

    private mutating func tap(at point: Point, _ widgets: [Widget], _ moment: Moment) -> Response {
        // The pointer may rest where the widgets of the next frame are others.
        defer { (touch, focus.pressed, focus.hovered) = (nil, nil, nil) }
        bars.use(at: moment)
        if touch == .filmstrip {
            guard menu == nil else {
                menu = nil
                return .consumed
            }
            return .tapFilmstrip(point)
        }
        if tip?.wasRead(at: moment) == true { return .consumed }
        tip = nil
        // Only the widget that was pressed acts, if it is still there.
        let target = target(at: point, widgets, moment).flatMap {
            $0.id == focus.pressed ? $0 : nil
        }
        if let menu {
            guard let action = target?.action else {
                // A row that cannot be chosen leaves the menu open.
                if !menu.rect.contains(point) { self.menu = nil }
                return .consumed
            }
            self.menu = nil
            if menu.rect.contains(point) { chosenFrom = menu.place }
            // The button that has opened the menu closes it.
            if case .button(let rect) = menu.place, rect.contains(point) { return .consumed }
            return .act(action)
        }
        if let action = target?.action {
            guard target?.id != PromptSheet.fieldIdentifier else { return .consumed }
            if target?.id == Self.messageAction { endMessage(at: moment) }
            return .act(action)
        }
        guard touch == .bar, point.y < layout.top else { return .consumed }
        defer { lastBarTap = moment }
        if let lastBarTap, moment.seconds(since: lastBarTap) * 1000 < Self.doubleTapTime {
            return .window(.toggleMaximized)
        }
        return .consumed
    }

    /// The pointer has moved to a point, or left the surface.
    private mutating func hover(
        _ point: Point?, _ widgets: () -> [Widget], _ moment: Moment
    ) -> Response {
        guard let point else {
            (focus.hovered, tip) = (nil, nil)
            hovering.quietPlace = nil
            bars.use(at: moment)
            return .consumed
        }
        if !hovering.staysQuiet(at: point) {
            if !bars.isShown { hovering.arrival = moment }
            bars.show(at: moment, isStill: reducesMotion)
        }
        let target = target(at: point, widgets(), moment)
        focus.hovered = target?.id
        pointTip(at: target, moment)
        return .consumed
    }

    // MARK: Taps beside the chrome

    /// Handles a tap that did not begin on the chrome.
    package mutating func tapBeside(at point: Point, _ moment: Moment) -> Response {
        chosenFrom = nil
        if zoomField != nil {
            endEditing(at: moment)
            return .consumed
        }
        if let help {
            let target = help.widget(at: moment).target(at: point)
            if !help.contains(point) { closeHelp(at: moment) }
            return target.flatMap(\.action).map { .act($0) } ?? .consumed
        }
        if menu != nil {
            menu = nil
            return .consumed
        }
        guard panel.isShown else { return .ignored }
        hideInformation(at: moment)
        return .consumed
    }
}
