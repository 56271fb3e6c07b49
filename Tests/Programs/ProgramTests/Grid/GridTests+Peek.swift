import CompositorKit
import Geometry
import Input
import TestKit
import Testing

/// Pictures lifted out of the feed.
extension HeadlessGridTests {
    /// The time at which the fingers of `peek` land, in milliseconds; the feed rests by then.
    private static let landing = 1004.0

    /// A pinch in the feed; `after` adds input after the end of its motion.
    private func peek(
        to spread: Double, by translation: Vector = .zero, settings: [String] = [],
        after: (inout Hand) -> Void
    ) -> (pinch: EvenPinch, run: HeadlessGrid.Run) {
        let middle = Point(x: 320, y: 200)
        let pinch = EvenPinch(
            start: Self.landing, duration: 300, midpoints: (middle, middle + translation),
            spreads: (80, spread))
        let run = HeadlessGrid().play(["grid.columns=2"] + settings) { hand in
            hand.key("plus")
            hand.rest(Self.landing - 40)
            pinch.play(&hand)
            after(&hand)
        }
        return (pinch, run)
    }

    private func liftBoth(_ hand: inout Hand) {
        hand.rest(200)
        hand.lift(1, 2)
    }

    @Test func theBackdropFollowsTheScaleExactly() throws {
        let (_, run) = peek(to: 170, after: liftBoth)
        let peeks = run.peeks
        let start = try #require(peeks.first?.time)
        let held = peeks.filter { $0.time > start + 80 && $0.time < Self.landing + 500 }
        #expect(held.count > 15)
        for (time, peek) in held {
            let dim = min(0.4 + (peek.scale - 1), 0.8)
            #expect(abs(peek.dim - dim) < 2e-6, "\(peek) at \(time)")
        }
        // Both below the maximum and at it.
        #expect(held.contains { $0.peek.dim < 0.79 } && held.contains { $0.peek.dim == 0.8 })
        // At first the backdrop fades in.
        let eased = peeks.filter { $0.time < start + 60 }.map(\.peek.dim)
        #expect(eased == eased.sorted() && (eased.first ?? 1) < 0.2)
    }

    @Test func aFixedBackdropIsTheSameAtEveryScale() throws {
        let (_, run) = peek(to: 300, settings: ["peek.dim=0.6"], after: liftBoth)
        let start = try #require(run.peeks.first?.time)
        let held = run.peeks.filter { $0.time > start + 200 && $0.time < Self.landing + 500 }
        #expect(held.count > 10)
        #expect(held.allSatisfy { $0.peek.dim == 0.6 })
        let eased = run.peeks.filter { $0.time < start + 190 }.map(\.peek.dim)
        #expect(eased == eased.sorted() && (eased.last ?? 0) > 0.5)
    }

    /// The point under the fingers stays under them wherever they move.
    @Test func theLiftedPictureFollowsTheFingers() throws {
        let (pinch, run) = peek(to: 170, by: Vector(dx: 120, dy: -70), after: liftBoth)
        let held = run.peeks.filter { $0.time < pinch.end }
        #expect(held.count > 10)
        var first: Point?
        for (time, peek) in held {
            let (place, rect) = (pinch.midpoint(at: time), peek.rect)
            let part = Point(
                x: (place.x - rect.x) / rect.width, y: (place.y - rect.y) / rect.height)
            let start = first ?? part
            first = start
            #expect(abs(part.x - start.x) * rect.width < 0.5, "\(time)")
            #expect(abs(part.y - start.y) * rect.height < 0.5, "\(time)")
            // The cell of a square picture is 20 px lower than the surface.
            #expect(abs(rect.width - 380 * peek.scale) < 0.01)
        }
    }

    @Test(arguments: [("2", 400.0, 2.0), ("1.5", 400, 1.5), ("0", 400, nil), ("2", 120, nil)])
    func theScaleHasLimits(_ setting: String, _ spread: Double, _ limit: Double?) throws {
        let (pinch, run) = peek(to: spread, settings: ["peek.max=\(setting)"], after: liftBoth)
        let scale = try #require(run.peeks.last { $0.time < pinch.end + 190 }?.peek.scale)
        // The slop is 16 px of the spread; past the limit the picture resists.
        let asked = spread / 96
        if let limit {
            #expect(scale > limit * 1.05 && scale < asked * 0.9)
        } else {
            #expect(abs(scale - asked) < 0.01)
        }
    }

