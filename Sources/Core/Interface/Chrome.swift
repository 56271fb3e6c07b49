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
        /// A free part of the bars was dragged, was tapped twice, or has a finger resting on it.
        case window(WindowRequest)
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
        /// The field of a prompt, and where the finger went down.
        case field(Point)
        /// The drag has left the widget where it began, or a long press has had its effect.
        case nothing
    }

    package internal(set) var layout: BarLayout
    var bars: BarVisibility
    var hovering = HoverMemory()
    package internal(set) var focus = WidgetFocus()
    var panel: InformationPanel
    /// The panel of the viewer while the grid is shown, which has none.
    private var panelOfViewer: InformationPanel?
    @Boxed var overlay: Overlay?
    var toasts = Toasts()
    /// The percentage while a person edits it; nil otherwise.
    package internal(set) var zoomField: TextField?
    /// The field of a search on the grid; nil without one.
    package internal(set) var search: SearchBar?
    /// The number of the latest field, which identifies it for input methods.
    package internal(set) var fieldNumber = 0
    /// The sheet of a prompt; nil while none is shown.
    @Boxed var sheet: PromptSheet?
    /// The settings page; nil while it is not shown.
    @Boxed var settings: SettingsSheet?
    /// Where the menu was opened whose row was chosen last, while that row has its effect.
    var chosenFrom: Menu.Place?
    var touch: Touch?
    /// The name of the button on which a finger or the pointer rests; nil without one.
    var tip: ButtonTip?
    /// Whether a key was used last.
    package internal(set) var usesKeys = false
    /// The last tap on a free part of the bars.
    var lastBarTap: Moment?
    /// What lies below: the grid, over which bars stay, or the viewer.
    package private(set) var mode: CommandMode

    /// The distance of the ring of the focus from the filmstrip, in logical pixels.
    private static let ringDistance = 4.0
    /// The identifier of the filmstrip.
    static let filmstrip = "filmstrip"

    /// The chrome of a surface, without bars at first unless they stay.
    package init(_ mode: CommandMode, on layout: BarLayout) {
        self.mode = mode
        self.layout = layout
        bars = BarVisibility(isPermanent: mode == .grid)
        panel = InformationPanel(on: layout)
    }

    /// Whether motions end at once; those that have begun go on.
    package var reducesMotion: Bool {
        get { layout.reducesMotion }
        set {
            var layout = layout
            layout.reducesMotion = newValue
            set(layout)
        }
    }

    /// Lies over the grid or the viewer from now on.
    ///
    /// Messages, the prompt and the settings page stay. The information panel of the viewer waits for the
    /// viewer. All else ends.
    package mutating func move(over mode: CommandMode, at moment: Moment) {
        guard mode != self.mode else { return }
        toasts.setPictureMessage(nil, at: moment)
        self.mode = mode
        bars = BarVisibility(isPermanent: mode == .grid)
        hovering = HoverMemory()
        (overlay, touch, tip, zoomField) = (nil, nil, nil, nil)
        search?.isEdited = false
        (chosenFrom, lastBarTap) = (nil, nil)
        focus = WidgetFocus()
        if mode == .grid {
            panelOfViewer = panel
            panel = InformationPanel(on: layout)
        } else if var left = panelOfViewer {
            left.set(layout)
            (panel, panelOfViewer) = (left, nil)
        }
    }

    /// Sets the surface and the looks; closes the menu if the surface has changed.
    package mutating func set(_ layout: BarLayout) {
        guard layout != self.layout else { return }
        if layout.surface != self.layout.surface { (menu, tip) = (nil, nil) }
        self.layout = layout
        panel.set(layout)
        help?.resize(to: layout)
        sheet?.resize(to: layout)
        settings?.resize(to: layout)
    }

    // MARK: Bars

    package var showsBars: Bool { bars.isShown }

    /// The opacity of the bars, 0…1.
    package func barShare(at moment: Moment) -> Double { bars.share(at: moment) }

    package mutating func toggleBars(at moment: Moment) {
        if bars.isShown {
            bars.hide(at: moment, isStill: reducesMotion)
        } else {
            showBars(at: moment)
        }
        if !bars.isShown { focus = WidgetFocus() }
    }

    package mutating func showBars(at moment: Moment) {
        bars.show(at: moment, isStill: reducesMotion)
    }

    /// Shows or hides the bars for a tap of a pen at a point of the surface.
    package mutating func toggleBars(byPenAt point: Point, _ moment: Moment) {
        if bars.isShown, hovering.isApproach(at: moment) {
            hovering.arrival = nil
            return bars.use(at: moment)
        }
        toggleBars(at: moment)
        hovering.quietPlace = bars.isShown ? nil : point
    }

    /// Keeps the bars for the tap that a finger begins: a tap that was meant to hide them would show them
    /// again if they left before it was known to be a single tap.
    package mutating func keepBarsForTap(at moment: Moment) {
        bars.respite = moment.advanced(byMilliseconds: Self.longestTap)
    }

    /// The finger that has landed is no tap.
    package mutating func expectNoTap() { bars.respite = nil }

    /// More than a tap and the time for a second tap take, in milliseconds.
    private static let longestTap = 1000.0

    /// Shows bars that stay, or lets them leave again; bars over the grid always stay.
    package mutating func keepBars(_ keeps: Bool, at moment: Moment) {
        guard mode == .viewer else { return }
        bars.isPermanent = keeps
        bars.show(at: moment, isStill: reducesMotion)
        (menu, focus, touch) = (nil, WidgetFocus(), nil)
    }

    /// Hides the bars, the menu, the help and the message about the picture; what lies over the grid stays.
    package mutating func hide(at moment: Moment) {
        guard mode == .viewer else { return }
        bars.hide(at: moment, isStill: reducesMotion)
        (overlay, touch, tip, zoomField) = (nil, nil, nil, nil)
        focus = WidgetFocus()
        toasts.setPictureMessage(nil, at: moment)
    }

    /// Whether the bars stay although nobody uses them.
    private var isInUse: Bool {
        touch != nil || focus.hovered != nil || focus.focused != nil || !$overlay.isNil
            || zoomField != nil || isModal
    }

    /// The areas of the surface where touches are for the chrome and not for the content; `bars` are
    /// those of the bars.
    package func area(
        bars areas: @autoclosure () -> [Rect], at moment: Moment
    ) -> ChromeArea {
        if isPromptShown, let sheet { return ChromeArea(sheet.areas(at: moment)) }
        if showsSettings, let settings {
            return ChromeArea(settings.areas(at: moment) + messageArea(above: []))
        }
        guard !showsHelp else { return ChromeArea() }
        let bars = bars.isShown ? areas() : []
        var rects = bars
        if panel.isShown, let rect = panel.rect(at: moment) {
            // On small surfaces the panel covers bars.
            rects.removeAll { !$0.intersection(rect).isEmpty }
            rects += panel.titleRow(at: moment).filter { $0.action != nil }.map(\.rect)
            rects += panel.activeAreas(at: moment)
        }
        rects += messageArea(above: bars)
        if let menu { rects.append(menu.rect) }
        return ChromeArea(rects)
    }

    // MARK: Widgets

    /// The widgets over these bars, from the bottom to the top.
    package func overlays(above bars: [Widget] = [], at moment: Moment) -> [Widget] {
        [
            panelWidget(at: moment), showsSettings ? nil : message(above: rects(of: bars)),
            menu?.widget,
            help?.widget(at: moment), modalWidget(at: moment), messageOverSheet,
        ].compactMap(\.self)
    }

    /// The rectangles of the bars that are shown.
    private func rects(of widgets: [Widget]) -> [Rect] {
        guard bars.isShown else { return [] }
        return widgets.filter { $0.role == .toolBar || $0.id == Self.filmstrip }.map(\.rect)
    }

    /// The identifier of the widget with the focus; nil without one.
    package var focusedWidget: String? {
        shownSheet?.focusedWidget ?? shownSettings?.focus ?? focus.focused
    }

    /// Whether a modal sheet is shown, which gets all input.
    package var isModal: Bool { isPromptShown || showsSettings }

    /// The modal sheet, which gets all input; nil while none is shown.
    func modalWidget(at moment: Moment) -> Widget? {
        shownSheet?.widget(at: moment) ?? shownSettings?.widget(at: moment)
    }

    /// The uppermost widget with an action at a point of the surface.
    func target(at point: Point, _ bars: [Widget], _ moment: Moment) -> Widget? {
        if let message = messageOverSheet, message.rect.contains(point) {
            return message.target(at: point)
        }
        if let modal = modalWidget(at: moment) { return modal.target(at: point) }
        let shown = (self.bars.isShown ? bars : []) + overlays(above: bars, at: moment)
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
        let items = layers(bars: widgets(), opacity: opacity, at: moment)
        return items.bars + items.above
    }

    /// What is shown, from the bottom to the top: the bars, and what lies above them and above the pictures of the
    /// filmstrip.
    package func layers(
        bars widgets: @autoclosure () -> [Widget], opacity: Double = 1, at moment: Moment
    ) -> (bars: [SceneItem], above: [SceneItem]) {
        var items: [SceneItem] = []
        let share = self.bars.share(at: moment) * opacity
        // What lies below a sheet takes no input.
        let focus = isModal ? WidgetFocus() : focus
        let widgets = share > 0 || toasts.current != nil ? widgets() : []
        if share > 0 {
            for var widget in widgets {
                if widget.face == .none {
                    guard widget.id == focus.focused else { continue }
                    // The pictures of the filmstrip cover its area, so the ring is around them.
                    widget.rect = widget.rect.inset(by: -Self.ringDistance)
                }
                var layer = widget.layer(layout.theme, focus, opacity: share)
                layer.rect.y += slide(of: widget.rect) * (1 - self.bars.share(at: moment))
                items.append(.layer(layer))
            }
        }
        let bars = items
        items = panel.items(focus, at: moment)
        let message = showsSettings ? nil : message(above: rects(of: widgets))
        for widget in [message, menu?.widget] {
            if let widget { items.append(.layer(widget.layer(layout.theme, focus))) }
        }
        if let widget = help?.widget(at: moment) {
            items += [
                SheetReveal.veil(on: layout, share: 1), .layer(widget.layer(layout.theme, focus)),
            ]
        }
        items += settingsItems(at: moment)
        if let messageOverSheet {
            items.append(.layer(messageOverSheet.layer(layout.theme, self.focus)))
        }
        items += promptItems(at: moment)
        if let tip = tipWidget(at: moment) {
            items.append(.layer(tip.layer(layout.theme, WidgetFocus())))
        }
        return (bars, items)
    }

    /// The items of a frame, in which all that lies below a sheet is dimmed alike.
    package func dimmed(_ items: [SceneItem], at moment: Moment) -> [SceneItem] {
        guard help != nil || !$settings.isNil || !$sheet.isNil else { return items }
        let shares = [
            help == nil ? nil : 1, settings?.reveal.share(at: moment),
            sheet?.reveal.share(at: moment),
        ].compactMap(\.self).filter { $0 > 0 }
        var (items, start) = (items, 0)
        for share in shares {
            let veil = SheetReveal.veil(on: layout, share: share)
            guard let place = items[start...].firstIndex(of: veil) else { continue }
            SheetReveal.dimLayers(of: &items[..<place], share: share)
            start = place + 1
        }
        return items
    }

    /// How far bars are displaced when they are hidden, in logical pixels: towards their edge.
    private func slide(of rect: Rect) -> Double {
        if rect.maxY <= layout.top { return -layout.top }
        return rect.y > layout.surface.height / 2 ? layout.surface.height - rect.y : 0
    }

    // MARK: Time

    /// Whether the content of a panel scrolls, so that a touch would stop it.
    package func isScrolling(at moment: Moment) -> Bool {
        if isPromptShown, let sheet { return sheet.isScrolling(at: moment) }
        if showsSettings, let settings { return settings.area.isScrolling(at: moment) }
        if let help { return help.isScrolling(at: moment) }
        return panel.isScrolling(at: moment)
    }

    /// Whether the next frame can differ from this one without any event.
    package func isAnimating(at moment: Moment) -> Bool {
        panel.isAnimating(at: moment) || bars.isAnimating(at: moment)
            || help?.isScrolling(at: moment) == true
            || !$sheet.isNil && sheet?.isAnimating(at: moment) == true
            || !$settings.isNil && settings?.isAnimating(at: moment) == true
    }

    /// When the bars or the message disappear; nil while they stay.
    package var deadline: Moment? {
        let ends = [
            usesMessage ? nil : toasts.end, isInUse ? nil : bars.deadline,
            currentTip?.start ?? currentTip?.end,
        ].compactMap(\.self)
        return ends.min()
    }

    /// Ends the motions and the message that are over at `moment`, and hides bars that nobody uses.
    package mutating func advance(to moment: Moment) {
        panel.advance(to: moment)
        help?.advance(to: moment)
        if !$sheet.isNil {
            sheet?.advance(to: moment)
            if sheet?.reveal.isOver(at: moment) == true { sheet = nil }
        }
        if !$settings.isNil {
            settings?.advance(to: moment)
            if settings?.reveal.isOver(at: moment) == true { settings = nil }
        }
        if let start = tip?.start, moment >= start { tip?.start = nil }
        if let end = tip?.end, moment >= end { tip = nil }
        toasts.advance(to: moment, isInUse: usesMessage)
        bars.advance(to: moment, isInUse: isInUse, isStill: reducesMotion)
    }
}
