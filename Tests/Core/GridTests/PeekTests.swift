import CoreTestKit
import Geometry
import Gestures
import Glibc
import Motion
import Settings
import Testing

@testable import Grid

/// Peek: a pinch lifts one picture out of the grid.
@Suite struct PeekTests {
    /// A feed of square pictures on a phone.
    private func feed(_ change: (inout GridSettings) -> Void = { _ in }) -> Hand {
        var settings = GridSettings()
        change(&settings)
        var hand = Hand(count: 50, width: 390, height: 844, settings: settings) { _ in
            PixelSize(width: 100, height: 100)
        }
        hand.grid.zoom(to: 5, about: .zero, at: hand.now)
        hand.settle()
        return hand
    }

    private let base = Point(x: 200, y: 500)

    private func near(_ value: Double, _ expected: Double, _ tolerance: Double = 6e-5) -> Bool {
        abs(value - expected) < tolerance
    }

    @Test(arguments: [(1.0, 0.4), (1.25, 0.65), (1.4, 0.8), (2.0, 0.8)])
    func theBackdropDarkensWithTheScale(scale: Double, opacity: Double) {
        // Reference values K1: opacity = 0.4 + (scale − 1), at most 0.8.
        #expect(near(PeekDim.standard.opacity(at: scale), opacity))
    }

    @Test func thePictureFollowsTheFingers() {
        // K2: cell (40, 500, 350, 350), centroid (200, 650) → (230, 600), finger span 100 → 180.
        let home = Rect(x: 40, y: 500, width: 350, height: 350)
        let fingers = Hand.fingers(
            2, base: Point(x: 200, y: 650), centroid: Point(x: 230, y: 600), scale: 1.8)
        let peek = Peek(
            index: 0, home: home, fingers: fingers, base: fingers.base, baseSpread: 1,
            settings: GridSettings(), at: .zero)
        let rect = peek.rect(home: home, at: .zero)
        #expect(near(rect.x, -58) && near(rect.y, 330) && near(rect.width, 630))
    }

    @Test func beyondItsLimitTheScaleIsRubberBanded() {
        // K3: unlimited scale 2.6, limits 1…2.
        var hand = feed()
        hand.pinch(at: base, to: 2.6, lets: false)
        #expect(near(hand.frame.lifted?.scale ?? 0, 2.2537))
        var free = feed { $0.peekMaximum = 0 }
        free.pinch(at: base, to: 7, lets: false)
        #expect(free.frame.lifted?.scale == 7)
    }

    @Test func aPictureIsLiftedHeldAndPutBack() throws {
        var hand = feed()
        let home = try #require(hand.frame.cell(1)).rect
        hand.pinch(at: base, to: 1.3, by: Vector(dx: 40, dy: -60), lets: false)
        let frame = hand.frame
        let lifted = try #require(frame.lifted)
        #expect(lifted.index == 1)
        #expect(lifted.scale == 1.3)
        #expect(near(lifted.dim, 0.7))
        let held = (base - home.center) * 1.3
        #expect((lifted.rect.center + held - (base + Vector(dx: 40, dy: -60))).length < 1e-9)
        #expect(frame.cell(1)?.isHidden == true)
        #expect(frame.activity == .peek && frame.phase == .touching)
        hand.send(.manipulationEnded(Release(centroid: base)))
        #expect(((hand.frame.lifted?.rect.center ?? .zero) - lifted.rect.center).length < 1e-9)
        #expect(near(hand.frame.lifted?.dim ?? 0, 0.7))
        hand.wait(150)
        #expect(hand.frame.cell(1)?.isHidden == true)
        #expect(hand.frame.phase == .animating)
        hand.wait(149.9)
        let last = try #require(hand.frame.lifted)
        #expect((last.rect.center - home.center).length < 0.5 && last.dim < 0.01)
        hand.wait(0.2)
        #expect(hand.frame.lifted == nil)
        #expect(hand.frame.cell(1)?.isHidden == false)
        #expect(hand.requests.isEmpty)
    }

    @Test func theBackdropFadesInWithin80Milliseconds() {
        var hand = feed()
        hand.send(.caught(at: base))
        hand.send(.manipulationBegan(Hand.fingers(2, base: base, scale: 1.1)))
        #expect(hand.frame.lifted?.dim == 0)
        hand.wait(40)
        #expect(near(hand.frame.lifted?.dim ?? 0, 0.25))
        #expect(hand.grid.isAnimating(at: hand.now))
        hand.wait(40)
        #expect(near(hand.frame.lifted?.dim ?? 0, 0.5))
        hand.wait(1000)
        #expect(!hand.grid.isAnimating(at: hand.now))
    }

    @Test func thePlainDimReachesItsOpacityAfter200MillisecondsAtAnyScale() {
        var hand = feed { $0.peekDim = .plain }
        hand.send(.caught(at: base))
        hand.send(.manipulationBegan(Hand.fingers(2, base: base, scale: 1.1)))
        hand.wait(100)
        #expect(near(hand.frame.lifted?.dim ?? 0, 0.3))
        hand.wait(100)
        #expect(near(hand.frame.lifted?.dim ?? 0, 0.6))
        hand.send(.manipulationChanged(Hand.fingers(2, base: base, scale: 1.9)))
        #expect(near(hand.frame.lifted?.dim ?? 0, 0.6))
    }

