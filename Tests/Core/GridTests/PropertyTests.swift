import SeededRandom
import Geometry
import Gestures
import Glibc
import Input
import Motion
import Testing

@testable import Grid

/// Invariants of the grid under random gestures.
@Suite struct PropertyTests {
    /// A source of random gestures that keeps the state of the fingers, so the sequence is valid.
    struct RandomHand {
        var hand: Hand
        var numbers: SeededGenerator
        var held: Manipulation?

        init(seed: UInt64, layout: GridSettings.Layout) {
            numbers = SeededGenerator(seed: seed)
            var settings = GridSettings()
            settings.layout = layout
            settings.pinch = seed.isMultiple(of: 2) ? .peek : .zoom
            settings.peekRelease = seed.isMultiple(of: 3) ? .open : .back
            let sections =
                seed.isMultiple(of: 5)
                ? [] : [GridSection(title: "a", first: 0), GridSection(title: "b", first: 33)]
            hand = Hand(
                count: [0, 1, 7, 200, 3000][Int(seed % 5)], sections: sections,
                width: .random(in: 300...2000, using: &numbers),
                height: .random(in: 300...1200, using: &numbers), settings: settings
            ) { index in
                // One of four sizes is not known.
                (index + Int(seed)) % 4 == 0
                    ? nil
                    : PixelSize(width: 100 + index % 7 * 130, height: 100 + index % 5 * 170)
            }
        }

        mutating func number(_ range: ClosedRange<Double>) -> Double {
            .random(in: range, using: &numbers)
        }

        mutating func point() -> Point {
            Point(x: number(-20...2000), y: number(-20...1200))
        }

        /// The fingers after a small random movement.
        mutating func strayed(_ fingers: Manipulation) -> Manipulation {
            var fingers = fingers
            fingers.centroid =
                fingers.centroid + Vector(dx: number(-60...60), dy: number(-60...60))
            fingers.scale *= exp(number(-0.2...0.2))
            return fingers
        }

        /// A random gesture, and whether the gesture itself moves the content at once.
        mutating func gesture() -> (gesture: Gesture, moves: Bool) {
            if var fingers = held {
                switch Int.random(in: 0..<10, using: &numbers) {
                case 0:
                    held = nil
                    let release = Release(
                        centroid: fingers.centroid,
                        velocity: Vector(dx: number(-4000...4000), dy: number(-4000...4000)),
                        zoomRate: number(-9...9), isCancelled: Bool.random(using: &numbers))
                    return (.manipulationEnded(release), false)
                case 1:
                    held = nil
                    return (.manipulationReverted, false)
                case 2:
                    let count = Int.random(in: 1...4, using: &numbers)
                    fingers = Hand.fingers(count, base: point())
                    held = fingers
                    return (.manipulationRebased(fingers, predicted: strayed(fingers)), false)
                case 3, 4: return (.manipulationPredicted(strayed(fingers)), true)
                default:
                    held = strayed(fingers)
                    return (.manipulationChanged(held ?? fingers), true)
                }
            }
            switch Int.random(in: 0..<12, using: &numbers) {
            case 0: return (.tap(at: point(), source: .touch), false)
            case 1: return (.longPress(at: point(), source: .touch), false)
            case 2: return (.twoFingerTap(at: point()), false)
            case 3:
                let detents = Vector(dx: 0, dy: number(-500...500))
                return (.wheel(detents, at: point(), zooms: Bool.random(using: &numbers)), false)
            case 4: return (.scrollZoom(distance: number(-200...200), at: point()), false)
            case 5, 6: return (.caught(at: point()), false)
            default:
                held = Hand.fingers(Int.random(in: 1...3, using: &numbers), base: point())
                return (.manipulationBegan(held ?? Hand.fingers(1, base: .zero)), false)
            }
        }
    }

    /// The drawn rectangles of a frame by picture index; index −1 is the lifted picture.
    private func drawn(_ frame: GridFrame) -> [Int: Rect] {
        var rects = Dictionary(uniqueKeysWithValues: frame.cells.map { ($0.index, $0.rect) })
        if let lifted = frame.lifted { rects[-1] = lifted.rect }
        return rects
    }

    /// The largest jump of a cell with an opacity above 0.3 between two frames, in logical pixels.
    private func jump(_ old: GridFrame, _ new: GridFrame) -> Double {
        let surface = Rect(origin: .zero, size: new.surface)
        var farthest = 0.0
        let places = new.cells + new.fading
        for cell in old.cells + old.fading where cell.opacity > 0.3 {
            guard cell.rect.intersects(surface) else { continue }
            let now = places.filter { $0.index == cell.index && $0.opacity > cell.opacity - 0.25 }
            // The cell is gone: its visible part counts as the jump.
            guard let nearest = now.map({ corners(cell.rect, $0.rect) }).min() else {
                let seen = cell.rect.intersection(surface)
                farthest = max(farthest, min(seen.width, seen.height))
                continue
            }
            farthest = max(farthest, nearest)
        }
        if let lifted = old.lifted, let now = new.lifted {
            farthest = max(farthest, corners(lifted.rect, now.rect))
        }
        return farthest
    }

    private func corners(_ a: Rect, _ b: Rect) -> Double {
        max(abs(a.x - b.x), abs(a.y - b.y), abs(a.maxX - b.maxX), abs(a.maxY - b.maxY))
    }