    @Test func theMinimumScaleIsHard() throws {
        let (_, run) = peek(to: 170) { hand in
            hand.move([1: (300, 200), 2: (340, 200)], in: 200)
            hand.move([1: (200, 200), 2: (240, 200)], in: 100)
            hand.rest(100)
            hand.lift(1, 2)
        }
        let last = try #require(run.peeks.last { $0.time < Self.landing + 690 }).peek
        #expect(last.scale == 1)
        #expect(run.peeks.allSatisfy { $0.peek.scale >= 1 })
        // It still follows the fingers.
        let first = try #require(run.peeks.first).peek
        #expect(abs(last.rect.center.x - first.rect.center.x + 100) < 3)
    }

    // MARK: End

    private enum Ending: CaseIterable {
        case lifted, oneFingerLifted, cancelled, escape, thirdFinger, thirdFingerCancelled

        /// The time for which three fingers hold the picture at the end, in milliseconds.
        var joining: Double { self == .thirdFinger || self == .thirdFingerCancelled ? 100 : 0 }
        /// Whether fingers of the pinch stay on the screen, which would resume it.
        var leavesFingers: Bool { self == .oneFingerLifted || self == .escape }
    }

    private func end(_ ending: Ending, _ hand: inout Hand) {
        if ending.joining > 0 {
            hand.touch([3: (100, 100)])
            hand.rest(ending.joining)
        }
        switch ending {
        case .lifted: hand.lift(1, 2)
        case .oneFingerLifted: hand.lift(1)
        case .cancelled, .thirdFingerCancelled: hand.cancel()
        case .escape: hand.key("Escape")
        case .thirdFinger: hand.lift(1, 2, 3)
        }
        // A finger that lands in the meantime does not scroll.
        guard !ending.leavesFingers else { return }
        hand.rest(60)
        hand.touch([9: (500, 300)])
        hand.move([9: (500, 250)], in: 100)
    }

    /// After every ending the picture returns within 0.3 s, and the grid does not scroll before.
    @Test(arguments: 0..<6) func everyEndingReturnsThePicture(_ number: Int) throws {
        let ending = Ending.allCases[number]
        let (_, run) = peek(to: 230, by: Vector(dx: 40, dy: 30)) { hand in
            hand.rest(100)
            end(ending, &hand)
        }
        let over = Self.landing + 400 + ending.joining
        let held = run.peeks.filter { $0.time < over }
        // A lift is reported one report later.
        let fallen = run.peeks.filter { $0.time > over + 9 }
        let scale = try #require(held.last?.peek.scale)
        #expect(scale > 2)
        // Fingers that join move nothing.
        #expect(held.suffix(4).allSatisfy { abs($0.peek.scale - scale) < 0.01 })
        #expect((fallen.last?.time ?? .infinity) <= over + 9 + 300)
        #expect((fallen.first?.peek.scale ?? .infinity) <= scale)
        let dims = fallen.map(\.peek.dim)
        #expect(dims == dims.sorted { $0 > $1 } && (dims.last ?? 1) < 0.05)
        #expect(run.frames.allSatisfy { $0.showsGrid })
        let scroll = try #require(run.frames.first { $0.peek != nil }).scroll
        #expect(run.frames.allSatisfy { $0.peek == nil || $0.scroll == scroll })
        let home = try #require(held.first?.peek.rect)
        let landed = try #require(fallen.last?.peek.rect)
        #expect((landed.center - home.center).length < 12)
        #expect(try run.last.peek == nil)
    }

    @Test(arguments: [(200.0, true), (140, false)])
    func releasedLargeEnoughAPictureOpens(_ spread: Double, _ opens: Bool) throws {
        let (_, run) = peek(to: spread, settings: ["peek.release=open"], after: liftBoth)
        #expect(try run.last.showsGrid != opens)
        #expect(try run.last.phase == "idle")
        guard opens else { return }
        // The flight continues from the fingers.
        let lifted = try #require(run.peeks.last).peek
        let flying = try #require(run.frames.first { !$0.showsGrid }?.rect)
        #expect((flying.center - lifted.rect.center).length < 20)
        #expect(try run.last.path == lifted.path)
    }

    @Test func aSettingMakesPinchesPeekInAnyGrid() throws {
        let run = HeadlessGrid().play(["grid.pinch=peek"]) { hand in
            hand.rest(104)
            hand.touch([1: (280, 190), 2: (360, 190)])
            hand.move([1: (230, 190), 2: (410, 190)], in: 300)
            hand.rest(100)
            hand.lift(1, 2)
        }
        let peek = try #require(run.peeks.last { $0.time < 490 }).peek
        #expect(peek.path.hasSuffix("/07.png"))
        #expect(abs(peek.scale - 180 / 96) < 0.01)
        #expect(run.frames.allSatisfy { $0.columns == 5 })
        #expect(try run.last.peek == nil)
    }
}
