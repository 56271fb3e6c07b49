import Geometry
import Localization
import SceneModel

/// Where the parts of a prompt are, in logical pixels of the surface, before they are mirrored for
/// right-to-left languages.
///
/// Title and buttons stay; the content between them scrolls if the surface is too low. On a very low
/// surface everything scrolls.
struct PromptLayout: Hashable, Sendable {
    /// The buttons at the end of the sheet.
    enum Button: Hashable, Sendable { case noStars, cancel, confirm }

    /// A button before its place is known.
    private typealias Title = (button: Button, text: String)

    /// The sheet.
    private(set) var rect = Rect(x: 0, y: 0, width: 0, height: 0)
    /// The part that scrolls.
    private(set) var body = Rect(x: 0, y: 0, width: 0, height: 0)
    /// The height of the scrolling content.
    private(set) var contentHeight = 0.0
    /// The parts; those that scroll are relative to the corner of the content.
    private(set) var title = Part()
    private(set) var text: Part?
    private(set) var field: Part?
    private(set) var progress: Part?
    /// The stars, from the first one.
    private(set) var stars: [Part] = []
    private(set) var buttons: [Button: Part] = [:]
    /// The first row of the choices; nil without choices.
    private(set) var firstRow: Part?

    /// A part of the sheet.
    struct Part: Hashable, Sendable {
        var rect = Rect(x: 0, y: 0, width: 0, height: 0)
        var scrolls = false

        /// The part wider on both sides: its visible edges are inside, in line with the texts.
        func wider(by margin: Double) -> Part {
            var part = self
            part.rect.x -= margin
            part.rect.size.width += 2 * margin
            return part
        }
    }

    /// On a narrower surface the sheet is at the bottom, in reach of the thumbs.
    static let narrowLimit = 560.0
    private static let width = 480.0
    private static let mostHeight = 640.0
    private static let narrowestButton = 104.0
    private static let progressHeight = 8.0
    static let titleLines = 3
    static let textLines = 12

    private let prompt: Prompt
    private let layout: BarLayout

    init(_ prompt: Prompt, on layout: BarLayout) {
        (self.prompt, self.layout) = (prompt, layout)
        let surface = layout.surface
        let margin = Theme.Space.widget
        let most = Size(
            width: max(surface.width - 2 * margin, 1), height: max(surface.height - 2 * margin, 1))
        let isNarrow = surface.width < Self.narrowLimit
        let padding = isNarrow ? Theme.Space.text : Theme.Space.sheet
        let width =
            isNarrow
            ? most.width : min((Self.width * max(layout.theme.textScale, 1)).rounded(), most.width)
        let inner = max(width - 2 * padding, 1)

        var content = Column(inner: inner, padding: padding)
        placeContent(&content, width)
        let titleHeight = max(
            height(of: prompt.title, .title, lines: Self.titleLines, inner) + 2 * Self.gap,
            layout.target)
        var footer = Column(inner: inner, padding: padding)
        if !prompt.choices.isEmpty { footer.height = Self.gap / 2 }
        placeButtons(&footer, isNarrow: isNarrow)
        let fixed = titleHeight + footer.height + padding / 2
        let allScrolls = most.height - fixed < min(content.height, layout.target)

        contentHeight = allScrolls ? fixed + content.height : content.height
        let largest = isNarrow ? most.height : Self.mostHeight
        // The buttons stay under the finger from folder to folder.
        let wish =
            prompt.purpose == .chooseFolder ? largest : min(fixed + content.height, largest)
        let size = Size(width: width, height: min(wish, most.height))
        rect = Rect(
            x: ((surface.width - width) / 2).rounded(),
            y: isNarrow
                ? surface.height - margin - size.height
                : ((surface.height - size.height) / 2).rounded(), width: width, height: size.height)
        body = rect
        title.rect = Rect(x: padding, y: 0, width: inner, height: titleHeight)
        title.scrolls = allScrolls
        if allScrolls {
            move(by: titleHeight)
            buttons = buttons.mapValues {
                Part(rect: $0.rect + Vector(dx: 0, dy: titleHeight + content.height), scrolls: true)
            }
        } else {
            body.y += titleHeight
            body.height = max(rect.height - fixed, 0)
            title.rect = title.rect + (rect.origin - .zero)
            let corner = Vector(dx: rect.x, dy: rect.maxY - footer.height - padding / 2)
            buttons = buttons.mapValues { Part(rect: $0.rect + corner) }
        }
    }

    /// The space between parts.
    private static let gap = Theme.Space.part

    /// A column of parts that is filled from the top.
    private struct Column {
        let inner: Double
        let padding: Double
        var height = 0.0

        mutating func place(_ height: Double, after gap: Double = 0) -> Part {
            let rect = Rect(x: padding, y: self.height + gap, width: inner, height: height)
            self.height = rect.maxY
            return Part(rect: rect, scrolls: true)
        }
    }

