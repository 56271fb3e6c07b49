import CompositorKit
import Geometry
import Input
import Testing
import WaylandClient
import WaylandProtocol
import WaylandServer

/// Drags to other programs, and drops of theirs.
@Suite struct DragTests {
    private static var files: DataContent {
        DataContent(["text/uri-list"], Array("file:///a".utf8))
    }
    private static let icon = DragIcon(
        size: PixelSize(width: 4, height: 2), pixels: [UInt32](repeating: 0xFFFF_0000, count: 8),
        scale: 2, hotspot: Point(x: 1, y: 1))

    // MARK: Out

    @Test func aFingerDragsAndTheCompositorTakesItOver() throws {
        let stage = try DataStage()
        var ends: [DragActions] = []
        func begin(_ seat: Int = 0) -> Bool {
            stage.exchange.beginDrag(
                Self.files, [.copy, .ask], icon: Self.icon, from: stage.log.window, seat: seat
            ) { ends.append($0) }
        }
        #expect(!begin(), "nothing is pressed")
        try stage.touch()
        _ = stage.log.drain()
        #expect(!begin(3))
        #expect(begin())
        try stage.pump()
        #expect(stage.data.requests == ["drag 51"])
        #expect(stage.data.dragged?.types == ["text/uri-list"])
        #expect(stage.data.dragged?.actions == [.copy, .ask])
        #expect(stage.log.drainInputs() == [.touch(.cancel)])
        // Nothing follows of the finger, whether the compositor cancels it or goes on sending.
        stage.desktop.touch?.motion(time: 4, id: 3, x: 5, y: 5)
        stage.desktop.touch?.up(serial: 54, time: 5, id: 3)
        stage.desktop.touch?.cancel()
        try stage.pump()
        #expect(stage.log.drainInputs() == [])
        let surface = stage.desktop.surfaces.first { $0.resource === stage.data.icon }
        #expect(surface?.committed.count == 1)
        let source = try #require(stage.data.dragged).resource
        source.action(dndAction: .copy)
        source.dndDropPerformed()
        let pipe = try #require(stage.data.dragged).ask("text/uri-list")
        #expect(try stage.read(pipe) == (Array("file:///a".utf8), true))
        source.dndFinished()
        try stage.pump()
        #expect(ends == [.copy])
        #expect(!begin(), "the finger has gone")
    }

