package import Geometry
package import ImageTypes
import EventLoop

/// A decoder of its own for an owner that requests one picture at a time.
///
/// The session starts and replaces the decoder process, registers the socket and the deadline of the
/// process as event sources, and delivers the events of the current request.
package final class DecodeSession {
    private let client: DecodeClient
    private let environment: DecoderEnvironment
    /// The current request: its number in the decoder, and the caller's id of the picture.
    ///
    /// Stays after the end of the request, because tiles may be requested after the end.
    private var current: (number: Int, picture: Int)?
    private var lastNumber = 0
    private var socket: EventSources.Source?
    private var deadline: EventSources.Source?

    /// Whether the current request has neither ended nor failed.
    package private(set) var isBusy = false
    /// Called with each event of the current request; the number in the event is the picture's id.
    package var onEvent: (DecodeEvent) -> Void = { _ in }
    /// Called after the events of one turn, even if there was none.
    package var onTurnEnd: () -> Void = {}

    /// Starts a decoder ahead of the first request; `niceness` is 0…19 as in nice(2).
    ///
    /// `decodesPixels` is false for a session that never requests pixels. Throws if the decoder cannot
    /// be started.
    package init(
        _ environment: DecoderEnvironment, niceness: Int32, decodesPixels: Bool = true
    ) throws(DecodeClientError) {
        self.environment = environment
        client = try DecodeClient(
            environment.launcher, niceness: niceness, usesScreen: decodesPixels)
        socket = environment.sources.add(descriptor: client.socket) { [unowned self] in
            deliver(client.handleReadable(client.socket, now: environment.clock()))
        }
        deadline = environment.sources.add(deadline: { [unowned self] in client.deadline }) {
            [unowned self] in
            deliver(client.handleDeadline(now: environment.clock()))
        }
    }

    deinit {
        for source in [socket, deadline].compactMap(\.self) { environment.sources.remove(source) }
    }

    // MARK: Requests

    /// Starts a request for the picture `picture`, whose file is open in `descriptor`.
    ///
    /// Cancels the current request. The session closes `descriptor`.
    package func start(_ request: DecodeClient.Request, of picture: Int, descriptor: Int32) {
        cancel()
        lastNumber += 1
        let (number, now) = (lastNumber, environment.clock())
        current = (number, picture)
        isBusy = true
        client.start(request, number, descriptor: descriptor, now: now)
        updateSocket()
    }

    /// Requests the pixels of the picture; `target` is the size at which the picture is first shown,
    /// in device pixels.
    package func decode(target: PixelSize) {
        guard let current else { return }
        client.decode(current.number, target: target, now: environment.clock())
    }

    /// Gives the decoder the empty backing file that the info asks for; closes `descriptor`.
    ///
    /// Nil refuses the file: the picture is decoded in memory.
    package func provideBackingFile(_ descriptor: Int32?) {
        guard let current else { return }
        if let descriptor {
            client.sendBackingFile(current.number, descriptor: descriptor)
        } else {
            client.refuseBackingFile(current.number)
        }
    }

    /// Requests the next frame of the animation; the first frame follows the last one.
    package func requestFrame() {
        guard let current else { return }
        client.frame(current.number, now: environment.clock())
    }

    /// Requests a tile of the tiled picture, after the end of its request.
    package func requestTile(_ tile: PictureTile) {
        guard let current else { return }
        client.tile(current.number, tile, now: environment.clock())
    }

    /// Cancels the current request; its remaining events are not delivered.
    package func cancel() {
        guard current != nil else { return }
        current = nil
        isBusy = false
        client.cancel()
        updateSocket()
    }

    // MARK: Events

    private func deliver(_ events: [DecodeEvent]) {
        for event in events { deliver(event) }
        updateSocket()
        onTurnEnd()
    }

    /// Delivers an event, unless the owner has cancelled its request since.
    private func deliver(_ event: DecodeEvent) {
        guard let current, current.number == event.id else { return }
        switch event {
        case .finished, .failed: isBusy = false
        case .info, .pixels, .frame, .tile, .metadata: break
        }
        onEvent(event.numbered(current.picture))
    }

    /// Follows the client to a new process.
    private func updateSocket() {
        guard let socket else { return }
        environment.sources.setDescriptor(client.socket, of: socket)
    }
}
