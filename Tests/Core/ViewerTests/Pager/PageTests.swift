import CoreTestKit
import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel
import Testing

@testable import Viewer

/// Page turns by finger, touchpad and keys.
@Suite struct PageTests {
    private static let view = Size(width: 1280, height: 800)
    private static let four = Array(repeating: PixelSize(width: 1600, height: 1000), count: 4)
    private let pitch = Paging.pitch(width: 1280)
    private let middle = Point(x: 640, y: 400)

    private func rig(_ index: Int = 1, withheld: Set<Int> = []) -> Rig {
        Rig(Self.four, on: Self.view, index: index, withheld: withheld)
    }

    /// A viewer zoomed in by one double tap, with the picture's left edge at the surface's left edge.
    private func atLeftEdge() -> Rig {
        var rig = rig()
        rig.doubleTap(Point(x: 0, y: 400))
        rig.rest()
        return rig
    }

    // MARK: At fit

    @Test func theNeighbourFollowsTheFingerWithAGap() throws {
        var rig = rig()
        rig.drag(from: middle, by: Vector(dx: -310, dy: 20), rest: 200, lifts: false)
        rig.pass(to: rig.now + 100)
        let pictures = rig.pictures
        #expect(Set(pictures.keys) == [1, 2])
        let own = try #require(pictures[1]).placement
        let next = try #require(pictures[2]).placement
        // The slop of 10 px lies along the direction of the drag.
        #expect(abs(own.center.x - (640 - 300.02)) < 0.1)
        #expect(own.center.y == 400)
        #expect(abs(next.center.x - own.center.x - pitch) < 1e-9)
        #expect(rig.frame.activity == .swipe)
        #expect(rig.frame.index == 1)
    }

    /// Ctrl counts by the modifiers in effect, whatever key has them.
    @Test func theWheelZoomsWithTheModifiersInEffect() {
        var rig = rig()
        rig.send(.pointer(.move(to: middle)))
        rig.send(.modifiers(.control))
        rig.send(.pointer(.axis(.vertical, value: -15, source: .wheel, value120: -120)))
        rig.rest()
        #expect(rig.viewer.index == 1 && rig.placement.zoom > 0.9)
        rig.send(.modifiers([]))
        rig.key("0")
        rig.rest()
        rig.send(.pointer(.axis(.vertical, value: 15, source: .wheel, value120: 120)))
        #expect(rig.viewer.index == 2)
    }

    /// A compositor that was held up sends several reports, each with its own time, in one frame.
    @Test(arguments: [1, 4, 100]) func everyTimeIsAReport(perFrame: Int) {
        var rig = rig(0)
        for swipe in 0..<3 {
            let start = 1000 + Double(swipe) * 400
            rig.send(.touch(.down(id: 0, at: Point(x: 900, y: 420))), at: start)
            for step in 1...10 {
                let point = Point(x: 900 - 38 * Double(step), y: 420 + Double(step))
                rig.send(.touch(.move(id: 0, to: point)), at: start + 11 * Double(step))
                if step % perFrame == 0 { rig.send(.touch(.frame)) }
            }
            rig.send(.touch(.up(id: 0)), at: start + 121)
            rig.send(.touch(.frame))
        }
        #expect(rig.viewer.index == 3)
    }

    @Test func aShortSlowDragComesBackAndALongOneTurns() {
        var short = rig()
        short.drag(from: middle, by: Vector(dx: -200, dy: 0), speed: 300, rest: 200)
        #expect(short.viewer.index == 1)
        short.rest()
        #expect(short.placement.center == middle)
        var long = rig()
        long.drag(from: Point(x: 1200, y: 400), by: Vector(dx: -800, dy: 0), rest: 200)
        #expect(long.viewer.index == 2)
        long.rest()
        #expect(long.placement.center == middle)
        #expect(long.effects == [.want])
    }

    @Test func aFlickTurnsHoweverShort() {
        var rig = rig()
        rig.drag(from: middle, by: Vector(dx: 60, dy: 0), speed: 700)
        #expect(rig.viewer.index == 0)
    }

    @Test func aFlickBackKeepsThePage() {
        var rig = rig()
        rig.drag(from: middle, by: Vector(dx: -300, dy: 0), lifts: false)
        for step in 1...8 {
            rig.touch([.move(id: 0, to: Point(x: 340 + Double(step) * 10, y: 400))], after: 8)
        }
        rig.touch([.up(id: 0)], after: 4)
        #expect(rig.viewer.index == 1)
        rig.rest()
        #expect(rig.placement.center == middle)
    }

