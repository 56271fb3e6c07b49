import Browser
import Commands
import CoreTestKit
import Geometry
import Gestures
import Grid
import ImageTypes
import Input
import Interface
import Motion
import Painting
import SceneModel
import Testing
import Text
import Viewer

/// No part of the interface cuts the ink of its texts.
@Suite struct SheetInkTests {
    /// Descenders, marks above and below, and letters that leave their lines.
    private static let names = [
        "_gjpqy|Ågß_.jpg", "Ünïcödé Ấệ กรุงเทพที่สุด क्षेत्र.png", "_العربية_ ٱلْ _g.webp",
        "日本語の写真_gjpqy、とても長い名前の写真です_gjpqy 한국어_gjpqy.jpg",
    ]

    private static let surfaces = [
        Size(width: 320, height: 640), Size(width: 400, height: 780),
        Size(width: 1280, height: 800),
    ]

    /// A page of the interface: the keys that open it, and what shows itself.
    private enum Page: CaseIterable {
        case bars, menu, help, information, settings, settingsEnd, crop, status
        case rename, rating, choices, refusal, progress, toast, undo
        case grid, selection, gridMenu, search

        var mode: BrowserModel.Mode {
            switch self {
            case .grid, .selection, .gridMenu, .search, .status: .grid
            default: .viewer
            }
        }
    }

    /// The browser with a page open and at rest, 400 ms later.
    private func browser(
        _ page: Page, _ size: Size, _ theme: Theme, _ engine: TextEngine
    ) -> BrowserModel {
        var model = BrowserModel(
            page.mode, viewport: Viewport(size: size),
            contents: GridContents(count: page == .status ? 0 : 30),
            text: TextMeasurement(engine))
        // Where nothing draws a frame, the bars of a phone have no room for more than buttons.
        model.setLooks(theme, windowControls: size.width > 600 ? WindowControls() : nil)
        model.setListing(
            name: Self.names[0], total: 40, state: page == .status ? .nothing : .complete)
        model.viewer.present(
            index: 0, size: PixelSize(width: 3000, height: 2000),
            source: .init(picture: 0, revision: 1), at: Moment(milliseconds: 0))
        var hands = Interaction(model)
        open(page, in: &hands, at: Moment(milliseconds: 0))
        for time in stride(from: 8, to: Self.rest, by: 8) {
            var effects: [ViewerEffect] = []
            hands.advance(to: Moment(milliseconds: time), effects: &effects)
        }
        return hands.target
    }

    /// When motions have ended, and messages have not, in milliseconds.
    private static let rest = 400.0

    private func open(
        _ page: Page, in hands: inout Interaction<BrowserModel>, at moment: Moment
    ) {
        func send(_ event: InputEvent) {
            var effects: [ViewerEffect] = []
            hands.handle(event, at: moment, effects: &effects)
        }
        func key(_ name: String, _ modifiers: KeyEvent.Modifiers = []) {
            let text = modifiers.isEmpty && name.count == 1 ? name : nil
            send(.key(KeyEvent(name: name, modifiers: modifiers, text: text)))
        }
        func ask(_ change: (inout Prompt) -> Void) {
            var prompt = Prompt(.rename, Self.names[1])
            change(&prompt)
            hands.target.setPrompt(prompt, at: moment)
        }
        switch page {
        case .bars:
            send(.pointer(.move(to: Point(x: 100, y: 100))))
            send(.pointer(.move(to: Point(x: 130, y: 140))))
        case .status, .grid: break
        case .menu, .gridMenu: key("Menu")
        case .help: key("question")
        case .information:
            key("i")
            var facts = Information.Facts(name: Self.names[0], folder: Self.names[1])
            facts.metadata.entries = Self.names.map { .init(.camera, $0, $0) }
            hands.target.viewer.setInformation(Information(facts), isOther: true)
        case .settings, .settingsEnd:
            hands.target.showSettings(.sample(), at: moment)
            if page == .settingsEnd { key("End") }
        case .crop: key("c")
        case .rename: ask { ($0.field, $0.selected, $0.confirm) = (Self.names[0], 3, "_gjpqy|Å") }
        case .rating: ask { ($0.rating, $0.choices) = (3, (0...5).map { .init("\($0)") }) }
        case .choices:
            ask {
                $0.choices = Self.names.map { .init($0, detail: $0, icon: .heart) }
                $0.text = Self.names.joined(separator: " ")
            }
        case .refusal: ask { ($0.field, $0.text, $0.isRefused) = ("_g", Self.names[0], true) }
        case .progress: ask { ($0.progress, $0.text) = (0.4, Self.names[3]) }
        case .toast: hands.target.show(Toast(Self.names.joined(separator: " ")), at: moment)
        case .undo: hands.target.show(Toast(Self.names[0], undo: .undo), at: moment)
        case .selection: key("a", .control)
        case .search:
            key("f", .control)
            for letter in ["g", "j", "p"] { key(letter) }
        }
    }

    /// The labels of elements, each with the rectangles that cut it.
    private func labels(_ elements: [LayerItem.Element], in clips: [Rect])
        -> [(label: LayerItem.Label, clips: [Rect])]
    {
        elements.flatMap { element -> [(label: LayerItem.Label, clips: [Rect])] in
            switch element {
            case .text(let label): [(label, clips)]
            case .group(let clip, let inner): labels(inner, in: clips + [clip])
            case .box, .paths: []
            }
        }
    }

