import CLinux
import CompositorKit
import EventLoop
import Glibc
import Motion
import SystemCalls
import Testing
import WaylandClient
import WaylandProtocol
import WaylandServer

/// Copying to other programs and pasting from them.
@Suite struct ClipboardTests {
    // MARK: Copying

    @Test func theSelectionOffersTheTypesForTheLatestInput() throws {
        let stage = try DataStage(hasPrimarySelection: true)
        #expect(!stage.exchange.copy(DataContent(["text/plain"], [1]), seat: 0), "nothing pressed")
        try stage.touch()
        #expect(!stage.exchange.copy(DataContent(["text/plain"], [1]), seat: 4), "no such seat")
        try stage.copy(DataContent(["text/uri-list", "image/png"], Array("abc".utf8)))
        #expect(stage.data.requests == ["selection 51"])
        let source = try #require(stage.data.selected)
        #expect(source.types == ["text/uri-list", "image/png"])
        #expect(stage.data.primarySources.count == 1)
        let pipe = source.ask("image/png")
        defer { close(pipe) }
        #expect(try stage.read(pipe) == (Array("abc".utf8), true))
        // A type that was never offered.
        let other = source.ask("text/html")
        defer { close(other) }
        #expect(try stage.read(other) == ([], true))
        source.resource.cancelled()
        try stage.pump()
        #expect(source.isDestroyed)
    }

    @Test func aProviderMayAnswerLaterOrNever() throws {
        let stage = try DataStage()
        try stage.touch()
        var answers: [(DataBytes?) -> Void] = []
        try stage.copy(DataContent(types: ["image/png"]) { _, send in answers.append(send) })
        let source = try #require(stage.data.selected)
        let (late, never, refused) = (
            source.ask("image/png"), source.ask("image/png"), source.ask("image/png")
        )
        defer { for pipe in [late, never, refused] { close(pipe) } }
        try stage.pump()
        #expect(answers.count == 3)
        answers[0](.bytes([1, 2, 3]))
        answers[2](nil)
        #expect(try stage.read(late) == ([1, 2, 3], true))
        #expect(try stage.read(refused) == ([], true))
        #expect(stage.exchange.isBusy)
        stage.pass(60_000)
        #expect(!stage.exchange.isBusy)
        answers[1](.bytes([9]))
        #expect(try stage.read(never) == ([], true))
    }

    @Test func aReceiverThatNeverReadsOrClosesEarlyHoldsNothingUp() throws {
        let stage = try DataStage()
        try stage.touch()
        try stage.copy(
            DataContent(["image/png"], [UInt8](repeating: 7, count: 3 << 20)))
        let source = try #require(stage.data.selected)
        let stuck = source.ask("image/png")
        let early = source.ask("image/png")
        defer { close(stuck) }
        close(early)
        try stage.pump()
        // The broken pipe has raised no signal, and its transfer is over; the other one waits.
        let good = source.ask("image/png")
        defer { close(good) }
        let read = try stage.read(good)
        #expect(read.bytes.count == 3 << 20 && read.hasEnded)
        #expect(stage.exchange.isBusy)
        stage.pass(9000)
        #expect(stage.exchange.isBusy)
        stage.pass(1001)
        #expect(!stage.exchange.isBusy)
    }