    @Test(arguments: [(0, 1.0), (3, -1.0)])
    func theFirstAndLastPageAreRubberBanded(index: Int, sign: Double) {
        var rig = rig(index)
        rig.drag(
            from: middle, by: Vector(dx: 310 * sign, dy: 0), speed: 400, rest: 200, lifts: false)
        rig.pass(to: rig.now + 100)
        let expected = RubberBand.displayed(300, extent: 1280)
        #expect(abs((rig.placement.center.x - 640) * sign - expected) < 0.5)
        rig.touch([.up(id: 0)], after: 4)
        rig.rest()
        #expect(rig.viewer.index == index)
        #expect(rig.placement.center == middle)
    }

    /// Case A8: a page turn is caught during its animation and swiped again.
    @Test func aCaughtPageTurnCanBeSwipedAgain() {
        var rig = rig(0)
        rig.drag(from: middle, by: Vector(dx: -150, dy: 0), speed: 1500)
        #expect(rig.viewer.index == 1)
        rig.pass(to: rig.now + 40)
        let before = rig.placement.center
        rig.touch([.down(id: 0, at: middle)])
        #expect((rig.placement.center - before).length < 1e-9)
        #expect(rig.frame.activity == .swipe)
        for step in 1...10 {
            rig.touch([.move(id: 0, to: Point(x: 640 - Double(step) * 8, y: 400))], after: 8)
        }
        rig.touch([.up(id: 0)], after: 4)
        #expect(rig.viewer.index == 2)
        rig.rest()
        #expect(rig.placement.center == middle)
        #expect(rig.pictures.count == 1)
    }

    @Test func aCancelledSwipeTurnsNothing() {
        var rig = rig()
        rig.drag(from: Point(x: 1200, y: 400), by: Vector(dx: -900, dy: 0), lifts: false)
        rig.touch([.cancel], after: 8)
        rig.rest()
        #expect(rig.viewer.index == 1)
        #expect(rig.placement.center == middle)
    }

    @Test func noPageTurnsWhileTwoFingersAreDown() {
        var rig = rig()
        rig.drag(from: middle, by: Vector(dx: -300, dy: 0), lifts: false)
        rig.touch([.down(id: 1, at: Point(x: 900, y: 400))], after: 8)
        let before = rig.placement
        for step in 1...10 {
            let moved = Vector(dx: -Double(step) * 20, dy: 0)
            rig.touch(
                [
                    .move(id: 0, to: Point(x: 340, y: 400) + moved),
                    .move(id: 1, to: Point(x: 900, y: 400) + moved),
                ], after: 8)
        }
        #expect(abs(rig.placement.center.x - before.center.x - -200) < 25)
        rig.touch([.up(id: 0), .up(id: 1)], after: 4)
        rig.rest()
        #expect(rig.viewer.index == 1)
        #expect(rig.placement.center == middle)
    }

    @Test func touchpadScrollingSwipesToo() {
        var rig = rig()
        rig.send(.pointer(.move(to: middle)))
        for _ in 0..<12 {
            rig.send(
                .pointer(.axis(.horizontal, value: 25, source: .finger, value120: nil)),
                at: rig.now + 8)
        }
        #expect(rig.frame.activity == .scroll)
        #expect(rig.placement.center.x < 400)
        rig.send(.pointer(.axisStop(.horizontal)), at: rig.now + 4)
        #expect(rig.viewer.index == 2)
    }

    // MARK: Zoomed in

    /// Vector H1: the picture moves the 20 px to its edge and is then rubber-banded.
    @Test func h1ThePictureResistsAtAnEdgeThatWasNotReached() {
        let geometry = geometry(count: 2, page: 1)
        let start = Placement(center: Point(x: 1280 - 20, y: 400), zoom: 1.6)
        let fingers = held(by: Vector(dx: 60, dy: 0))
        let hold = ActiveManipulation(
            .init(kind: .pan, start: start, origin: start), fingers, on: geometry)
        #expect(abs(hold.placement.center.x - 1280 - 21.6283) < 1e-4)
        #expect(hold.pagerOffset == 0)
    }

