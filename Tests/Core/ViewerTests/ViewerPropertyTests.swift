import CoreTestKit
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Viewer

/// What holds whatever hands do: twenty thousand random scripts, of hands as they are.
///
/// A failure prints the script's seed; `check(seed:)` with it plays the same again.
@Suite struct ViewerPropertyTests {
    private static let parts = 8
    private static let scripts = RandomScripts(20_000, parts: parts)

    @Test(arguments: 0..<parts)
    func randomScripts(part: Int) {
        let failure = Self.scripts.failure(in: part) { Self.check(seed: $0) }
        #expect(failure == nil)
    }

    private static let surfaces = [
        Size(width: 1920, height: 1080), Size(width: 800, height: 1280),
        Size(width: 1280, height: 800), Size(width: 400, height: 300),
    ]
    private static let pictures = [
        PixelSize(width: 6000, height: 4000), PixelSize(width: 2000, height: 6000),
        PixelSize(width: 300, height: 200), PixelSize(width: 1280, height: 800),
        PixelSize(width: 1, height: 20000), PixelSize(width: 9000, height: 500),
    ]

    /// Plays one script and tells what was wrong.
    private static func check(seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed &* 2_654_435_761 &+ 1)
        let surface = surfaces.randomElement(using: &random) ?? surfaces[0]
        let count = Int.random(in: 1...3, using: &random)
        let sizes = (0..<count).map { _ in
            pictures.randomElement(using: &random) ?? pictures[0]
        }
        var settings = ViewerSettings()
        settings.enlarge = Int.random(in: 0..<6, using: &random) == 0
        settings.dismiss = Int.random(in: 0..<3, using: &random) == 0 ? .off : .quit
        settings.reducedMotion = Int.random(in: 0..<12, using: &random) == 0
        let scales: [Double] = [1, 1, 1.5, 2]
        let scale = scales.randomElement(using: &random) ?? 1
        var hands = RandomHands(seed: seed, on: surface, moreKeys: ["i"])
        let script = hands.script()
        func rig(_ refresh: Double) -> Rig {
            var rig = Rig(
                sizes, on: surface, scale: scale, index: count / 2, refresh: refresh,
                settings: settings, keepsFrames: false)
            // One in three has the panel open, with more than fits.
            if seed.isMultiple(of: 3) { rig.key("i") }
            rig.interaction.target.tell(InformationTests.information(60), isOther: true)
            return rig
        }
        var observer = Observer()
        var rig60 = rig(60)
        for entry in script {
            rig60.passChecking(to: entry.time, with: &observer)
            observer.watch(entry, &rig60)
        }
        rig60.passChecking(to: rig60.now + 50, with: &observer)
        observer.watchRest(&rig60)
        for refresh in [30.0, 144] {
            var other = rig(refresh)
            for entry in script { other.send(entry.event, at: entry.time) }
            observer.compare(rig60, &other, refresh)
        }
        return observer.complaints
    }
}

extension Rig {
    /// Lets frames pass and looks at each.
    fileprivate mutating func passChecking(to time: Double, with observer: inout Observer) {
        let frame = 1000.0 / 60
        var next = (now / frame).rounded(.down) * frame + frame
        while next <= time {
            pass(to: next)
            observer.watchFrame(self)
            next += frame
        }
        pass(to: time)
    }
}

/// Looks for what must not be.
private struct Observer {
    private(set) var complaints: [String] = []
    private var hasMoved = false

    private mutating func require(_ isRight: Bool, _ text: @autoclosure () -> String) {
        if !isRight { complaints.append(text()) }
    }

    mutating func watchFrame(_ rig: Rig) {
        let moment = Moment(milliseconds: rig.now)
        guard let placement = rig.viewer.placement(at: moment) else { return }
        let numbers = [
            placement.center.x, placement.center.y, placement.zoom, placement.rotation,
            rig.viewer.backdrop(at: moment),
        ]
        require(
            numbers.allSatisfy(\.isFinite) && placement.zoom > 0,
            "at \(rig.now) the placement is \(placement)")
        require((0...1).contains(rig.viewer.backdrop(at: moment)), "the backdrop at \(rig.now)")
    }

    /// Gives an event to the viewer and checks that what is on the surface does not jump by it,
    /// unless it is one that moves things; with reduced motion everything ends at once.
    mutating func watch(_ entry: RandomHands.Event, _ rig: inout Rig) {
        defer { note(entry.event) }
        guard mustNotMove(entry.event), !rig.viewer.settings.reducedMotion else {
            rig.send(entry.event)
            return
        }
        // A frame of the very moment could take a tap for a single one that the event makes a double.
        let before = pictures(&rig, at: rig.now - 0.001)
        let strayed = rig.viewer
        rig.send(entry.event)
        let after = pictures(&rig, at: rig.now)
        for (index, old) in before {
            guard let new = after[index] else { continue }
            let jump = Self.jump(old, new, rig.viewer.viewport.size)
            require(
                jump <= 1,
                "at \(rig.now) \(entry.event) moves picture \(index) by \(jump), state "
                    + "\(strayed.state.name)")
        }
    }

