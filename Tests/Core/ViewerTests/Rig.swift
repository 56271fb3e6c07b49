import CoreTestKit
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Interface
@testable import Viewer

/// A viewer that receives input events, with a manual clock and simulated frames.
///
/// Requested pictures arrive at once, unless they are withheld.
struct Rig {
    var interaction: Interaction<ViewerModel>
    private(set) var effects: [ViewerEffect] = []
    private(set) var frames: [(moment: Moment, frame: ViewerFrame)] = []
    /// Time of the last event or frame, in milliseconds.
    var now = 0.0
    private let refresh: Double
    private var nextFrame = 0
    private let sizes: [PixelSize]
    /// The indices of pictures that do not arrive.
    var withheld: Set<Int> = []
    /// Whether frames are kept in `frames`; the property tests do not need them.
    private let keepsFrames: Bool

    static let photo = PixelSize(width: 6000, height: 4000)

    init(
        _ sizes: [PixelSize] = [photo], on size: Size = Size(width: 1920, height: 1080),
        scale: Double = 1, index: Int = 0, refresh: Double = 60,
        settings: ViewerSettings = ViewerSettings(), withheld: Set<Int> = [],
        keepsFrames: Bool = true
    ) {
        self.sizes = sizes
        self.refresh = refresh
        self.withheld = withheld
        self.keepsFrames = keepsFrames
        interaction = Interaction(
            ViewerModel(
                viewport: Viewport(size: size, scale: scale), count: sizes.count, index: index,
                settings: settings, text: .fixed))
        load()
    }

    var viewer: ViewerModel { interaction.target }

    /// Delivers all requested pictures.
    mutating func load() {
        let moment = Moment(milliseconds: now)
        _ = interaction.target.prune(at: moment)
        for index in viewer.wanted
        where !withheld.contains(index) && viewer.pager.content(of: index) == nil {
            interaction.target.present(
                index: index, size: sizes[index], source: .init(picture: index, revision: 1),
                at: moment)
        }
    }

    // MARK: Time

    /// Advances frame by frame until `time`, in milliseconds.
    mutating func pass(to time: Double) {
        while Double(nextFrame) * 1000 / refresh <= time {
            let moment = Moment(milliseconds: Double(nextFrame) * 1000 / refresh)
            advance(to: moment)
            if keepsFrames {
                frames.append((moment, viewer.frame(at: moment, title: "")))
                interaction.target.acknowledgeFrame()
            }
            nextFrame += 1
        }
        now = max(now, time)
    }

    mutating func advance(to moment: Moment) {
        var new: [ViewerEffect] = []
        interaction.advance(to: moment, effects: &new)
        apply(new)
    }

    /// Advances by 6 s, until everything is at rest.
    mutating func rest() { pass(to: now + 6000) }

    private mutating func apply(_ new: [ViewerEffect]) {
        effects += new
        if new.contains(.want) { load() }
    }

    // MARK: Input

    mutating func send(_ event: InputEvent, at time: Double? = nil, seat: Int = 0) {
        if let time { pass(to: time) }
        var new: [ViewerEffect] = []
        interaction.handle(event, of: seat, at: Moment(milliseconds: now), effects: &new)
        apply(new)
    }

    mutating func turnOutput() {
        var new: [ViewerEffect] = []
        interaction.outputTurned(at: Moment(milliseconds: now), effects: &new)
        apply(new)
    }

    mutating func key(_ name: String) { send(.key(KeyEvent(name: name))) }

    mutating func touch(_ events: [TouchEvent], after pause: Double = 0, seat: Int = 0) {
        pass(to: now + pause)
        for event in events { send(.touch(event), seat: seat) }
        send(.touch(.frame), seat: seat)
    }

    /// Drags one finger in equal steps of 8 ms, at `speed` in px/s, and lifts it after `rest` ms.
    mutating func drag(
        from start: Point, by translation: Vector, speed: Double = 600, rest: Double = 0,
        lifts: Bool = true, id: Int = 0
    ) {
        touch([.down(id: id, at: start)], after: 8)
        let steps = max(Int((translation.length / speed * 125).rounded()), 1)
        for step in 1...steps {
            let progress = Double(step) / Double(steps)
            touch([.move(id: id, to: start + translation * progress)], after: 8)
        }
        if lifts { touch([.up(id: id)], after: max(rest, 4)) }
    }

    mutating func tap(_ point: Point) {
        touch([.down(id: 0, at: point)], after: 80)
        touch([.up(id: 0)], after: 40)
    }

    mutating func doubleTap(_ point: Point) {
        tap(point)
        tap(point)
    }

    /// Taps rows of the menu, one after the other, by their titles.
    mutating func choose(_ titles: String...) throws {
        for title in titles {
            let menu = try #require(viewer.chrome.menu)
            let row = try #require(menu.items.firstIndex { $0.title == title }, "\(title)")
            tap(menu.row(row).center)
        }
    }

    // MARK: Output

    var frame: ViewerFrame { viewer.frame(at: Moment(milliseconds: now), title: "") }

    /// The placement of the current page's picture.
    var placement: Placement {
        viewer.placement(at: Moment(milliseconds: now)) ?? Placement(center: .zero, zoom: 0)
    }

    /// The pictures in the scene, by their indices.
    var pictures: [Int: PictureItem] {
        var result: [Int: PictureItem] = [:]
        for case .picture(let item) in frame.scene.items where item.source.kind != .blurred {
            result[item.source.picture] = item
        }
        return result
    }

    var isAtRest: Bool { !interaction.isAnimating(at: Moment(milliseconds: now)) }
}
