import FileAccess
import DecodeClient
import EventLoop
import Geometry
import ImageTypes
import ImageWire
import Motion
import TestKit
import Testing

/// Sessions with the real decoder process.
@Suite
final class DecodeSessionTests {
    private let folder = TemporaryFolder()
    private let sources = EventSources()
    private let card = TestPicture.card(72, 40)
    private var events: [DecodeEvent] = []
    private var turns = 0

    private func session(_ decoder: String = Binaries.decoder) throws -> DecodeSession {
        let session = try DecodeSession(
            try DecoderEnvironment(
                program: DecoderProgram(decoder), limits: .standard, screen: nil, sources: sources,
                clock: Decoding.now), niceness: 0)
        session.onEvent = { [unowned self] in events.append($0) }
        session.onTurnEnd = { [unowned self] in turns += 1 }
        return session
    }

    private func run(while isRunning: () -> Bool) {
        while isRunning() {
            _ = sources.wait(atMost: 20)
            sources.handleReady()
            sources.handleDeadlines(at: Decoding.now())
        }
    }

    @Test func aPictureIsDecodedAndItsIdIsReported() throws {
        let session = try session()
        session.start(.picture, of: 42, .descriptor(Decoding.file(card.png())))
        session.decode(target: card.size)
        #expect(session.isBusy)
        run { session.isBusy }
        #expect(events.map(\.id) == Array(repeating: 42, count: events.count))
        guard case .info? = events.first, case .finished(_, message: nil)? = events.last else {
            Issue.record("no info or no end: \(events)")
            return
        }
        #expect(turns > 0)
    }

    @Test func aHeaderIsReadWithoutPixels() throws {
        let session = try session()
        session.start(.header, of: 1, .descriptor(Decoding.file(card.png())))
        run { session.isBusy }
        #expect(events.count == 2)
        guard case .info(1, let info)? = events.first else { return }
        #expect(info.size == card.size)
    }

    @Test func aThumbnailIsMade() throws {
        let session = try session()
        let request = ThumbnailRequest(side: 36)
        session.start(.thumbnail(request), of: 1, .descriptor(Decoding.file(card.png())))
        run { session.isBusy }
        let bitmaps = events.compactMap { event in
            if case .pixels(_, let bitmap, _) = event { bitmap.size } else { nil }
        }
        #expect(bitmaps == [PixelSize(width: 36, height: 20)])
    }

    @Test func aCancelledRequestIsSilentAndTheNextOneIsServed() throws {
        let session = try session()
        session.start(.picture, of: 1, .descriptor(Decoding.file(card.png())))
        session.cancel()
        #expect(!session.isBusy)
        session.start(.header, of: 2, .descriptor(Decoding.file(card.png())))
        run { session.isBusy }
        #expect(!events.isEmpty && events.allSatisfy { $0.id == 2 })
    }

    /// The events of a turn that follow a cancellation in the same turn are dropped.
    @Test func anOwnerMayCancelWhileAnEventIsDelivered() throws {
        let session = try session()
        session.onEvent = { [unowned self, unowned session] event in
            events.append(event)
            if event.id == 1 {
                session.start(.header, of: 2, .descriptor(Decoding.file(card.png())))
            }
        }
        session.start(.header, of: 1, .descriptor(Decoding.file(card.png())))
        run { session.isBusy }
        #expect(events.map(\.id) == [1, 2, 2])
    }

    @Test func aCrashIsAFailureAndTheSessionGoesOn() throws {
        let session = try session(Binaries.hostileDecoder("decoder", in: folder))
        session.start(
            .header, of: 1, .descriptor(Decoding.file(Array("HOSTILE crashes".utf8))))
        run { session.isBusy }
        guard case .failed(1, .crashed)? = events.last else {
            Issue.record("no crash: \(events)")
            return
        }
        events = []
        session.start(.header, of: 2, .descriptor(Decoding.file(card.png())))
        run { session.isBusy }
        #expect(events.map(\.id) == [2, 2])
    }

    /// The owner may drop the session, even while an event is delivered.
    @Test func aSessionMayBeDroppedByItsHandler() throws {
        var session: DecodeSession? = try session()
        session?.onEvent = { [unowned self] in
            events.append($0)
            session = nil
        }
        session?.start(.header, of: 1, .descriptor(Decoding.file(card.png())))
        run { session != nil }
        #expect(events.first?.id == 1)
        #expect(sources.deadline == nil)
    }

    @Test func aDroppedSessionLeavesNoEventSource() throws {
        var session: DecodeSession? = try session()
        session?.start(.picture, of: 1, .descriptor(Decoding.file(card.png())))
        #expect(sources.deadline != nil)
        session = nil
        #expect(sources.deadline == nil)
        #expect(sources.wait(atMost: 0) == 0)
    }
}