    private mutating func placeContent(_ column: inout Column, _ width: Double) {
        let lines = prompt.progress == nil ? Self.textLines : 2
        let textHeight = height(of: prompt.text, textRole, lines: lines, column.inner)
        func placeText() {
            guard !prompt.text.isEmpty || prompt.progress != nil else { return }
            // The texts of a progress change often, and the sheet keeps its height.
            let least =
                prompt.progress == nil ? 0 : 2 * height(of: "A", .body, lines: 1, column.inner)
            text = column.place(max(textHeight, least))
            column.height += Self.gap
        }
        if prompt.field != nil {
            field = column.place(max(layout.target, (layout.theme.body.size * 2).rounded(.up)))
                .wider(by: Widget.Field.inset)
            column.height += Self.gap / 2
        }
        placeText()
        if prompt.progress != nil {
            progress = column.place(Self.progressHeight)
            column.height += Self.gap
        }
        if prompt.purpose == .rate { placeStars(&column) }
        if !prompt.choices.isEmpty {
            // The icons of rows are below the beginning of the title.
            let inset = column.padding - Widget.Row.indent
            firstRow = Part(
                rect: Rect(
                    x: inset, y: column.height, width: width - 2 * inset, height: rowHeight),
                scrolls: true)
            column.height += rowHeight * Double(prompt.choices.count)
        }
    }

    /// The height of a row of the choices.
    var rowHeight: Double {
        prompt.choices.contains { !$0.detail.isEmpty }
            ? max(layout.theme.doubleRow, layout.target + 8) : layout.theme.row
    }

    /// The largest width of a star.
    private static let widestStar = 64.0

    /// Five stars side by side.
    private mutating func placeStars(_ column: inout Column) {
        let row = column.place(layout.target).rect
        let count = Double(Prompt.mostStars)
        let width = max(min(Self.widestStar, (column.inner / count).rounded(.down)), 1)
        let left = (row.center.x - width * count / 2).rounded()
        stars = (0..<Prompt.mostStars).map { number in
            Part(
                rect: Rect(
                    x: left + Double(number) * width, y: row.y, width: width, height: row.height),
                scrolls: true)
        }
        column.height += Self.gap
    }

    static let noStars = localized("No stars")

    /// The part of a number of stars; nil in a prompt without stars.
    func stars(_ number: Int) -> Part? {
        if number == 0 { return buttons[.noStars] }
        return stars.indices.contains(number - 1) ? stars[number - 1] : nil
    }

    /// The buttons in a row, or below each other where they are too wide for that.
    private mutating func placeButtons(_ column: inout Column, isNarrow: Bool) {
        var titles: [Title] = prompt.purpose == .rate ? [(.noStars, Self.noStars)] : []
        titles.append((.cancel, cancelTitle))
        if let confirm = prompt.confirm { titles.append((.confirm, confirm)) }
        let gap = Theme.Space.widget
        let widths = titles.map { buttonWidth($0.text) }
        let total = widths.reduce(0, +) + gap * Double(titles.count - 1)
        guard total <= column.inner else {
            // Cancel is the last one, nearest to the thumb.
            for title in titles.reversed().filter({ $0.button != .cancel })
                + titles.filter({ $0.button == .cancel })
            {
                buttons[title.button] = column.place(layout.target).wider(by: Widget.Field.inset)
            }
            return
        }
        let row = column.place(layout.target).wider(by: Widget.Field.inset).rect
        let equal = ((row.width - gap * Double(titles.count - 1)) / Double(titles.count))
            .rounded(.down)
        // On a narrow surface buttons of the same width reach from side to side, if the texts fit.
        let fills = isNarrow && widths.allSatisfy { $0 <= equal }
        var x = fills ? row.x : row.maxX - total
        for (title, width) in zip(titles, widths) {
            let width = fills ? equal : width
            buttons[title.button] = Part(
                rect: Rect(x: x, y: row.y, width: width, height: row.height))
            x += width + gap
        }
    }

    var cancelTitle: String {
        if prompt.progress != nil { return localized("Stop") }
        let hasAnswer =
            prompt.confirm != nil || !prompt.choices.isEmpty || prompt.field != nil
            || prompt.purpose == .rate
        return hasAnswer ? localized("Cancel") : localized("Close")
    }

    var textRole: Widget.TextRole {
        prompt.isRefused ? .problem : prompt.field == nil ? .body : .small
    }

    private func buttonWidth(_ text: String) -> Double {
        max(layout.text(text, layout.theme.title).width.rounded(.up) + 40, Self.narrowestButton)
    }

    private func height(
        of text: String, _ role: Widget.TextRole, lines: Int, _ width: Double
    ) -> Double {
        guard !text.isEmpty else { return 0 }
        var style = layout.theme.style(role)
        style.lines = lines
        return layout.text(text, style, width: width).height.rounded(.up)
    }

    /// Moves what scrolls down by `distance`.
    private mutating func move(by distance: Double) {
        text?.rect.y += distance
        field?.rect.y += distance
        progress?.rect.y += distance
        firstRow?.rect.y += distance
        for number in stars.indices { stars[number].rect.y += distance }
    }

    /// A row of the choices, relative to the corner of the content.
    func row(_ number: Int) -> Rect? {
        guard var row = firstRow?.rect else { return nil }
        row.y += Double(number) * row.height
        return row
    }
}