    @Test func theFirstLiftedFingerEndsThePeek() {
        var hand = feed()
        hand.pinch(at: base, to: 1.5, lets: false)
        hand.rebase(Hand.fingers(1, base: Point(x: 250, y: 500)))
        let scroll = hand.frame.scroll
        hand.wait(100)
        hand.send(
            .manipulationChanged(
                Hand.fingers(1, base: Point(x: 250, y: 500), centroid: Point(x: 250, y: 100))))
        hand.wait(201)
        #expect(hand.frame.lifted == nil)
        #expect(hand.frame.scroll == scroll, "the grid does not scroll meanwhile")
        hand.send(.manipulationEnded(Release(centroid: .zero, velocity: .init(dx: 0, dy: -4000))))
        hand.settle()
        #expect(hand.frame.scroll == scroll)
    }

    @Test(arguments: [
        Gesture.manipulationEnded(Release(centroid: .zero, isCancelled: true)),
        .manipulationReverted, .manipulationEnded(Release(centroid: .zero)),
    ])
    func everyEndReturnsThePictureToItsCell(end: Gesture) {
        var hand = feed { $0.peekRelease = .open }
        hand.pinch(at: base, to: 1.59, lets: false)
        hand.send(end)
        hand.wait(300)
        #expect(hand.frame.lifted == nil && hand.frame.scroll == feed().frame.scroll)
        #expect(hand.requests.isEmpty)
    }

    @Test func aReleaseAtALargeScaleOpensThePictureIfSet() {
        var hand = feed { $0.peekRelease = .open }
        hand.pinch(at: base, to: 1.61)
        #expect(hand.requests == [.open(index: 1)])
        let rect = hand.grid.cellRect(of: 1, at: hand.now)
        #expect(rect == hand.frame.lifted?.rect)
        hand.grid.hide(1)
        #expect(hand.frame.lifted == nil && hand.frame.cell(1)?.isHidden == true)
        var cancelled = feed { $0.peekRelease = .open }
        cancelled.pinch(at: base, to: 1.9, lets: false)
        cancelled.send(.manipulationEnded(Release(centroid: base, isCancelled: true)))
        #expect(cancelled.effects.isEmpty)
    }

    @Test func aNewPinchCatchesTheReturningPicture() throws {
        var hand = feed()
        hand.pinch(at: base, to: 1.8, by: Vector(dx: 50, dy: 0))
        hand.wait(90)
        let before = try #require(hand.frame.lifted)
        #expect(hand.grid.isMoving(at: hand.now))
        let other = Point(x: 100, y: 300)
        hand.send(.caught(at: other))
        hand.send(.manipulationBegan(Hand.fingers(1, base: other)))
        hand.rebase(Hand.fingers(2, base: other))
        let after = try #require(hand.frame.lifted)
        #expect((before.rect.center - after.rect.center).length < 1e-9)
        #expect(near(before.scale, after.scale, 1e-9) && near(before.dim, after.dim, 1e-9))
        hand.wait(400)
        #expect(hand.frame.lifted != nil)
        hand.send(.manipulationEnded(Release(centroid: other)))
        hand.wait(300)
        #expect(hand.frame.lifted == nil)
    }

    @Test func closingFingersZoomOutOfTheFeedInstead() {
        var hand = feed()
        hand.pinch(at: base, to: 0.5)
        #expect(hand.frame.lifted == nil)
        hand.settle()
        #expect(hand.frame.columns == 2)
    }

    @Test func theGridLiftsPicturesOnlyIfSet() {
        var hand = Hand()
        hand.pinch(at: Point(x: 900, y: 500), to: 1.5, lets: false)
        #expect(hand.frame.lifted == nil && hand.frame.activity == .pinch)
        var settings = GridSettings()
        settings.pinch = .peek
        var other = Hand(settings: settings)
        other.pinch(at: Point(x: 900, y: 500), to: 1.5, lets: false)
        #expect(other.frame.lifted?.index == 7)
        // A pinch beside the cells lifts no picture.
        var beside = Hand(count: 3, settings: settings)
        beside.pinch(at: Point(x: 900, y: 900), to: 1.5, lets: false)
        #expect(beside.frame.lifted == nil && beside.frame.activity == .pinch)
    }

    @Test func aLiftedPictureSurvivesAResizeAndEndsWithItsFile() {
        var hand = feed()
        hand.pinch(at: base, to: 1.5, lets: false)
        hand.grid.resize(to: Size(width: 844, height: 390), at: hand.now)
        #expect(hand.frame.lifted?.scale == 1.5)
        hand.grid.update(
            to: GridContents(count: 49), mapping: { $0 == 1 ? nil : max($0 - 1, 0) }, at: hand.now)
        #expect(hand.frame.lifted == nil)
    }

    @Test func dimSettingsAreParsed() throws {
        var settings = GridSettings()
        try GridSettings.table.set(Setting("peek.dim", written: "[0.2, 0.9]"), in: &settings)
        #expect(settings.peekDim == .withScale(low: 0.2, high: 0.9))
        try GridSettings.table.set(Setting("peek.dim", written: "\"0.6\""), in: &settings)
        #expect(settings.peekDim == .plain)
        for wrong in ["", "[]", "2", "[0.9, 0.2]", "[0.1, x]", "nan"] {
            #expect(throws: SettingRefusal.self) {
                try GridSettings.table.set(Setting("peek.dim", written: wrong), in: &settings)
            }
        }
        try GridSettings.table.set(Setting("grid.layout", written: "canvas"), in: &settings)
        try GridSettings.table.set(Setting("grid.columns", written: "7"), in: &settings)
        #expect(settings.layout == .canvas && settings.columns == 7)
        #expect(throws: SettingRefusal.self) {
            try GridSettings.table.set(Setting("grid.columns", written: "0"), in: &settings)
        }
        #expect(throws: SettingRefusal.self) {
            try GridSettings.table.set(Setting("grid.pench", written: "peek"), in: &settings)
        }
        #expect(throws: SettingRefusal.self) {
            try GridSettings.table.set(Setting("peek.max", written: "0.5"), in: &settings)
        }
    }
}