    @Test func aFileIsSentWholeFromItsBeginning() throws {
        let stage = try DataStage()
        try stage.touch()
        let memory = clinux_memfd_create("test")
        let bytes = (0..<(5 << 19)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 7) }
        try writeAll(bytes, to: memory)
        let file = OwnedDescriptor(memory)
        try stage.copy(DataContent(types: ["image/jpeg"]) { _, send in send(.file(file)) })
        let pipe = try #require(stage.data.selected).ask("image/jpeg")
        defer { close(pipe) }
        let read = try stage.read(pipe)
        #expect(read.hasEnded && read.bytes == bytes)
    }

    /// No more programs than 16 are served at once: the others see the end of the data.
    @Test func thereIsALimitOfReaders() throws {
        let stage = try DataStage()
        try stage.touch()
        try stage.copy(DataContent(types: ["image/png"]) { _, _ in })
        let source = try #require(stage.data.selected)
        let pipes = (0..<20).map { _ in source.ask("image/png") }
        defer { for pipe in pipes { close(pipe) } }
        try stage.pump()
        let ended = pipes.map { pipe in
            _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
            var byte: UInt8 = 0
            return Glibc.read(pipe, &byte, 1) == 0
        }
        #expect(ended.filter { $0 }.count == 4)
    }

    // MARK: Pasting

    @Test func filesAndPicturesArePasted() throws {
        let stage = try DataStage()
        let files = stage.data.select(["text/plain", "text/uri-list"])
        try stage.paste()
        #expect(files.requests == ["receive text/uri-list"])
        files.send(Array("file:///a".utf8))
        try stage.pump()
        #expect(stage.bytes == Array("file:///a".utf8))
        let picture = stage.data.select(["image/webp"])
        try stage.paste()
        #expect(files.requests.last == "destroy")
        picture.send([5, 6, 7])
        try stage.pump()
        #expect(stage.bytes == [5, 6, 7])
        guard case .success(let data) = stage.pasted.last, case .memory(let file) = data.contents
        else {
            Issue.record("not in memory")
            return
        }
        #expect(clinux_is_sealed(file.descriptor) == 1)
    }

    /// Browsers offer the address of a picture, and the picture.
    ///
    /// The picture is nil where the viewer does not ask for it, because there is a local file.
    @Test(
        arguments: [
            ("file:///a", nil, "text/uri-list"), ("https://a/b.png", "picture", "image/png"),
            ("", "picture", "image/png"), ("https://a/b.png", "", "text/uri-list"),
        ] as [(String, String?, String)])
    func aPictureBesideAnAddressIsPasted(list: String, picture: String?, type: String) throws {
        let stage = try DataStage()
        let offer = stage.data.select(["text/uri-list", "text/html", "image/png"])
        try stage.paste()
        offer.send(Array(list.utf8))
        try stage.pump()
        if let picture {
            #expect(stage.pasted.isEmpty)
            offer.send(Array(picture.utf8))
            try stage.pump()
        }
        let asked = ["receive text/uri-list"] + (picture == nil ? [] : ["receive image/png"])
        #expect(offer.requests == asked)
        guard case .success(let data) = stage.pasted.last else {
            Issue.record("nothing pasted")
            return
        }
        #expect(stage.pasted.count == 1 && data.type == type && !stage.exchange.isBusy)
        #expect(data.bytes == Array((type == "image/png" ? picture ?? "" : list).utf8))
    }

    /// A program that does not answer is not asked again, and one that only names the picture has said so.
    @Test func whatFailsFirstIsTheReason() throws {
        let stage = try DataStage()
        let silent = stage.data.select(["text/uri-list", "image/png"])
        try stage.paste()
        stage.pass(5001)
        try stage.pump()
        #expect(stage.failure == .noAnswer && silent.requests == ["receive text/uri-list"])
        let slow = stage.data.select(["text/uri-list", "image/png"])
        try stage.paste()
        slow.send(Array("https://a/".utf8))
        try stage.pump()
        stage.pass(5001)
        #expect(stage.bytes == Array("https://a/".utf8) && !stage.exchange.isBusy)
        let empty = stage.data.select(["text/uri-list", "image/png"])
        try stage.paste()
        empty.send([])
        try stage.pump()
        empty.send([])
        try stage.pump()
        #expect(stage.failure == .noData && stage.pasted.count == 3)
    }

    /// The selection changes while its list is read: its picture is gone.
    @Test func aSelectionThatIsReplacedGivesNoPicture() throws {
        let stage = try DataStage()
        let offer = stage.data.select(["text/uri-list", "image/png"])
        try stage.paste()
        _ = stage.data.select(["image/png"])
        try stage.pump()
        offer.send(Array("https://a/".utf8))
        try stage.pump()
        #expect(stage.bytes == Array("https://a/".utf8) && stage.pasted.count == 1)
    }

    @Test func whatIsNotOfferedIsNotPasted() throws {
        let stage = try DataStage()
        try stage.paste()
        #expect(stage.failure == .empty)
        _ = stage.data.select(["text/html"])
        try stage.paste()
        #expect(stage.failure == .unusable)
        stage.data.device?.selection(id: nil)
        try stage.paste()
        #expect(stage.failure == .empty)
        let without = try Desktop()
        let exchange = without.connection.startDataExchange(EventSources())
        try without.pump()
        #expect(!exchange.isAvailable)
        var failures: [DataFailure] = []
        exchange.paste(seat: 0) { if case .failure(let failure) = $0 { failures.append(failure) } }
        #expect(failures == [.empty])
    }

    @Test func anOwnerThatNeverAnswersIsGivenUp() throws {
        let stage = try DataStage()
        let offer = stage.data.select(["text/uri-list"])
        try stage.paste()
        stage.pass(4999)
        #expect(stage.pasted.isEmpty)
        stage.pass(2)
        #expect(stage.failure == .noAnswer && !stage.exchange.isBusy)
        offer.send([1])
        try stage.pump()
        #expect(stage.pasted.count == 1)
    }

    /// A byte from time to time does not hold a paste up for ever.
    @Test func anOwnerThatTricklesIsGivenUp() throws {
        let stage = try DataStage()
        let offer = stage.data.select(["text/uri-list"])
        try stage.paste()
        let pipe = try #require(offer.pipes.first)
        defer { close(pipe) }
        var seconds = 0
        while stage.pasted.isEmpty, seconds < 100 {
            _ = clinux_write_now(pipe, "x", 1)
            try stage.pump()
            stage.pass(4000)
            seconds += 4
        }
        #expect(stage.failure == .noAnswer && seconds == 60)
    }

    @Test(arguments: ["text/uri-list", "image/png"])
    func anOwnerThatSendsForEverIsCutOff(type: String) throws {
        let stage = try DataStage()
        let offer = stage.data.select([type])
        try stage.paste()
        let pipe = try #require(offer.pipes.first)
        _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
        let chunk = [UInt8](repeating: 65, count: 1 << 16)
        var sent = 0
        while stage.pasted.isEmpty, sent < 8 << 20 {
            sent += max(0, clinux_write_now(pipe, chunk, chunk.count))
            try stage.pump()
        }
        close(pipe)
        #expect(stage.failure == .tooLarge(limit: 1 << 20))
        #expect(sent < 4 << 20)
    }

    @Test func anOwnerThatSendsNothingIsReported() throws {
        let stage = try DataStage()
        let offer = stage.data.select(["image/png"])
        try stage.paste()
        offer.send([])
        try stage.pump()
        #expect(stage.failure == .noData)
    }

    /// Offers that are never used, that are unknown by now, and with thousands of types.
    @Test func aHostileCompositorIsBorne() throws {
        let stage = try DataStage()
        let first = stage.data.makeOffer(["text/uri-list"])
        for _ in 0..<40 { _ = stage.data.makeOffer(["text/uri-list"]) }
        try stage.pump()
        #expect(first.requests == ["destroy"])
        stage.data.device?.leave()
        stage.data.device?.drop()
        stage.data.device?.motion(time: 1, x: 1, y: 1)
        stage.data.device?.enter(
            serial: 1, surface: try stage.desktop.windowSurface.resource, x: 1, y: 1, id: nil)
        stage.data.device?.drop()
        try stage.pump()
        #expect(stage.drops == [])
        let many = stage.data.select((0..<3000).map { "x/\($0)" } + ["image/png"])
        for _ in 0..<8 { try stage.pump() }
        try stage.paste()
        #expect(stage.failure == .unusable, "only the first 256 types count")
        // The same offer for a drag, too.
        stage.data.device?.enter(
            serial: 2, surface: try stage.desktop.windowSurface.resource, x: 1, y: 1,
            id: many.resource)
        stage.data.device?.selection(id: many.resource)
        stage.data.device?.drop()
        try stage.pump()
        #expect(stage.drops == [])
        stage.desktop.seatGlobal?.remove()
        try stage.pump()
        #expect(!stage.exchange.isAvailable)
    }

    /// A program may paste what it has copied itself.
    @Test func theOwnCopyIsPasted() throws {
        let stage = try DataStage()
        try stage.touch()
        try stage.copy(DataContent(["text/uri-list"], Array("file:///b".utf8)))
        let offer = stage.data.select(["text/uri-list"])
        try stage.paste()
        let pipe = try #require(offer.pipes.first)
        stage.data.selected?.resource.send(mimeType: "text/uri-list", fd: pipe)
        try stage.desktop.pump()
        close(pipe)
        try stage.pump()
        #expect(stage.bytes == Array("file:///b".utf8))
    }
}
