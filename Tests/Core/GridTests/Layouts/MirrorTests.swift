import Geometry
import Gestures
import Testing

@testable import Grid

/// The grid of a language that is written from right to left.
@Suite struct MirrorTests {
    private static func mirrored(_ hand: Hand) -> Hand {
        var hand = hand
        hand.grid.setMirrored(true)
        return hand
    }

    /// Random gestures in a mirror have the same effects, and the mirrored frames.
    @Test(arguments: GridSettings.Layout.allCases)
    func aMirroredGridIsTheGridInAMirror(layout: GridSettings.Layout) {
        for seed in UInt64(0)..<20 {
            var random = PropertyTests.RandomHand(seed: seed, layout: layout)
            var mirror = Self.mirrored(random.hand)
            let width = random.hand.grid.surface.width
            for _ in 0..<80 {
                let (gesture, pause) = (random.gesture().gesture, random.number(0...40))
                random.hand.send(gesture)
                mirror.send(gesture.mirrored(onWidth: width))
                random.hand.wait(pause)
                mirror.wait(pause)
                expectMirrored(random.hand.frame, mirror.frame, "seed \(seed), \(gesture)")
                #expect(random.hand.requests == mirror.requests, "seed \(seed), \(gesture)")
            }
        }
    }

    private func expectMirrored(_ plain: GridFrame, _ mirror: GridFrame, _ place: String) {
        #expect(plain.cells.map(\.index) == mirror.cells.map(\.index), "\(place)")
        #expect(plain.fading.map(\.index) == mirror.fading.map(\.index), "\(place)")
        let rects = zip(Self.rects(of: plain), Self.rects(of: mirror))
        for (rect, image) in rects {
            let expected = Rect(
                x: plain.surface.width - rect.maxX, y: rect.y, width: rect.width,
                height: rect.height)
            let distance = max(
                abs(expected.x - image.x), abs(expected.y - image.y),
                abs(expected.maxX - image.maxX), abs(expected.maxY - image.maxY))
            #expect(distance < 1e-3, "\(place): \(rect), \(image)")
        }
    }

    private static func rects(of frame: GridFrame) -> [Rect] {
        frame.cells.map(\.rect) + frame.fading.map(\.rect) + frame.headers.map(\.rect)
            + [frame.lifted?.rect, frame.handle?.rect].compactMap(\.self)
    }

    /// The first picture is at the right, and the left arrow key goes to the next one.
    @Test(arguments: GridSettings.Layout.allCases)
    func rowsBeginAtTheRight(layout: GridSettings.Layout) throws {
        var settings = GridSettings()
        settings.layout = layout
        var hand = Self.mirrored(Hand(settings: settings))
        let (first, second) = (try #require(hand.frame.cell(0)), try #require(hand.frame.cell(1)))
        #expect(abs(first.rect.maxX - 1920) < 1 && first.rect.y == second.rect.y)
        #expect(second.rect.maxX < first.rect.x)
        hand.press("Left")
        #expect(hand.grid.focus == 1)
        hand.press("Right")
        #expect(hand.grid.focus == 0)
        hand.press("Down")
        #expect(try #require(hand.frame.cell(hand.grid.focus ?? 0)).rect.y > first.rect.y)
    }

    /// The row at the top stays there when the direction of the language changes.
    @Test func theDirectionChangesInPlace() throws {
        var hand = Hand()
        hand.press("End")
        hand.settle()
        let plain = hand.frame
        let mirror = Self.mirrored(hand)
        #expect(mirror.frame.scroll.y == plain.scroll.y && mirror.grid.focus == hand.grid.focus)
        let cell = try #require(mirror.frame.cell(495))
        #expect(cell.rect.y == plain.cell(495)?.rect.y && cell.rect.maxX == 1920)
    }

    @Test func aPictureThatDoesNotExistHasNoPlace() {
        let layout = MirroredLayout(
            CanvasLayout(
                contents: GridContents(count: 3), surface: Size(width: 400, height: 300)),
            onWidth: 400)
        for index in [-1, 3, .max] {
            #expect(layout.rect(of: index) == Rect(x: 0, y: 0, width: 0, height: 0))
        }
    }
}

extension Gesture {
    /// What the mirrored fingers do on a surface that is `width` logical pixels wide.
    fileprivate func mirrored(onWidth width: Double) -> Gesture {
        func mirror(_ point: Point) -> Point { Point(x: width - point.x, y: point.y) }
        func mirror(_ fingers: Manipulation) -> Manipulation {
            var fingers = fingers
            fingers.base = mirror(fingers.base)
            fingers.centroid = mirror(fingers.centroid)
            fingers.rotation = -fingers.rotation
            return fingers
        }
        switch self {
        case .caught(let point): return .caught(at: mirror(point))
        case .manipulationBegan(let fingers): return .manipulationBegan(mirror(fingers))
        case .manipulationRebased(let fingers, let predicted):
            return .manipulationRebased(mirror(fingers), predicted: mirror(predicted))
        case .manipulationChanged(let fingers): return .manipulationChanged(mirror(fingers))
        case .manipulationPredicted(let fingers): return .manipulationPredicted(mirror(fingers))
        case .manipulationEnded(var release):
            release.centroid = mirror(release.centroid)
            release.velocity.dx = -release.velocity.dx
            release.rotationRate = -release.rotationRate
            return .manipulationEnded(release)
        case .tap(let point, let source): return .tap(at: mirror(point), source: source)
        case .longPress(let point, let source):
            return .longPress(at: mirror(point), source: source)
        case .twoFingerTap(let point): return .twoFingerTap(at: mirror(point))
        case .pen(let control, let point): return .pen(control, at: mirror(point))
        case .wheel(let detents, let point, let zooms):
            return .wheel(
                Vector(dx: -detents.dx, dy: detents.dy), at: mirror(point), zooms: zooms)
        case .scrollZoom(let distance, let point):
            return .scrollZoom(distance: distance, at: mirror(point))
        case .manipulationReverted, .resumed, .chrome, .doubleTap, .dragOut, .quickZoomBegan,
            .quickZoomChanged, .quickZoomPredicted, .quickZoomEnded:
            return self
        }
    }
}
