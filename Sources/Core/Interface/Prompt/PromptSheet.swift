import Geometry
import Gestures
import Motion

/// The sheet that asks a prompt: in the middle of the surface, or at the bottom of a narrow one.
///
/// While it is shown, all input belongs to it. An answer lets it leave, unless the owner asks again at
/// once; a progress stays until the owner takes it away.
package struct PromptSheet: Hashable, Sendable {
    /// A widget that can receive keys.
    enum Focus: Hashable, Sendable {
        case field, confirm, cancel
        /// A row of the choices.
        case row(Int)
        /// A number of stars.
        case stars(Int)
    }

    private(set) var prompt: Prompt
    private(set) var layout: BarLayout
    private(set) var places: PromptLayout
    /// The text that is edited; nil without a field.
    var field: TextField?
    /// The number of the field, which identifies it for input methods.
    let fieldNumber: Int
    var focus: Focus
    /// Whether a person has moved the focus, which then stays.
    private var hasMovedFocus = false
    var area = ScrollArea()
    /// Whether a progress was asked to stop.
    private(set) var isStopping = false
    private(set) var reveal = SheetReveal()

    init(
        _ prompt: Prompt, on layout: BarLayout, fieldNumber: Int, at moment: Moment
    ) {
        self.prompt = prompt
        self.layout = layout
        self.fieldNumber = fieldNumber
        places = PromptLayout(prompt, on: layout)
        field = Self.field(of: prompt)
        focus = .cancel
        focus = safest
        resizeContent()
        revealFocus(at: nil)
        reveal.show(at: moment, isStill: layout.reducesMotion)
    }

    /// Whether the sheet takes input; a sheet that leaves does not.
    var isShown: Bool { reveal.isShown }

    // MARK: Content

    /// The longest text of a field: the longest name of a file in most file systems, in bytes.
    private static let longest = 255

    private static func field(of prompt: Prompt) -> TextField? {
        prompt.field.map { text in
            var field = TextField(text, limit: longest)
            field.select(from: 0, to: prompt.selected > 0 ? prompt.selected : field.count)
            return field
        }
    }

    /// The widget that has the focus at first: one that loses nothing by a key.
    private var safest: Focus {
        if prompt.field != nil { return .field }
        if prompt.purpose == .rate { return shownStars.map { Focus.stars($0) } ?? .cancel }
        if let first = prompt.firstChoice, prompt.choices.indices.contains(first) {
            return .row(first)
        }
        return prompt.confirm != nil && !prompt.isDestructive ? .confirm : .cancel
    }

    /// The stars that are shown; nil where no number is.
    var shownStars: Int? { prompt.rating.map { min(max($0, 0), Prompt.mostStars) } }

    /// Whether another prompt continues this one: focus, text and scroll offset stay.
    func continues(with next: Prompt) -> Bool {
        guard next.purpose == prompt.purpose else { return false }
        guard let field else { return next.field == nil && isShown }
        return next.field == prompt.field || next.field == field.text
    }

    /// Shows a prompt that continues the one before.
    mutating func update(_ prompt: Prompt, at moment: Moment) {
        guard prompt != self.prompt || !isShown else { return }
        let isOther = prompt.subject != self.prompt.subject
        self.prompt = prompt
        places = PromptLayout(prompt, on: layout)
        let followsStars = prompt.purpose == .rate && !hasMovedFocus
        let former = focus
        if isOther { (area, hasMovedFocus) = (ScrollArea(), false) }
        if isOther || followsStars || !order.contains(focus) { focus = safest }
        resizeContent()
        if focus != former { revealFocus(at: moment) }
        reveal.show(at: moment, isStill: layout.reducesMotion)
    }

    mutating func resize(to layout: BarLayout) {
        let former = self.layout
        self.layout = layout
        guard layout.surface != former.surface || layout.theme != former.theme else { return }
        places = PromptLayout(prompt, on: layout)
        resizeContent()
        revealFocus(at: nil)
    }

    private mutating func resizeContent() {
        area.resize(height: places.body.height, content: places.contentHeight)
    }

    /// Whether the answer at the end can be given: a field needs a text.
    var canConfirm: Bool {
        guard let field else { return true }
        return !field.displayText.allSatisfy(\.isWhitespace)
    }

    /// Whether the sheet may be left by a tap beside it.
    var isDismissible: Bool { prompt.progress == nil }

    /// Takes an answer; returns nil where none is expected any more.
    mutating func answer(_ answer: Prompt.Answer, at moment: Moment) -> Prompt.Answer? {
        guard isShown, !isStopping else { return nil }
        guard prompt.progress == nil else {
            guard answer == .cancelled else { return nil }
            isStopping = true
            return answer
        }
        var answer = answer
        if answer == .confirmed, field != nil {
            guard canConfirm, let text = field?.commit() else { return nil }
            answer = .text(text)
        }
        leave(at: moment)
        return answer
    }

    mutating func leave(at moment: Moment) {
        area.end(velocity: 0, at: moment)
        reveal.leave(at: moment, isStill: layout.reducesMotion)
    }

    func isScrolling(at moment: Moment) -> Bool { area.isScrolling(at: moment) }

    func isAnimating(at moment: Moment) -> Bool {
        isScrolling(at: moment) || reveal.isMoving(at: moment)
    }

    mutating func advance(to moment: Moment) {
        area.advance(to: moment)
        reveal.advance(to: moment)
    }

    // MARK: Focus

    /// The widgets that Tab visits, in this order; rows and stars are one stop each.
    private var stops: [Focus] {
        var stops: [Focus] = []
        if field != nil { stops.append(.field) }
        if prompt.purpose == .rate {
            if case .stars = focus {
                stops.append(focus)
            } else {
                stops.append(.stars(shownStars ?? 0))
            }
        }
        if !prompt.choices.isEmpty {
            if case .row = focus { stops.append(focus) } else { stops.append(.row(0)) }
        }
        return stops + [.cancel] + (prompt.confirm == nil ? [] : [.confirm])
    }

    /// All widgets that can have the focus.
    private var order: [Focus] {
        stops.filter { stop in
            switch stop {
            case .row(let number): number < prompt.choices.count
            case .stars(let number): number <= Prompt.mostStars
            case .field, .cancel, .confirm: true
            }
        }
    }

    /// Moves the focus by Tab: `step` is 1 or −1.
    mutating func moveFocus(by step: Int, at moment: Moment) {
        let stops = stops
        let place = stops.firstIndex(of: focus) ?? 0
        moveFocus(to: stops[((place + step) % stops.count + stops.count) % stops.count], at: moment)
    }

    /// Moves the focus as a person asks, and scrolls until the widget is visible.
    mutating func moveFocus(to widget: Focus, at moment: Moment) {
        focus = widget
        hasMovedFocus = true
        revealFocus(at: moment)
    }

    /// Moves the focus to a row, and scrolls it into view.
    mutating func focusRow(_ number: Int, at moment: Moment) {
        guard !prompt.choices.isEmpty else { return }
        moveFocus(to: .row(min(max(number, 0), prompt.choices.count - 1)), at: moment)
    }

    /// Scrolls until the widget with the focus is visible, at once without a moment.
    mutating func revealFocus(at moment: Moment?) {
        guard let part = contentRect(of: focus) else { return }
        area.reveal(part.y...part.maxY, at: moment, isStill: layout.reducesMotion)
    }

    /// The place of a widget in what scrolls; nil for a widget that does not scroll.
    private func contentRect(of focus: Focus) -> Rect? {
        func scrolling(_ part: PromptLayout.Part?) -> Rect? {
            part.flatMap { $0.scrolls ? $0.rect : nil }
        }
        switch focus {
        case .field: return scrolling(places.field)
        case .row(let number): return places.row(number)
        case .stars(let number):
            return scrolling(places.stars(number))
        case .cancel: return scrolling(places.buttons[.cancel])
        case .confirm: return scrolling(places.buttons[.confirm])
        }
    }
}