    @Test func aCancelledDragEndsWithNothing() throws {
        let stage = try DataStage(version: 1)
        var ends: [DragActions] = []
        stage.desktop.pointer?.enter(
            serial: 7, surface: try stage.desktop.windowSurface.resource, surfaceX: 5, surfaceY: 6)
        stage.desktop.pointer?.button(serial: 8, time: 3, button: 0x110, state: .pressed)
        stage.desktop.pointer?.frame()
        try stage.pump()
        _ = stage.log.drain()
        #expect(
            stage.exchange.beginDrag(Self.files, from: stage.log.window, seat: 0) {
                ends.append($0)
            })
        try stage.pump()
        #expect(stage.data.requests == ["drag 8"] && stage.data.icon == nil)
        #expect(stage.log.drainInputs() == [.pointer(.button(.left, isDown: false))])
        stage.data.dragged?.resource.cancelled()
        try stage.pump()
        #expect(ends == [[]])
        #expect(stage.data.dragged?.isDestroyed == true)
    }

    @Test func anIconThatDoesNotFitIsNone() {
        let size = PixelSize(width: 3, height: 2)
        #expect(DragIcon(size: size, pixels: [1], hotspot: .zero) == nil)
        let six = [UInt32](repeating: 0, count: 6)
        #expect(DragIcon(size: size, pixels: six, hotspot: .zero) != nil)
        #expect(DragIcon(size: size, pixels: six, scale: 2, hotspot: .zero) == nil)
        #expect(DragIcon(size: .zero, pixels: [], hotspot: .zero) == nil)
    }

    // MARK: In

    /// Another program drags `types` to the point 10 20 of the window.
    private func enter(
        _ stage: DataStage, _ types: [String],
        actions: WlDataDeviceManager.DndAction = [.copy, .ask]
    ) throws -> TestData.OfferLog {
        let offer = stage.data.makeOffer(types, actions: actions)
        stage.data.device?.enter(
            serial: 9, surface: try stage.desktop.windowSurface.resource, x: 10, y: 20,
            id: offer.resource)
        try stage.pump()
        return offer
    }

    @Test func aDropArrivesAndIsFinished() throws {
        let stage = try DataStage()
        let offer = try enter(stage, ["text/html", "text/uri-list"])
        #expect(offer.requests == ["accept text/uri-list", "actions 5 4"])
        offer.resource.action(dndAction: .ask)
        stage.data.device?.motion(time: 1, x: 30, y: 40)
        stage.data.device?.drop()
        // Some compositors send a leave after the drop.
        stage.data.device?.leave()
        try stage.pump()
        #expect(stage.drops == ["entered 10.0 20.0", "moved 30.0 40.0", "left"])
        offer.send(Array("file:///c".utf8))
        try stage.pump()
        #expect(stage.drops.last == "dropped text/uri-list")
        #expect(stage.dropped.first?.bytes == Array("file:///c".utf8))
        #expect(
            offer.requests.suffix(4) == [
                "actions 1 1", "receive text/uri-list", "finish", "destroy",
            ])
    }

    /// As browsers drag a picture: the address is no file, so the picture is dropped.
    @Test func aPictureBesideAnAddressIsDropped() throws {
        let stage = try DataStage()
        let offer = try enter(stage, ["text/uri-list", "text/html", "image/png"])
        #expect(offer.requests == ["accept text/uri-list", "actions 5 4"])
        offer.resource.action(dndAction: .copy)
        stage.data.device?.drop()
        try stage.pump()
        offer.send(Array("https://a/b.png".utf8))
        try stage.pump()
        #expect(!offer.requests.contains("finish") && stage.dropped.isEmpty)
        offer.send([1, 2])
        try stage.pump()
        #expect(stage.drops.last == "dropped image/png to copy")
        #expect(stage.dropped.map(\.bytes) == [[1, 2]])
        #expect(
            offer.requests.suffix(4) == [
                "receive text/uri-list", "receive image/png", "finish", "destroy",
            ])
    }

    /// With Ctrl the compositor chooses to copy, though the other program would let us ask.
    @Test func withCtrlADropCopies() throws {
        let stage = try DataStage()
        let offer = try enter(stage, ["image/png"])
        offer.resource.action(dndAction: .copy)
        stage.data.device?.drop()
        try stage.pump()
        offer.send([1])
        try stage.pump()
        #expect(stage.drops.last == "dropped image/png to copy")
        // A program that only copies says nothing about Ctrl.
        let plain = try enter(stage, ["image/png"], actions: .copy)
        plain.resource.action(dndAction: .copy)
        stage.data.device?.drop()
        try stage.pump()
        plain.send([1])
        try stage.pump()
        #expect(stage.drops.last == "dropped image/png")
    }

    @Test func whatIsNotWantedIsRefused() throws {
        let stage = try DataStage()
        let offer = try enter(stage, ["text/html"])
        #expect(offer.requests == ["accept nothing", "destroy"])
        stage.data.device?.drop()
        try stage.pump()
        #expect(stage.drops == [])
        stage.log.window.onDrop = nil
        let other = try enter(stage, ["text/uri-list"])
        #expect(other.requests == ["accept nothing", "destroy"])
    }

    @Test func aDropWithoutDataFails() throws {
        let stage = try DataStage()
        let offer = try enter(stage, ["text/uri-list"])
        offer.resource.action(dndAction: .copy)
        stage.data.device?.drop()
        try stage.pump()
        stage.pass(5001)
        try stage.pump()
        #expect(stage.drops.last == String(describing: DataFailure.noAnswer))
        #expect(offer.requests.last == "destroy" && !offer.requests.contains("finish"))
    }

    @Test func dataThatLeaveAreForgotten() throws {
        let stage = try DataStage()
        let offer = try enter(stage, ["text/uri-list"])
        stage.data.device?.leave()
        stage.data.device?.drop()
        try stage.pump()
        #expect(stage.drops == ["entered 10.0 20.0", "left"])
        #expect(offer.requests.last == "destroy")
    }

    /// The own drag over the own window does nothing; the next one of another program does.
    @Test func theOwnDragIsNotDropped() throws {
        let stage = try DataStage()
        try stage.touch()
        #expect(
            stage.exchange.beginDrag(Self.files, from: stage.log.window, seat: 0) { _ in })
        let own = try enter(stage, ["text/uri-list"])
        #expect(own.requests == ["accept nothing", "destroy"])
        stage.data.device?.drop()
        try stage.pump()
        #expect(stage.drops == [])
        let other = try enter(stage, ["text/uri-list"])
        #expect(other.requests.first == "accept text/uri-list")
    }

    /// Where the window wants them, the own data are dropped; elsewhere they are refused.
    @Test(arguments: [true, false]) func theOwnDragIsDroppedWhereTheWindowWants(isWanted: Bool)
        throws
    {
        let stage = try DataStage()
        stage.log.window.wantsOwnDrop = { $0.x > 100 && $0.x < 200 }
        try stage.touch()
        #expect(
            stage.exchange.beginDrag(Self.files, from: stage.log.window, seat: 0) { _ in })
        let own = try enter(stage, ["text/uri-list"])
        #expect(own.requests == [])
        stage.data.device?.motion(time: 1, x: 150, y: 40)
        stage.data.device?.motion(time: 2, x: isWanted ? 160 : 250, y: 40)
        try stage.pump()
        let accepted = ["accept text/uri-list", "actions 5 4"]
        #expect(own.requests == accepted + (isWanted ? [] : ["accept nothing", "actions 0 0"]))
        if isWanted { own.resource.action(dndAction: .ask) }
        stage.data.device?.drop()
        try stage.pump()
        #expect(stage.drops == ["left"])
        guard isWanted else { return #expect(own.requests.last == "destroy") }
        own.send(Array("file:///c".utf8))
        try stage.pump()
        #expect(stage.drops == ["left", "dropped text/uri-list"])
    }
}
