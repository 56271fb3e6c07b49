import Localization
import SceneModel
package import Commands
package import Geometry
import Gestures
package import Motion

/// The sheet that shows every command with its key and its gesture, from the table of commands, or what the
/// program is.
package struct HelpSheet: Hashable, Sendable {
    private enum Page: Hashable, Sendable {
        case commands(CommandMode)
        case about
    }

    private let page: Page
    /// Whether the commands with a gesture come first, and their gestures before their keys.
    private let gesturesFirst: Bool
    private var area = ScrollArea()
    private var layout: BarLayout
    /// The rows, relative to the corner of the content that scrolls.
    private var rows: [Widget] = []

    /// The space beside the rows, in logical pixels.
    private var padding: Double {
        rect.width < PromptLayout.narrowLimit ? Theme.Space.text : Theme.Space.sheet
    }

    /// The largest size, in logical pixels.
    private static let largest = Size(width: 720, height: 760)
    /// A key or a wheel detent scrolls by this distance, in logical pixels.
    private static let step = 80.0
    /// Narrower sheets show keys and gestures below the command: a width in logical pixels, for texts
    /// of the usual size.
    private static let columnsLimit = 520.0
    /// A text of more lines is shortened.
    private static let mostLines = 6

    /// `gesturesFirst` is for a person who uses fingers.
    package init(_ mode: CommandMode, on layout: BarLayout, gesturesFirst: Bool = false) {
        self.init(.commands(mode), layout, gesturesFirst: gesturesFirst)
    }

    /// The sheet that says what the program is.
    init(about layout: BarLayout) { self.init(.about, layout) }

    private init(_ page: Page, _ layout: BarLayout, gesturesFirst: Bool = false) {
        self.page = page
        self.gesturesFirst = gesturesFirst
        self.layout = layout
        resize(to: layout)
    }

    mutating func resize(to layout: BarLayout) {
        self.layout = layout
        rows = laidOutRows()
        area.resize(
            height: list.height, content: (rows.last?.rect.maxY ?? 0) + padding)
    }

    /// The rectangle of the sheet on the surface, in logical pixels.
    package var rect: Rect {
        let surface = layout.surface
        return Rect(
            center: Point(x: (surface.width / 2).rounded(), y: (surface.height / 2).rounded()),
            size: Size(
                width: max(min(Self.largest.width, surface.width - 2 * Theme.Space.widget), 1),
                height: max(min(Self.largest.height, surface.height - 2 * Theme.Space.widget), 1)))
    }

    /// The part of the sheet that scrolls.
    private var list: Rect {
        var list = rect
        list.y += layout.target + Theme.Space.widget
        list.height = max(rect.maxY - list.y - Theme.Space.widget, 1)
        return list
    }

    private func entries(of mode: CommandMode) -> [CommandEntry] {
        let entries = CommandTable.entries.filter {
            ($0.keys[mode] != nil || $0.gesture(in: mode) != nil)
                && layout.policy.allows($0.command)
        }
        guard gesturesFirst else { return entries }
        func hasGesture(_ entry: CommandEntry) -> Bool {
            !layout.gestures.text(of: entry, in: mode).isEmpty
        }
        return entries.filter(hasGesture) + entries.filter { !hasGesture($0) }
    }

    private var hasColumns: Bool { rect.width >= Self.columnsLimit * layout.theme.textScale }

    /// The least height of a row, in logical pixels.
    private var rowHeight: Double {
        hasColumns ? (layout.theme.body.size * 2.4).rounded() : layout.theme.doubleRow
    }

    // MARK: Scrolling

    func contains(_ point: Point) -> Bool { rect.contains(point) }

    var isHeld: Bool { area.isHeld }
    func isScrolling(at moment: Moment) -> Bool { area.isScrolling(at: moment) }
    mutating func advance(to moment: Moment) { area.advance(to: moment) }

    mutating func scroll(by steps: Double, at moment: Moment) {
        area.scroll(by: steps * Self.step, at: moment, isStill: layout.reducesMotion)
    }

    /// Scrolls nearly one page; `direction` is 1 for down and −1 for up.
    mutating func page(_ direction: Double, at moment: Moment) {
        area.scroll(
            by: direction * list.height * 0.9, at: moment, isStill: layout.reducesMotion)
    }

    mutating func stop(at moment: Moment) { area.stop(at: moment) }

    mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        area.begin(at: fingers.base.y, moment, isStill: layout.reducesMotion)
        area.follow(fingers.centroid.y)
    }

    mutating func follow(_ gesture: Gesture, at moment: Moment) -> Bool {
        area.follow(gesture, at: moment)
    }

    // MARK: Widgets

    /// The sheet as it is at `moment`.
    package func widget(at moment: Moment) -> Widget {
        let rect = rect
        let close = layout.button(
            "help-close", .close, localized("Close"), .closeSheet, at: rect.maxX - layout.target,
            y: rect.y)
        let name = page == .about ? localized("About Vitrine") : localized("Help")
        let title = Widget(
            "help-title", .heading, name,
            rect: Rect(
                x: rect.x + padding, y: rect.y,
                width: max(rect.width - layout.target - padding, 0), height: layout.target),
            face: .text(
                page == .about ? name : localized("Keys and gestures"), .title, .leading))
        let content = Widget(
            "help-list", .list, page == .about ? name : localized("Commands"), rect: list,
            face: .clip,
            children: area.visibleRows(rows, in: list, x: rect.x + padding, at: moment)
                + [area.bar("help-scroll", of: list, margin: 4, at: moment)].compactMap(\.self))
        return layout.oriented([
            Widget(
                "help", .dialog, name, rect: rect, states: .modal,
                face: .ground(radius: Theme.largeRadius, isDense: true),
                children: [title, close, content])
        ])[0]
    }

    /// The rows for the width of the sheet, relative to the corner of their content.
    private func laidOutRows() -> [Widget] {
        var rows: [Widget] = []
        switch page {
        case .commands(let mode):
            for (number, entry) in entries(of: mode).enumerated() {
                rows.append(row(entry, of: mode, number, y: rows.last?.rect.maxY ?? 0))
            }
            let about = AboutPage.link
            rows.append(row(about, rows.count, y: rows.last?.rect.maxY ?? 0))
        case .about:
            for (number, row) in AboutPage.rows.enumerated() {
                rows.append(self.row(row, number, y: rows.last?.rect.maxY ?? 0))
            }
        }
        return rows
    }

    private func row(_ row: AboutPage.Row, _ number: Int, y: Double) -> Widget {
        let id = "help/\(number)"
        let width = max(rect.width - 2 * padding, 1)
        var cells = [
            cell(id + "/name", row.title, .body, x: 0, width: width),
            cell(id + "/detail", row.detail, .small, x: 0, width: width),
        ]
        let most = cells.reduce(0) { $0 + $1.rect.height }
        let height = max(layout.theme.doubleRow, most + Theme.Space.widget)
        cells[0].rect.y = y + (height - most) / 2
        cells[1].rect.y = cells[0].rect.maxY
        return Widget(
            id, row.action == nil ? .listItem : .pushButton, row.title, description: row.detail,
            rect: Rect(x: 0, y: y, width: width, height: height),
            states: row.action == nil ? [] : .focusable, action: row.action, children: cells)
    }

    private func row(
        _ entry: CommandEntry, of mode: CommandMode, _ number: Int, y: Double
    ) -> Widget {
        let keys = layout.keys.shownKeys(of: entry, in: mode).joined(separator: ", ")
        let gesture = layout.gestures.text(of: entry, in: mode)
        let summary = entry.summary(in: mode)
        let sentence = summary.prefix(1).uppercased() + summary.dropFirst()
        let id = "help/\(number)"
        let width = max(rect.width - 2 * padding, 1)
        var cells: [Widget]
        var height = rowHeight
        if hasColumns {
            let (first, second) = (width * 0.48, width * (gesturesFirst ? 0.3 : 0.24))
            cells = [
                cell(id + "/name", sentence, .body, x: 0, width: first - Theme.Space.widget),
                cell(
                    id + "/second", gesturesFirst ? gesture : keys, gesturesFirst ? .body : .number,
                    x: first, width: second - Theme.Space.widget),
                cell(
                    id + "/third", gesturesFirst ? keys : gesture, .small, x: first + second,
                    width: max(width - first - second, 1)),
            ]
            height = cells.reduce(height) { max($0, $1.rect.height + Theme.Space.widget) }
            // Short texts are beside the middle of long ones.
            for number in cells.indices {
                cells[number].rect.y = y + (height - cells[number].rect.height) / 2
            }
        } else {
            let detail =
                gesturesFirst ? Self.detail(gesture, keys) : Self.detail(keys, gesture)
            cells = [
                cell(id + "/name", sentence, .body, x: 0, width: width),
                cell(id + "/keys", detail, .small, x: 0, width: width),
            ]
            let most = cells.reduce(0) { $0 + $1.rect.height }
            height = max(height, most + Theme.Space.widget)
            cells[0].rect.y = y + (height - most) / 2
            cells[1].rect.y = cells[0].rect.maxY
        }
        return Widget(
            id, .listItem, sentence,
            description: [keys, gesture].filter { !$0.isEmpty }.joined(separator: "; "),
            rect: Rect(x: 0, y: y, width: width, height: height), children: cells)
    }

    /// Keys and gesture on one line.
    ///
    /// The line has the direction of the gesture, also where the name of the first key is in Latin letters:
    /// the keys are isolated.
    static func detail(_ keys: String, _ gesture: String) -> String {
        guard !keys.isEmpty, !gesture.isEmpty else { return keys + gesture }
        let isLatin = gesture.utf8.allSatisfy { $0 < 0x80 }
        return (isLatin ? keys : "\u{2068}\(keys)\u{2069}") + " · " + gesture
    }

    /// A text that is as high as its lines, at the top.
    private func cell(
        _ id: String, _ text: String, _ role: Widget.TextRole, x: Double, width: Double
    ) -> Widget {
        var style = layout.theme.style(role)
        style.lines = Self.mostLines
        let height = layout.text(text, style, width: width).height.rounded(.up)
        return Widget(
            id, .label, text, rect: Rect(x: x, y: 0, width: width, height: height),
            face: .paragraph(text, role, lines: Self.mostLines, .leading))
    }
}
