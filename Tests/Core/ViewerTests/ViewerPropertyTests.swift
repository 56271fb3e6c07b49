import CoreTestKit
import SeededRandom
import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel
import Testing

@testable import Viewer

/// Invariants of the viewer under 1000 scripts of realistic random input.
///
/// A failure prints the script's seed; `check(seed:)` with that seed repeats the script.
@Suite struct ViewerPropertyTests {
    private static let shardCount = 8
    private static let scripts = RandomScripts(1_000, parts: shardCount)

    @Test(arguments: 0..<shardCount)
    func randomScripts(shard: Int) {
        let failure = Self.scripts.failure(in: shard) { Self.check(seed: $0) }
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

    /// Plays one script and returns the violated invariants.
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
        settings.keepZoom = Int.random(in: 0..<3, using: &random) == 0
        settings.swipeUp = Int.random(in: 0..<3, using: &random) == 0 ? .information : .dismiss
        let scales: [Double] = [1, 1, 1.5, 2]
        let scale = scales.randomElement(using: &random) ?? 1
        var hands = RandomHands(seed: seed, on: surface, moreKeys: ["i", "k"])
        let script = hands.script()
        func rig(_ refresh: Double) -> Rig {
            var rig = Rig(
                sizes, on: surface, scale: scale, index: count / 2, refresh: refresh,
                settings: settings, keepsFrames: false)
            // In one of three scripts the information panel is open and must scroll.
            if seed.isMultiple(of: 3) { rig.key("i") }
            rig.interaction.target.setInformation(InformationTests.information(60), isOther: true)
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
    /// Advances frame by frame until `time`, in milliseconds, and checks each frame.
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

/// Checks the invariants and collects the violations.
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
            rig.viewer.backdropOpacity(at: moment),
        ]
        require(
            numbers.allSatisfy(\.isFinite) && placement.zoom > 0,
            "at \(rig.now) the placement is \(placement)")
        require(
            (0...1).contains(rig.viewer.backdropOpacity(at: moment)), "the backdrop at \(rig.now)")
    }

    /// Sends an event to the viewer and checks that no visible picture jumps.
    ///
    /// Events that move pictures directly are not checked. With reduced motion nothing is checked,
    /// because every animation ends at once.
    mutating func watch(_ entry: RandomHands.Event, _ rig: inout Rig) {
        defer { note(entry.event) }
        guard mustNotMove(entry.event), !rig.viewer.settings.reducedMotion else {
            rig.send(entry.event)
            return
        }
        // A frame at the same time could settle a single tap that this event makes a double tap.
        let before = pictures(&rig, at: rig.now - 0.001)
        let previous = rig.viewer
        rig.send(entry.event)
        let after = pictures(&rig, at: rig.now)
        for (index, old) in before {
            guard let new = after[index] else { continue }
            let jump = Self.jump(old, new, rig.viewer.viewport.size)
            require(
                jump <= 1,
                "at \(rig.now) \(entry.event) moves picture \(index) by \(jump), state "
                    + "\(previous.zoomPan.state.name)")
        }
    }

    /// Records whether a finger has moved since the last touch frame.
    private mutating func note(_ event: InputEvent) {
        switch event {
        case .touch(.move): hasMoved = true
        case .touch(.frame), .touch(.cancel): hasMoved = false
        default: break
        }
    }

    /// Returns whether an event may start an animation but must not move a picture at once.
    ///
    /// Fingers that join or leave are such events; they take effect with their touch frame.
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

    /// The largest movement in logical pixels of the points at the corners and the centre.
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

    /// Waits until everything is at rest and checks the final placement.
    mutating func watchRest(_ rig: inout Rig) {
        rig.settle()
        require(rig.isAtRest, "the animation never ends: \(rig.viewer.zoomPan.state)")
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
            "the centre rests at \(placement.center), outside \(range)")
        require(rig.frame.scene.backdrop == 1, "the backdrop rests at \(rig.frame.scene.backdrop)")
        require(
            placement.rotation == ViewGeometry.quarterTurn(placement.rotation),
            "the rotation rests at \(placement.rotation)")
        let surface = Rect(
            x: 0, y: 0, width: rig.viewer.viewport.size.width,
            height: rig.viewer.viewport.size.height)
        let size = rig.viewer.pager.picture?.size ?? .zero
        require(
            !placement.boundingRect(of: size).intersection(surface).isEmpty,
            "the picture is not visible at \(placement)")
    }

    /// Checks that another refresh rate gives the same final state.
    mutating func compare(_ rig: Rig, _ other: inout Rig, _ refresh: Double) {
        other.settle()
        require(
            rig.viewer.index == other.viewer.index,
            "at \(refresh) Hz it ends at picture \(other.viewer.index)")
        require(rig.effects == other.effects, "at \(refresh) Hz the effects are \(other.effects)")
        guard rig.viewer.hasPicture, other.viewer.hasPicture else { return }
        let distance = Self.distance(rig.placement, other.placement, rig.viewer.viewport.size)
        require(distance < 0.5, "at \(refresh) Hz it ends \(distance) px away")
    }
}

extension Rig {
    /// Advances until all timers have fired and all motion has ended, without frames.
    fileprivate mutating func settle() {
        for _ in 0..<12 {
            now += 700
            advance(to: Moment(milliseconds: now))
        }
    }
}

extension ZoomPan.State {
    fileprivate var name: String {
        switch self {
        case .resting: "resting"
        case .held(let manipulation, _): "held for \(manipulation.kind)"
        case .moving: "moving"
        case .drifting: "drifting"
        case .leaving: "leaving"
        case .returningToCell: "returningToCell"
        case .gone: "gone"
        }
    }
}
