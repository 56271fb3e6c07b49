import CompositorKit
import Geometry
import Input
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

extension LiveTests {
    /// The border of a window that draws its own decorations.
    @Suite struct BorderTests {
        /// Each edge and corner, with a point of the border of a window of 640 × 400.
        private static let places: [(Point, XdgToplevel.ResizeEdge, WpCursorShapeDeviceV1.Shape)] =
            [
                (Point(x: 320, y: -6), .top, .nResize),
                (Point(x: 320, y: 406), .bottom, .sResize),
                (Point(x: -11.5, y: 200), .left, .wResize),
                (Point(x: 651, y: 200), .right, .eResize),
                (Point(x: -5, y: -5), .topLeft, .nwResize),
                (Point(x: 660 - 13, y: -5), .topRight, .neResize),
                (Point(x: -5, y: 405), .bottomLeft, .swResize),
                (Point(x: 645, y: 405), .bottomRight, .seResize),
                // Beside the corners.
                (Point(x: 20, y: -3), .topLeft, .nwResize),
                (Point(x: 645, y: 5), .topRight, .neResize),
                (Point(x: 645, y: 380), .bottomRight, .seResize),
            ]

        func ownDecorations(_ size: Size? = Size(width: 640, height: 400)) -> Setup {
            var setup = Setup()
            setup.decoration = .clientSide
            setup.windowSize = size
            return setup
        }

        func strips(_ stage: Stage) throws -> [Rect] {
            try stage.surface.children.compactMap(\.rect)
        }

        @Test(arguments: [OfferedGlobals.mutter43, .weston10, .cage0_1])
        func aFloatingWindowHasAShadow(_ offer: OfferedGlobals) throws {
            var setup = ownDecorations()
            setup.offer = offer
            let stage = try Stage.shown(setup)
            let surface = try stage.surface
            #expect(try stage.window.geometry == PixelRect(x: 0, y: 0, width: 640, height: 400))
            let strips = try strips(stage)
            #expect(strips.count == 4)
            let outer = strips.reduce(Rect(x: 0, y: 0, width: 0, height: 0)) { outer, strip in
                Rect(
                    x: min(outer.x, strip.x), y: min(outer.y, strip.y),
                    width: max(outer.maxX, strip.maxX) - min(outer.x, strip.x),
                    height: max(outer.maxY, strip.maxY) - min(outer.y, strip.y))
            }
            #expect(outer == Rect(x: -32, y: -32, width: 704, height: 464))
            #expect(surface.children.allSatisfy { $0.isBelow })
            #expect(surface.opaqueRegion.allSatisfy { !Rect($0).contains(.zero) })
            #expect(surface.opaqueRegion.contains { Rect($0).contains(Point(x: 0, y: 20)) })
            try expectShadow(stage)
            try stage.expectGoodEnd()
        }

        /// The shadow falls off from the edges, and the corners of the window are clear.
        private func expectShadow(_ stage: Stage) throws {
            func alpha(_ x: Double, _ y: Double) throws -> UInt32 {
                var alpha: UInt32 = 0
                for child in try stage.surface.children {
                    guard let rect = child.rect, rect.contains(Point(x: x, y: y)),
                        let pixels = child.surface.pixels
                    else { continue }
                    let column = Int(x - rect.x)
                    alpha = max(
                        alpha, pixels.values[Int(y - rect.y) * pixels.size.width + column] >> 24)
                }
                return alpha
            }
            let below = try [401.0, 408, 416, 430].map { try alpha(320, $0) }
            #expect(below == below.sorted(by: >) && below[0] > 80 && below[3] < 4)
            #expect(try alpha(-2, 200) > 60 && alpha(-31, 200) < 4)
            #expect(try alpha(1, 1) > 40, "the corner of the window shows the shadow")
            #expect(try alpha(320, 6) == 0, "nothing under the window")
            let pixels = try #require(try stage.surface.look())
            #expect(pixels.values[0] == 0 && pixels.values[639] == 0)
            #expect(pixels.values[399 * 640] == 0 && pixels.values[400 * 640 - 1] == 0)
            #expect(pixels.values[12] >> 24 == 255 && pixels.values[12 * 640] >> 24 == 255)
        }

        @Test func serverSideDecorationsCostNothing() throws {
            let stage = try Stage.shown()
            #expect(try stage.surface.children.isEmpty)
            #expect(try stage.window.geometry == nil)
            #expect(stage.compositor.surfaces.count == 1)
            #expect(try stage.surface.look()?.values[0] == 0xFF00_0000)
            #expect(
                try stage.surface.opaqueRegion == [PixelRect(x: 0, y: 0, width: 640, height: 400)])
            try stage.expectGoodEnd()
        }

        /// The input that the viewer has recorded, after its end.
        private func recorded(_ stage: Stage, in folder: TemporaryFolder) throws -> [String] {
            try stage.expectGoodEnd()
            return try #require(TestFile.text(folder / "input.txt")).split(separator: "\n")
                .map(String.init).filter { $0.contains("touch") || $0.contains("pointer") }
        }

