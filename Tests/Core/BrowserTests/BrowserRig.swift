import CoreTestKit
import Geometry
import Gestures
import Grid
import Input
import Interface
import Motion
import SceneModel
import Viewer

@testable import Browser

/// A browser with a manual clock, in which every requested picture arrives at once.
struct BrowserRig {
    static let surface = Size(width: 1280, height: 800)

    var hands: Interaction<BrowserModel>
    var effects: [ViewerEffect] = []
    var now = 0.0
    let sizes: [PixelSize]
    var isWithheld = false

    init(
        _ mode: BrowserModel.Mode = .grid, count: Int = 60,
        size: PixelSize = PixelSize(width: 3000, height: 2000),
        settings: ViewerSettings = ViewerSettings(), grid: GridSettings = GridSettings()
    ) {
        sizes = Array(repeating: size, count: count)
        hands = Interaction(
            BrowserModel(
                mode, viewport: Viewport(size: Self.surface),
                contents: GridContents(count: count), viewerSettings: settings,
                gridSettings: grid, text: .fixed))
        load()
    }

    var browser: BrowserModel { hands.target }
    var moment: Moment { Moment(milliseconds: now) }

    mutating func load() {
        guard !isWithheld else { return }
        _ = hands.target.viewer.prune(at: moment)
        for index in browser.wanted {
            hands.target.viewer.present(
                index: index, size: sizes[index],
                source: .init(picture: index, revision: 1), at: moment)
        }
        hands.target.pictureArrived(at: moment)
    }

    mutating func pass(to time: Double) {
        while now < time {
            now = min(now + 8, time)
            var new: [ViewerEffect] = []
            hands.advance(to: moment, effects: &new)
            apply(new)
        }
    }

    mutating func rest() { pass(to: now + 4000) }

    private mutating func apply(_ new: [ViewerEffect]) {
        effects += new
        if new.contains(.want) { load() }
    }

    mutating func send(_ event: InputEvent) {
        var new: [ViewerEffect] = []
        hands.handle(event, at: moment, effects: &new)
        apply(new)
    }

    mutating func touch(_ events: [TouchEvent], after pause: Double = 0) {
        pass(to: now + pause)
        for event in events { send(.touch(event)) }
        send(.touch(.frame))
    }

    mutating func tap(_ point: Point) {
        touch([.down(id: 0, at: point)], after: 100)
        touch([.up(id: 0)], after: 50)
    }

    mutating func throwAway(from start: Point, by translation: Vector) {
        touch([.down(id: 0, at: start)], after: 50)
        for step in 1...12 {
            touch([.move(id: 0, to: start + translation * (Double(step) / 12))], after: 8)
        }
        touch([.up(id: 0)], after: 4)
    }

    mutating func key(_ name: String, text: String? = nil, modifiers: KeyEvent.Modifiers = []) {
        send(.key(KeyEvent(name: name, modifiers: modifiers, text: text)))
    }

    mutating func show(_ toast: Toast) { hands.target.show(toast, at: moment) }

    var showsHelp: Bool {
        browser.interface(title: "", name: { "\($0)" }, at: moment).children
            .contains { $0.role == .dialog }
    }

    var frame: BrowserFrame {
        browser.frame(at: moment, content: { _ in CellContent() }, name: { "\($0)" })
    }

    /// All pictures drawn above the grid.
    var pictures: [PictureItem] {
        frame.scene.items.compactMap { item in
            if case .picture(let picture) = item, picture.source.kind == .picture {
                return picture
            }
            return nil
        }
    }

    /// The picture drawn above the grid, and its crop, both in logical pixels of the surface.
    var flying: (rect: Rect, clip: Rect?)? {
        for case .picture(let item) in frame.scene.items where item.source.kind == .picture {
            let clip = item.crop.map {
                Rect(center: item.placement.center, size: $0 * item.placement.zoom)
            }
            return (item.placement.unrotatedRect(of: item.size), clip)
        }
        return nil
    }

    func cell(_ index: Int) -> Rect? { browser.grid.cellRect(of: index, at: moment) }
}