    /// Vector H2: a drag that begins at the edge moves the pager.
    @Test func h2ThePagerMovesAtTheEdge() {
        let geometry = geometry(count: 2, page: 1)
        let start = Placement(center: Point(x: 1280, y: 400), zoom: 1.6)
        let fingers = held(by: Vector(dx: 60, dy: 0))
        var hold = ActiveManipulation(
            .init(kind: .pan, start: start, origin: start), fingers, on: geometry)
        #expect(hold.placement.center.x == 1280)
        #expect(hold.pagerOffset == 60)
        // In the other direction the pager moves back first, then the picture.
        hold.follow(held(by: Vector(dx: -40, dy: 0)), on: geometry)
        #expect(hold.pagerOffset == 0)
        #expect(hold.placement.center.x == 1240)
    }

    private func geometry(count: Int, page: Int) -> ViewGeometry {
        ViewerModel(viewport: Viewport(size: Self.view), count: count, index: page, text: .fixed)
            .with(Self.four[0], at: page).geometry
    }

    private func held(by translation: Vector) -> Manipulation {
        Manipulation(source: .touch, fingers: 1, base: middle, centroid: middle + translation)
    }

    @Test func aSecondDragHandsOverToTheNeighbour() throws {
        var rig = atLeftEdge()
        #expect(abs(rig.placement.center.x - 1280) < 1)
        rig.drag(from: Point(x: 200, y: 400), by: Vector(dx: 210, dy: 0), lifts: false)
        rig.pass(to: rig.now + 100)
        let pictures = rig.pictures
        let own = try #require(pictures[1]).placement
        let other = try #require(pictures[0]).placement
        // The left edges of the zoomed picture and of its page coincide.
        #expect(abs(own.center.x - 1280 - 200) < 1)
        #expect(abs(other.center.x - (200 - pitch + 640)) < 1)
        #expect(rig.frame.activity == .swipe)
        for step in 1...6 {
            rig.touch([.move(id: 0, to: Point(x: 410 + Double(step) * 10, y: 400))], after: 8)
        }
        rig.touch([.up(id: 0)], after: 4)
        #expect(rig.viewer.index == 0)
        rig.rest()
        #expect(rig.placement == rig.viewer.geometry.fit(rotation: 0))
        // On return the picture is at fit.
        rig.key("Right")
        rig.rest()
        #expect(rig.placement.zoom == 0.8)
    }

    @Test func aDragFromInsideStopsAtTheEdge() {
        var rig = atLeftEdge()
        rig.drag(from: middle, by: Vector(dx: -500, dy: 0), rest: 200)
        rig.rest()
        let inside = rig.placement.center.x
        #expect(inside < 900)
        rig.drag(from: Point(x: 100, y: 400), by: Vector(dx: 900, dy: 0), speed: 900, rest: 200)
        rig.rest()
        #expect(rig.viewer.index == 1)
        #expect(abs(rig.placement.center.x - 1280) < 1)
    }

    @Test(arguments: [(200.0, true), (400.0, false)])
    func aFastDragContinuesPastANearEdge(distance: Double, turns: Bool) {
        var rig = atLeftEdge()
        rig.drag(
            from: middle, by: Vector(dx: -distance - 10, dy: 0), speed: 300, rest: 200)
        rig.rest()
        #expect(abs(rig.placement.center.x - (1280 - distance)) < 1)
        rig.drag(from: Point(x: 100, y: 400), by: Vector(dx: 700, dy: 0), speed: 2500)
        #expect(rig.viewer.index == (turns ? 0 : 1))
        rig.rest()
        #expect(rig.isAtRest)
    }

    // MARK: Keys, pending pictures, failures

    @Test func keysSlideToTheNeighbourAndJumpFarther() {
        var rig = rig(0)
        rig.key("Right")
        #expect(rig.viewer.index == 1)
        #expect(abs(rig.placement.center.x - 640 - pitch) < 1e-9)
        rig.pass(to: rig.now + 50)
        #expect(rig.pictures.count == 2)
        rig.rest()
        #expect(rig.placement.center == middle)
        rig.key("Home")
        rig.rest()
        rig.key("End")
        #expect(rig.viewer.index == 3)
        #expect(rig.placement.center == middle)
    }

    @Test func aKeyWaitsForAnUnloadedPicture() {
        var rig = rig(0, withheld: [1])
        rig.key("Right")
        #expect(rig.viewer.index == 1)
        #expect(rig.effects == [.want])
        rig.pass(to: rig.now + 200)
        // The shown picture stays and does not move.
        #expect(Set(rig.pictures.keys) == [0])
        #expect(rig.placement.center == middle)
        rig.withheld = []
        rig.load()
        rig.pass(to: rig.now + 50)
        #expect(Set(rig.pictures.keys) == [0, 1])
        rig.rest()
        #expect(Set(rig.pictures.keys) == [1])
    }