    @Test(arguments: [0.5, 1, 1.5, 2, 3]) func noSheetCutsInk(textScale: Double) {
        let engine = TextEngine()
        var boxes = InkBoxes(engine: engine)
        for size in Self.surfaces {
            for isRightToLeft in [false, true] {
                let theme = Theme(textScale: textScale, isRightToLeft: isRightToLeft)
                for page in Page.allCases {
                    let scene = browser(page, size, theme, engine).frame(
                        at: Moment(milliseconds: Self.rest), content: { _ in CellContent() },
                        name: { Self.names[$0 % Self.names.count] }
                    ).scene
                    var count = 0
                    for case .layer(let layer) in scene.items {
                        count += check(layer, &boxes, "\(page), \(size), \(theme.isRightToLeft)")
                    }
                    // The header of a narrow grid with large texts has no room for the name.
                    #expect(
                        count > 0 || page == .grid && size.width < 400, "\(page), \(size): no text")
                }
            }
        }
    }

    /// Checks the texts of a layer, and returns their number.
    private func check(_ layer: LayerItem, _ boxes: inout InkBoxes, _ place: String) -> Int {
        let toLayer = Point.zero - layer.rect.origin
        let outer = [layer.bounds + toLayer] + [layer.clip].compactMap { $0.map { $0 + toLayer } }
        let all = labels(layer.elements, in: [])
        for (label, clips) in all where label.rect.width > 0 {
            let (line, ink) = boxes.boxes(of: label)
            for clip in outer + clips where clip.intersection(line) == line {
                // A fifth of a pixel is no more than a shade of the edge.
                let kept = clip.inset(by: -0.2)
                #expect(
                    kept.intersection(ink) == ink,
                    "\(place), \(label.text.debugDescription): \(ink) leaves \(clip)")
            }
        }
        return all.count
    }
}

/// Where the lines of texts are, and their ink, in the coordinates of their labels.
private struct InkBoxes {
    let engine: TextEngine
    private var known: [Key: Rect] = [:]

    private struct Key: Hashable {
        var text: String
        var style: TextStyle
        var width: Double
    }

    init(engine: TextEngine) { self.engine = engine }

    /// The rectangle of the lines of a text as they are painted, and that of the ink.
    mutating func boxes(of label: LayerItem.Label) -> (line: Rect, ink: Rect) {
        let extents = engine.measure(label.text, label.style, width: label.rect.width)
        let left: Double =
            switch label.alignment {
            case .leading: 0
            case .center: (label.rect.width - extents.width) / 2
            case .trailing: label.rect.width - extents.width
            }
        let top = label.style.lines > 1 ? 0 : (label.rect.height - extents.height) / 2
        let line = Rect(
            x: label.rect.x + left, y: label.rect.y + top, width: extents.width,
            height: extents.height)
        let key = Key(text: label.text, style: label.style, width: label.rect.width)
        let ink = known[key] ?? ink(key, extents)
        known[key] = ink
        return (line, ink + (line.origin - Point.zero))
    }

    /// The ink of a text whose lines begin at the origin.
    private func ink(_ key: Key, _ extents: TextExtents) -> Rect {
        let room = 40.0
        let width = Int((extents.width + 2 * room).rounded(.up))
        let height = Int((extents.height + 2 * room).rounded(.up))
        let layer = LayerItem(
            rect: Rect(x: 0, y: 0, width: Double(width), height: Double(height)),
            elements: [
                .text(
                    .init(
                        Rect(x: room, y: room, width: key.width, height: extents.height), key.text,
                        key.style, .gray(1)))
            ])
        let pixels = layer.painted(PixelSize(width: width, height: height), engine)
        var (left, right, top, bottom) = (width, -1, height, -1)
        for (place, pixel) in pixels.enumerated() where pixel & 0xFF > 40 {
            (left, right) = (min(left, place % width), max(right, place % width))
            (top, bottom) = (min(top, place / width), max(bottom, place / width))
        }
        guard right >= left else { return Rect(x: 0, y: 0, width: 0, height: 0) }
        // A pixel of the edge that the ink fills in part counts as a half.
        return Rect(
            x: Double(left) - room + 0.5, y: Double(top) - room + 0.5,
            width: max(Double(right - left), 0), height: max(Double(bottom - top), 0))
    }
}

extension LayerItem {
    /// The pixels of the layer on black, row by row.
    fileprivate func painted(_ size: PixelSize, _ engine: TextEngine) -> [UInt32] {
        var words = [UInt32](repeating: 0, count: size.width * size.height)
        words.withUnsafeMutableBytes { memory in
            let canvas = Canvas(memory: memory, size: size, stride: size.width * 4)
            Painter(text: engine).paint(
                Scene(
                    size: Size(width: Double(size.width), height: Double(size.height)), scale: 1,
                    backdrop: 1, items: [.layer(self)]),
                into: canvas, damage: [PixelRect(size)], bitmap: { _ in nil },
                concurrently: { count, work in for part in 0..<count { work(part) } })
        }
        return words
    }
}
