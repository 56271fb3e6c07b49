import CompositorKit
import Geometry
import Input
import TestKit
import Testing
import WaylandProtocol
import WaylandServer

/// The border in all states and sizes that a compositor may request.
extension LiveTests.BorderTests {
    /// Tiled windows keep borders at their free edges; maximised and fullscreen ones have none.
    @Test func statesDecideAboutTheBorder() throws {
        let stage = try Stage.shown(ownDecorations())
        let window = try stage.window
        let size = Size(width: 640, height: 400)
        func configure(_ states: Set<XdgToplevel.State>) throws {
            window.configure(size, states: states)
            stage.compositor.run { window.isUpToDate }
            stage.untilSeen()
        }
        func isRound() throws -> Bool { try stage.surface.look()?.values[0] == 0 }
        func edges() -> [Bool] {
            [
                Point(x: 320, y: -6), Point(x: 320, y: 406), Point(x: -6, y: 200),
                Point(x: 646, y: 200),
            ].map { window.target(at: $0) != nil }
        }
        #expect(try edges() == [true, true, true, true] && isRound())
        try configure([.activated, .tiledLeft, .tiledTop, .tiledBottom])
        #expect(try edges() == [false, false, false, true] && !isRound())
        #expect(try strips(stage) == [Rect(x: 640, y: 0, width: 12, height: 400)])
        let pixels = window.surface.children.compactMap { $0.rect == nil ? nil : $0 }
            .first?.surface.pixels
        #expect(pixels?.values.allSatisfy { $0 == 0 } == true, "a shadow")
        // Only the edges change: there is nothing to paint, but the border follows.
        let commits = window.surface.commits.count
        try configure([.activated, .tiledLeft])
        #expect(edges() == [true, true, false, true])
        #expect(window.surface.commits.count == commits)
        try configure([.activated, .maximized])
        #expect(try edges() == [false, false, false, false] && !isRound())
        #expect(window.surface.opaqueRegion == [PixelRect(x: 0, y: 0, width: 640, height: 400)])
        try configure([.activated, .fullscreen])
        #expect(try strips(stage).isEmpty)
        // Edges that contradict, and the decorations of the compositor.
        try configure([
            .tiledLeft, .tiledRight, .tiledTop, .tiledBottom, .maximized, .fullscreen,
            .resizing, .suspended,
        ])
        #expect(edges() == [false, false, false, false])
        try configure([.activated])
        #expect(try edges() == [true, true, true, true] && isRound())
        stage.compositor.setup.decoration = .serverSide
        try configure([.activated])
        #expect(try edges() == [false, false, false, false] && !isRound())
        try stage.expectGoodEnd()
    }

    /// Each new size has its border; memory that the compositor holds is not painted into.
    @Test(arguments: [Setup.Release.immediately, .atNextCommit, .never])
    func theBorderFollowsTheSize(_ release: Setup.Release) throws {
        let stage = try Stage.shown(ownDecorations())
        let window = try stage.window
        stage.compositor.setup.release = release
        for step in 0..<12 {
            let size = Size(width: Double(120 + 97 * step), height: Double(500 - 30 * step))
            window.configure(size, states: [.activated, .resizing])
            stage.compositor.run(seconds: 0.05)
            if release == .never {
                window.surface.releaseAll()
                if step % 3 == 2 {
                    for child in window.surface.children { child.surface.releaseAll() }
                }
            }
        }
        stage.compositor.setup.release = .atNextCommit
        let last = Size(width: 700, height: 300)
        for child in window.surface.children { child.surface.releaseAll() }
        window.configure(last)
        stage.compositor.run { window.surface.commits.last?.logicalSize == last }
        stage.untilSeen()
        #expect(try strips(stage).map(\.maxX).max() == 732)
        #expect(try strips(stage).map(\.maxY).max() == 332)
        for child in window.surface.children { child.surface.checkHeld() }
        try stage.expectGoodEnd()
    }

    /// Sizes that no compositor should send: the window has a border that fits, and lives on.
    @Test(arguments: [
        Size(width: 1, height: 1), Size(width: 1, height: 300), Size(width: 3, height: 2),
        Size(width: 120, height: 80), Size(width: 25, height: 23),
    ])
    func tinyWindowsHaveABorder(_ size: Size) throws {
        let stage = try Stage.shown(ownDecorations())
        let window = try stage.window
        window.configure(size)
        stage.compositor.run { window.surface.commits.last?.logicalSize == size }
        stage.untilSeen()
        for (point, edge) in [
            (Point(x: size.width + 5, y: size.height + 5), XdgToplevel.ResizeEdge.bottomRight),
            (Point(x: -1, y: size.height / 2), .left),
            (Point(x: size.width / 2, y: -1), .top),
        ] {
            try press(stage, at: point, [.touch(.frame), .touch(.cancel)])
            #expect(window.resizes.last == edge, "\(point)")
        }
        let usual = Size(width: 640, height: 400)
        window.configure(usual)
        stage.compositor.run { window.surface.commits.last?.logicalSize == usual }
        stage.untilSeen()
        try stage.expectGoodEnd()
    }

    /// A window that is longer than any screen has no border as long as that.
    @Test(arguments: [Size(width: 32767, height: 100), Size(width: 100, height: 32767)])
    func aHugeWindowHasNoBorder(_ size: Size) throws {
        var setup = ownDecorations()
        setup.checksPixels = false
        let stage = try Stage.shown(setup)
        let window = try stage.window
        window.configure(size)
        #expect(stage.compositor.run { window.surface.commits.last?.logicalSize == size })
        stage.untilSeen()
        #expect(try strips(stage) == [])
        let usual = Size(width: 640, height: 400)
        window.configure(usual)
        stage.compositor.run { window.surface.commits.last?.logicalSize == usual }
        stage.untilSeen()
        #expect(try strips(stage).map(\.maxX).max() == 672)
        try stage.expectGoodEnd()
    }

    @Test func theWindowHasItsIcon() throws {
        let stage = try Stage.shown()
        #expect(try stage.window.iconName == "vitrine")
        try stage.expectGoodEnd()
    }
}