        @Test func aFingerOnTheBorderResizes() throws {
            let folder = TemporaryFolder()
            let stage = try Stage.shown(
                ownDecorations(), options: ["--record", folder / "input.txt"])
            for (point, edge, _) in Self.places {
                try press(stage, at: point, [.touch(.frame), .touch(.cancel)])
                #expect(try stage.window.resizes.last == edge, "\(point)")
            }
            #expect(try stage.window.resizes.count == Self.places.count)
            #expect(try recorded(stage, in: folder) == [])
        }

        func press(
            _ stage: Stage, at point: Point, _ events: [InputEvent] = []
        ) throws {
            let seat = stage.compositor.seats[0]
            let (surface, local) = try #require(try stage.window.target(at: point))
            #expect(try surface !== stage.surface)
            seat.send(.touch(.down(id: 9, at: local)), to: surface)
            for event in events {
                stage.compositor.run(seconds: 0.02)
                seat.send(event, to: surface)
            }
            stage.compositor.run(seconds: 0.02)
        }

        @Test func theMouseResizesWithTheRightCursor() throws {
            let folder = TemporaryFolder()
            let stage = try Stage.shown(
                ownDecorations(), options: ["--record", folder / "input.txt"])
            let seat = stage.compositor.seats[0]
            for (point, edge, shape) in Self.places {
                let (surface, local) = try #require(try stage.window.target(at: point))
                seat.send(.pointer(.move(to: local)), to: surface)
                stage.compositor.run(seconds: 0.02)
                #expect(seat.cursorShape == shape, "\(point)")
                seat.send(.pointer(.button(.right, isDown: true)), to: surface)
                seat.send(.pointer(.button(.right, isDown: false)), to: surface)
                seat.send(.pointer(.button(.left, isDown: true)), to: surface)
                stage.compositor.run(seconds: 0.02)
                #expect(try stage.window.resizes.last == edge, "\(point)")
                seat.send(.pointer(.button(.left, isDown: false)), to: surface)
                seat.send(
                    .pointer(.axis(.vertical, value: 15, source: .wheel, value120: 120)),
                    to: surface)
                seat.send(.pointer(.leave), to: surface)
                stage.compositor.run(seconds: 0.05)
            }
            #expect(try stage.window.resizes.count == Self.places.count)
            // The content has its own cursor again.
            seat.send(.pointer(.move(to: Point(x: 320, y: 200))), to: try stage.surface)
            stage.compositor.run(seconds: 0.05)
            #expect(seat.cursorShape == .default || seat.cursorShape == .grab)
            let input = try recorded(stage, in: folder)
            #expect(input.count == 1 && input[0].hasSuffix("pointer move 320 200"), "\(input)")
        }

        /// A press beyond the border hits nothing, one inside hits the content.
        @Test func theBorderIsTwelvePixelsWide() throws {
            let stage = try Stage.shown(ownDecorations())
            let window = try stage.window
            for point in [Point(x: -12.5, y: 200), Point(x: 320, y: 412.5), Point(x: 653, y: -2)] {
                #expect(window.target(at: point) == nil)
            }
            for point in [Point(x: 0.5, y: 200), Point(x: 639, y: 399), Point(x: 3, y: 3)] {
                #expect(window.target(at: point)?.surface === window.surface)
            }
            try stage.expectGoodEnd()
        }

        /// The compositor does nothing: the next gesture on the content works.
        @Test func aResizeWithoutAnAnswerDoesNoHarm() throws {
            let stage = try Stage.shown(ownDecorations())
            try press(stage, at: Point(x: 320, y: -6), [.touch(.frame)])
            let seat = stage.compositor.seats[0]
            let child = try #require(try stage.window.target(at: Point(x: 320, y: -6))).surface
            seat.send(.touch(.move(id: 9, to: Point(x: 300, y: 90))), to: child)
            seat.send(.touch(.up(id: 9)), to: child)
            stage.compositor.run(seconds: 0.05)
            stage.play { hand in
                hand.tap(320, 200)
                hand.rest(90)
                hand.tap(320, 200)
            }
            #expect(try stage.last.zoom > 1)
            try stage.expectGoodEnd()
        }

        /// A palm on the border must not take the picture from the fingers that hold it.
        @Test func fingersOnTheContentAreNotInterrupted() throws {
            let stage = try Stage.shown(ownDecorations())
            try stage.play(
                "0 touch down 0 300 200\n0 touch frame\n40 touch move 0 300 240\n40 touch frame")
            try press(stage, at: Point(x: -6, y: 200), [.touch(.frame)])
            #expect(try stage.window.resizes.isEmpty)
            #expect(try stage.last.phase == "touching")
            try stage.play("0 touch up 0\n0 touch frame\n20 touch up 9\n20 touch frame")
            try stage.expectGoodEnd()
        }
    }
}
