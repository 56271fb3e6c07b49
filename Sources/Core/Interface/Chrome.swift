package import Commands
package import Geometry
package import Gestures
package import Motion
package import SceneModel

/// What lies over the content: bars, menu, information panel, help and messages.
///
/// The owner lays out the bars, and passes them wherever the chrome needs to know what a point or a key
/// means. The chrome keeps what lasts: what is shown, pressed, hovered and focused.
package struct Chrome: Hashable, Sendable {
    /// What the owner of the chrome does after an input.
    package enum Response: Hashable, Sendable {
        /// The input is not for the chrome.
        case ignored
        /// The chrome has handled the input.
        case consumed
        case act(Widget.Action)
        /// A finger or the pointer drags a free part of the bars, which moves the window.
        case moveWindow
        /// A free part of the bars was tapped twice.
        case toggleMaximized
        /// A finger rests on a free part of the bar at the top.
        case showWindowMenu(at: Point)
        /// The filmstrip is dragged; the distance from where the drag began, in logical pixels.
        case scrub(Vector)
        /// A cell of the filmstrip was tapped, at a point of the surface.
        case tapFilmstrip(Point)
        /// The filmstrip was let go.
        case endScrub
        /// A key chooses a picture of the filmstrip.
        case choose(FilmstripStep)
    }

    /// A step along the filmstrip.
    package enum FilmstripStep: Hashable, Sendable { case previous, next, first, last }

    /// What a finger on the chrome does.
    enum Touch: Hashable, Sendable {
        case pressing
        /// The translation that was handled so far.
        case menu(Double)
        case filmstrip
        case bar
        /// The drag has left the widget where it began, or a long press has had its effect.
        case nothing
    }

    package internal(set) var layout: BarLayout
    var bars: BarVisibility
    package internal(set) var focus = WidgetFocus()
    var menu: Menu?
    var panel: InformationPanel
    var help: HelpSheet?
    var toasts = Toasts()
    /// The percentage while a person edits it; nil otherwise.
    package internal(set) var zoomField: TextField?
    /// How many times the editing has begun, which identifies the field for input methods.
    package internal(set) var zoomFieldNumber = 0
    var touch: Touch?
    /// Whether a key was used last.
    var usesKeys = false
    /// The last tap on a free part of the bars.
    var lastBarTap: Moment?
    private let mode: CommandMode
    /// Whether panels and bars move at once; motions that have begun go on.
    package var reducesMotion: Bool {
        didSet {
            bars.reducesMotion = reducesMotion
            panel.reducesMotion = reducesMotion
            help?.reducesMotion = reducesMotion
        }
    }

    /// A wheel detent scrolls the menu by this distance, in logical pixels.
    private static let menuStep = 80.0
    /// The distance of the ring of the focus from the filmstrip, in logical pixels.
    private static let ringDistance = 4.0
    /// The identifier of the filmstrip.
    static let filmstrip = "filmstrip"

    /// The chrome of a surface, without bars at first unless they are `permanent`.
    package init(
        _ mode: CommandMode, on layout: BarLayout, reducesMotion: Bool, isPermanent: Bool = false
    ) {
        self.mode = mode
        self.layout = layout
        self.reducesMotion = reducesMotion
        bars = BarVisibility(isPermanent: isPermanent, reducesMotion: reducesMotion)
        panel = InformationPanel(on: layout, reducesMotion: reducesMotion)
    }

    /// Sets the surface and the looks; closes the menu if the surface has changed.
    package mutating func set(_ layout: BarLayout) {
        guard layout != self.layout else { return }
        if layout.surface != self.layout.surface { menu = nil }
        self.layout = layout
        panel.set(layout)
        help?.resize(to: layout)
    }

    // MARK: Bars

    package var showsBars: Bool { bars.isShown }

    /// The opacity of the bars, 0…1.
    package func barShare(at moment: Moment) -> Double { bars.share(at: moment) }

    package mutating func toggleBars(at moment: Moment) {
        bars.isShown ? bars.hide(at: moment) : bars.show(at: moment)
        if !bars.isShown { focus = WidgetFocus() }
    }

    package mutating func showBars(at moment: Moment) { bars.show(at: moment) }

    /// Hides the bars, the menu, the help and the message about the picture.
    package mutating func hide(at moment: Moment) {
        bars.hide(at: moment)
        (menu, help, touch, zoomField) = (nil, nil, nil, nil)
        focus = WidgetFocus()
        toasts.setPictureMessage(nil, at: moment)
    }

    /// Whether the bars stay although nobody uses them.
    private var isInUse: Bool {
        touch != nil || focus.hovered != nil || focus.focused != nil || menu != nil || help != nil
            || zoomField != nil
    }

    /// The areas of the surface where touches are for the chrome and not for the content; `bars` are
    /// those of the bars.
    package func area(
        bars areas: @autoclosure () -> [Rect], at moment: Moment
    ) -> ChromeArea {
        guard help == nil else { return ChromeArea() }
        var rects = bars.isShown ? areas() : []
        if panel.isShown, let rect = panel.rect(at: moment) {
            // On small surfaces the panel covers bars.
            rects.removeAll { !$0.intersection(rect).isEmpty }
            rects += panel.titleRow(at: moment).filter { $0.action != nil }.map(\.rect)
        }
        if let toast = toastWidget, toast.children.count > 1 { rects.append(toast.rect) }
        if let menu { rects.append(menu.rect) }
        return ChromeArea(rects)
    }

    // MARK: Messages

    /// Shows a message about the picture for a limited time instead of the last one; nil shows none.
    package mutating func show(message text: String?, at moment: Moment) {
        toasts.setPictureMessage(text, at: moment)
    }

    /// Shows a message after those that are shown.
    package mutating func show(_ toast: Toast, at moment: Moment) { toasts.add(toast, at: moment) }

    /// Shows the messages of another chrome, apart from those about a picture; the other chrome has
    /// none then.
    package mutating func receiveMessages(from other: inout Chrome, at moment: Moment) {
        toasts.receive(from: &other.toasts, at: moment)
    }

    /// The text of the message; nil while none is shown.
    package var messageText: String? { toasts.current?.text }

    /// Whether the message has the focus or is about to be pressed: it stays then.
    private var usesMessage: Bool {
        [focus.focused, focus.hovered, focus.pressed].contains(Self.messageAction)
    }

    /// The identifier of the button in a message.
    static let messageAction = "toast-action"

    /// Ends the message that is shown, because its button was pressed.
    mutating func endMessage(at moment: Moment) {
        toasts.endCurrent(at: moment)
        // The next message may have a button, too, which nobody has chosen.
        focus = WidgetFocus()
    }

    var toastWidget: Widget? {
        guard let toast = toasts.current else { return nil }
        let offset = bars.isShown && mode == .viewer ? 2 * Theme.target : Theme.target / 2
        let center = Point(
            x: layout.surface.width / 2,
            y: max(layout.surface.height - offset - Theme.target, layout.surface.height / 2))
        return MessageBox.widget(
            "toast", .notification, toast.text, about: center, layout,
            action: toast.undo.map { ("Undo", .command($0)) })
    }

    // MARK: Menu

    /// Opens a menu at a point of the surface, in logical pixels; without the keys of its items where
    /// it is opened by touch.
    package mutating func openMenu(_ items: [Menu.Item], at point: Point) {
        menu = Menu(
            items, at: point, on: layout, showsDetails: usesKeys || layout.usesPointer)
    }

    package mutating func closeMenu() { menu = nil }

    /// Forgets what is pressed, hovered and focused, because other content is shown.
    package mutating func forgetFocus() { (focus, touch) = (WidgetFocus(), nil) }

    package var showsMenu: Bool { menu != nil }

    /// Scrolls an open menu by the wheel, in 1/120 of a detent, positive down; returns whether the
    /// menu is open.
    package mutating func turnWheelOnMenu(_ units: Double) -> Bool {
        menu?.drag(by: -units / 120 * Self.menuStep)
        return menu != nil
    }

    // MARK: Help

    package var showsHelp: Bool { help != nil }

    package mutating func toggleHelp(at moment: Moment) {
        menu = nil
        help = help == nil ? HelpSheet(mode, on: layout, reducesMotion: reducesMotion) : nil
        bars.use(at: moment)
    }

    package mutating func closeHelp(at moment: Moment) {
        help = nil
        bars.use(at: moment)
    }

    // MARK: Widgets

    /// The widgets over the bars, from the bottom to the top.
    package func overlays(at moment: Moment) -> [Widget] {
        [panelWidget(at: moment), toastWidget, menu?.widget, help?.widget(at: moment)]
            .compactMap(\.self)
    }

    /// The uppermost widget with an action at a point of the surface.
    func target(at point: Point, _ bars: [Widget], _ moment: Moment) -> Widget? {
        let shown = (self.bars.isShown ? bars : []) + overlays(at: moment)
        for widget in shown.reversed() where widget.rect.contains(point) {
            return widget.target(at: point)
        }
        return nil
    }

    /// All that is shown at `moment`, from the bottom to the top.
    ///
    /// `opacity` is that of the bars, 0…1.
    package func items(
        bars widgets: @autoclosure () -> [Widget], opacity: Double = 1, at moment: Moment
    ) -> [SceneItem] {
        var items: [SceneItem] = []
        let share = bars.share(at: moment) * opacity
        if share > 0 {
            for var widget in widgets() {
                if widget.face == .none {
                    guard widget.id == focus.focused else { continue }
                    // The pictures of the filmstrip cover its area, so the ring is around them.
                    widget.rect = widget.rect.inset(by: -Self.ringDistance)
                }
                var layer = widget.layer(layout.theme, focus, opacity: share)
                layer.rect.y += slide(of: widget.rect) * (1 - bars.share(at: moment))
                items.append(.layer(layer))
            }
        }
        items += panel.items(focus, at: moment)
        for widget in overlays(at: moment) where widget.id != InformationPanel.identifier {
            items.append(.layer(widget.layer(layout.theme, focus)))
        }
        return items
    }

    /// How far bars are displaced when they are hidden, in logical pixels: towards their edge.
    private func slide(of rect: Rect) -> Double {
        if rect.maxY <= BarLayout.top { return -BarLayout.top }
        return rect.y > layout.surface.height / 2 ? layout.surface.height - rect.y : 0
    }

    // MARK: Time

    /// Whether the content of a panel scrolls, so that a touch would stop it.
    package func isScrolling(at moment: Moment) -> Bool {
        help?.isScrolling(at: moment) ?? panel.isScrolling(at: moment)
    }

    /// Whether the next frame can differ from this one without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        panel.isAnimating(at: moment) || bars.isAnimating(at: moment)
            || help?.isScrolling(at: moment) == true
    }

    /// When the bars or the message disappear; nil while they stay.
    package var deadline: Moment? {
        let ends = [usesMessage ? nil : toasts.end, isInUse ? nil : bars.deadline].compactMap(
            \.self)
        return ends.min()
    }

    /// Ends the motions and the message that are over at `moment`, and hides bars that nobody uses.
    package mutating func advance(to moment: Moment) {
        panel.advance(to: moment)
        help?.advance(to: moment)
        toasts.advance(to: moment, isInUse: usesMessage)
        bars.advance(to: moment, isInUse: isInUse)
    }
}