    private func isSane(_ frame: GridFrame) -> Bool {
        let rects =
            frame.cells.map(\.rect) + frame.headers.map(\.rect)
            + [frame.lifted?.rect, frame.handle?.rect].compactMap(\.self)
        let numbers =
            rects.flatMap { [$0.x, $0.y, $0.width, $0.height] } + frame.cells.map(\.opacity)
            + [frame.scale, frame.scroll.x, frame.scroll.y, frame.content.height]
        return numbers.allSatisfy(\.isFinite)
            && frame.cells.allSatisfy { (0...1).contains($0.opacity) }
            && (0...1).contains(frame.lifted?.dim ?? 0) && (frame.lifted?.scale ?? 1) >= 1
    }

    @Test(arguments: GridSettings.Layout.allCases)
    func nothingJumpsAndTheGridSettlesWithinItsLimits(layout: GridSettings.Layout) {
        for seed in UInt64(0)..<25 {
            var random = RandomHand(seed: seed, layout: layout)
            for _ in 0..<120 {
                random.hand.wait(random.number(0...40))
                let before = random.hand.frame
                let (gesture, moves) = random.gesture()
                random.hand.send(gesture)
                let after = random.hand.frame
                #expect(isSane(after))
                guard !moves else { continue }
                #expect(jump(before, after) < 1, "seed \(seed), \(gesture)")
            }
            random.hand.send(.manipulationEnded(Release(centroid: .zero)))
            random.hand.send(.tap(at: Point(x: -9, y: -9), source: .touch))
            random.hand.settle()
            expectRest(random.hand, seed: seed)
        }
    }

    private func expectRest(_ hand: Hand, seed: UInt64) {
        let frame = hand.frame
        let grid = hand.grid
        #expect(frame.phase == .idle && frame.lifted == nil && frame.handle == nil)
        #expect(abs(grid.layout.restScale(near: frame.scale) - frame.scale) < 1e-9, "seed \(seed)")
        let range = grid.scrollRange(at: frame.scale)
        let inside = range.clamp(frame.scroll)
        #expect((inside - frame.scroll).length < 1e-6, "seed \(seed)")
        #expect(frame.cells.allSatisfy { $0.opacity == 1 })
        #expect(frame.content.width >= frame.surface.width - 1e-6)
    }

    @Test func framesOfASettleAreContinuousInTime() {
        // Between two frames 0.02 ms apart nothing moves farther than 1.2 pixels.
        for seed in UInt64(1)..<12 {
            var random = RandomHand(seed: seed * 7, layout: .reflow)
            for _ in 0..<40 {
                random.hand.send(random.gesture().gesture)
                random.hand.wait(8)
            }
            if random.held != nil { random.hand.send(.manipulationEnded(Release(centroid: .zero))) }
            for _ in 0..<200 where random.hand.grid.isAnimating(at: random.hand.now) {
                random.hand.wait(random.number(0...9))
                let old = random.hand.frame
                random.hand.wait(0.02)
                #expect(jump(old, random.hand.frame) < 1.2, "seed \(seed)")
            }
        }
    }

    @Test(arguments: [30.0, 60, 144])
    func framesDoNotDependOnTheRefreshRate(hertz: Double) {
        func end(_ hertz: Double) -> (GridFrame, GridFrame) {
            var hand = Hand()
            hand.pinch(
                at: Point(x: 1500, y: 700), to: 1.9, by: Vector(dx: -200, dy: 40), zoomRate: 2)
            let start = hand.time
            while hand.time < start + 100 - 1e-6 { hand.wait(1000 / hertz) }
            hand.time = start + 100
            let early = hand.frame
            hand.settle(hertz: hertz)
            return (early, hand.frame)
        }
        let (early, late) = end(hertz)
        let (reference, last) = end(1000)
        #expect(drawn(early) == drawn(reference))
        #expect(drawn(late) == drawn(last))
        #expect(late.scroll == last.scroll)
    }

    @Test func hostileNumbersDoNoHarm() {
        for layout in GridSettings.Layout.allCases {
            var settings = GridSettings()
            settings.layout = layout
            var hand = Hand(settings: settings)
            let odd = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0]
            for value in odd {
                let point = Point(x: value, y: value)
                for gesture: Gesture in [
                    .caught(at: point), .tap(at: point, source: .mouse),
                    .longPress(at: point, source: .mouse),
                    .wheel(Vector(dx: value, dy: value), at: point, zooms: false),
                    .wheel(Vector(dx: value, dy: value), at: point, zooms: true),
                    .scrollZoom(distance: value, at: point), .twoFingerTap(at: point),
                    .manipulationBegan(Hand.fingers(2, base: point, scale: value)),
                    .manipulationChanged(Hand.fingers(2, base: point, scale: value)),
                    .manipulationEnded(
                        Release(
                            centroid: point, velocity: Vector(dx: value, dy: value),
                            zoomRate: value)),
                    .manipulationBegan(Hand.fingers(1, base: point)),
                    .manipulationChanged(Hand.fingers(1, base: .zero, centroid: point)),
                    .manipulationReverted, .quickZoomBegan(at: point),
                    .quickZoomChanged(distance: value), .quickZoomEnded,
                ] {
                    hand.send(gesture)
                    hand.wait(10)
                    #expect(isSane(hand.frame), "\(layout) \(gesture)")
                }
                hand.settle()
            }
        }
    }
}