    @Test func aDraggedEmptyPageReceivesItsPicture() {
        var rig = rig(0, withheld: [1])
        rig.drag(from: Point(x: 1200, y: 400), by: Vector(dx: -100, dy: 0), speed: 900)
        #expect(rig.viewer.index == 1)
        rig.pass(to: rig.now + 60)
        rig.touch([.down(id: 0, at: middle)])
        let displacement = rig.viewer.drawnPagerOffset(at: Moment(milliseconds: rig.now))
        #expect(displacement > 50)
        rig.withheld = []
        rig.load()
        #expect(abs(rig.placement.center.x - 640 - displacement) < 1e-9)
        for step in 1...5 {
            rig.touch([.move(id: 0, to: Point(x: 640 + Double(step) * 10, y: 400))], after: 8)
        }
        rig.pass(to: rig.now + 100)
        #expect(abs(rig.placement.center.x - 640 - displacement - 50) < 1)
    }

    @Test func aBrokenPictureShowsItsMessage() throws {
        var rig = rig(0, withheld: [1])
        rig.interaction.target.fail(index: 1, text: "broken", at: .zero)
        rig.drag(from: Point(x: 1200, y: 400), by: Vector(dx: -310, dy: 0), lifts: false)
        let panel = try #require(
            rig.frame.scene.items.compactMap { item -> LayerItem? in
                if case .layer(let layer) = item { layer } else { nil }
            }.first)
        let texts = panel.elements.compactMap { element -> String? in
            if case .text(let label) = element { label.text } else { nil }
        }
        #expect(texts == ["Broken"])
        #expect(abs(panel.rect.center.x - (640 + pitch - 300)) < 30)
        #expect(rig.frame.message == nil)
        rig.touch([.up(id: 0)], after: 4)
        rig.rest()
        #expect(rig.viewer.index == 1)
        #expect(rig.frame.message == "broken")
        #expect(rig.frame.picture == nil)
        // A swipe continues to the next picture.
        rig.drag(from: Point(x: 1200, y: 400), by: Vector(dx: -310, dy: 0), speed: 900)
        rig.rest()
        #expect(rig.viewer.index == 2)
        #expect(rig.frame.picture != nil)
    }

    @Test func theNextNeighbourIsRequestedFirst() {
        var rig = rig(1)
        #expect(rig.viewer.wanted == [1, 2, 0])
        rig.key("Left")
        #expect(rig.viewer.wanted == [0, 1])
        rig.key("Right")
        rig.key("Right")
        rig.key("Left")
        #expect(rig.viewer.wanted == [1, 0, 2])
    }

    @Test func aRotatedPictureStaysRotated() {
        var rig = rig(1)
        rig.key("r")
        rig.rest()
        let turned = rig.placement
        rig.key("Right")
        rig.rest()
        #expect(rig.placement.rotation == 0)
        rig.key("Left")
        rig.rest()
        #expect(rig.placement == turned)
    }

    @Test func reducedMotionTurnsPagesAtOnce() {
        var settings = ViewerSettings()
        settings.reducedMotion = true
        var rig = Rig(Self.four, on: Self.view, settings: settings)
        rig.key("Right")
        #expect(rig.placement.center == middle)
        #expect(rig.isAtRest)
        rig.drag(from: Point(x: 1200, y: 400), by: Vector(dx: -310, dy: 0), speed: 900)
        #expect(rig.viewer.index == 2)
        #expect(rig.placement.center == middle)
    }

    @Test func movingPagesAreClippedAtTheirGap() throws {
        var rig = atLeftEdge()
        rig.drag(from: Point(x: 200, y: 400), by: Vector(dx: 310, dy: 0), lifts: false)
        let pictures = rig.pictures
        let left = try #require(pictures[0]?.clip)
        let right = try #require(pictures[1]?.clip)
        #expect(abs(left.maxX - right.x) < 1e-9)
    }
}

extension ViewerModel {
    /// The viewer with a picture on one of its pages.
    fileprivate func with(_ size: PixelSize, at index: Int) -> ViewerModel {
        var viewer = self
        viewer.present(
            index: index, size: size, source: .init(picture: index, revision: 1), at: .zero)
        return viewer
    }
}