    /// Remembers whether fingers have moved since the last frame of theirs.
    private mutating func note(_ event: InputEvent) {
        switch event {
        case .touch(.move): hasMoved = true
        case .touch(.frame), .touch(.cancel): hasMoved = false
        default: break
        }
    }

    /// Whether an event may start motions, but moves nothing in its own moment: so fingers that join
    /// and leave, which takes effect with their frame.
    private func mustNotMove(_ event: InputEvent) -> Bool {
        switch event {
        case .touch(.frame): !hasMoved
        case .touch(.move), .pinch(.update), .pointer(.move), .pointer(.axis): false
        case .resize, .scale: false
        case .key(let key): !["space", "BackSpace", "Left", "Right"].contains(key.name)
        default: true
        }
    }

    private func pictures(_ rig: inout Rig, at time: Double) -> [Int: PictureItem] {
        rig.advance(to: Moment(milliseconds: time))
        return rig.pictures
    }

    private static func jump(_ old: PictureItem, _ new: PictureItem, _ surface: Size) -> Double {
        distance(old.placement, new.placement, surface)
    }

    /// How far the picture points at the surface's corners and middle go, in logical pixels.
    private static func distance(_ a: Placement, _ b: Placement, _ surface: Size) -> Double {
        var farthest = 0.0
        for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)] {
            let point = Point(x: x * surface.width, y: y * surface.height)
            let arm = (point - a.center).rotated(by: b.rotation - a.rotation)
            let moved = b.center + arm * (b.zoom / a.zoom)
            farthest = max(farthest, (moved - point).length)
        }
        return farthest
    }

    /// Lets everything come to rest and looks whether it is a place to rest at.
    mutating func watchRest(_ rig: inout Rig) {
        rig.settle()
        require(rig.isAtRest, "it never rests: \(rig.viewer.state)")
        guard rig.viewer.hasPicture, !rig.effects.contains(.quit) else { return }
        let placement = rig.placement
        let limits = rig.viewer.limits(rotation: placement.rotation)
        require(
            placement.zoom >= limits.min * (1 - 1e-9)
                && placement.zoom <= limits.max * (1 + 1e-9),
            "the zoom rests at \(placement.zoom), limits \(limits.range)")
        let range = rig.viewer.geometry.restRange(
            zoom: placement.zoom, rotation: placement.rotation)
        require(
            range.overscroll(of: placement.center).length < 1e-6,
            "it rests at \(placement.center), outside \(range)")
        require(rig.frame.scene.backdrop == 1, "the backdrop rests at \(rig.frame.scene.backdrop)")
        require(
            placement.rotation == ViewGeometry.quarterTurn(placement.rotation),
            "it rests turned by \(placement.rotation)")
        let surface = Rect(
            x: 0, y: 0, width: rig.viewer.viewport.size.width,
            height: rig.viewer.viewport.size.height)
        let size = rig.viewer.pages[rig.viewer.page]?.picture?.size ?? .zero
        require(
            !placement.boundingRect(of: size).intersection(surface).isEmpty,
            "the picture is lost at \(placement)")
    }

    /// At another refresh rate everything ends alike.
    mutating func compare(_ rig: Rig, _ other: inout Rig, _ refresh: Double) {
        other.settle()
        require(
            rig.viewer.index == other.viewer.index,
            "at \(refresh) Hz it ends at picture \(other.viewer.index)")
        require(rig.effects == other.effects, "at \(refresh) Hz the effects are \(other.effects)")
        guard rig.viewer.hasPicture, other.viewer.hasPicture else { return }
        let way = Self.distance(rig.placement, other.placement, rig.viewer.viewport.size)
        require(way < 0.5, "at \(refresh) Hz it ends \(way) px away")
    }
}

extension Rig {
    /// Lets all timers run out and all motion end, without frames between.
    fileprivate mutating func settle() {
        for _ in 0..<12 {
            now += 700
            advance(to: Moment(milliseconds: now))
        }
    }
}

extension ViewerModel.State {
    fileprivate var name: String {
        switch self {
        case .resting: "resting"
        case .held(let hold): "held for \(hold.kind)"
        case .moving: "moving"
        case .leaving: "leaving"
        case .homing: "homing"
        case .gone: "gone"
        }
    }
}
