package import Geometry
package import ImageTypes
import EventLoop
package import FileAccess

/// A decoder of its own for an owner that requests one picture at a time.
///
/// The session starts and replaces the decoder process, registers the socket and the deadline of the
/// process as event sources, and delivers the events of the current request.
package final class DecodeSession {
    private let client: DecodeClient
    private let environment: DecoderEnvironment
    /// The caller's id of the current picture, which the decoder of its own gets, too.
    ///
    /// Stays after the end of the request, because tiles may be requested after the end.
    private var current: Int?
    /// Counts starts and cancellations: events of earlier ones are not delivered.
    private var requestCount = 0
    /// What to request again if the system kills the decoder; nil after the first time, and for
    /// requests with a state in the decoder.
    private var repeatable: (request: DecodeClient.Request, source: PictureSource)?
    /// The size for which pixels were requested, whether that was for this size only, and whether with a gain
    /// plane.
    private var target: (size: PixelSize, isOnly: Bool, wantsGain: Bool)?
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
    /// `decodesPixels` is false for a session that never requests pixels. `patience` is how long a
    /// file may not arrive, in milliseconds. Throws if the decoder cannot
    /// be started.
    package init(
        _ environment: DecoderEnvironment, niceness: Int32, decodesPixels: Bool = true,
        patience: Double = Double(PictureLimits.seconds) * 1000
    ) throws(DecodeClientError) {
        self.environment = environment
        client = try DecodeClient(
            environment.launcher, files: environment.files, patience: patience,
            niceness: niceness, usesScreen: decodesPixels)
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

    /// Starts a request for the picture `picture`; cancels the current request.
    package func start(
        _ request: DecodeClient.Request, of picture: Int, _ source: PictureSource
    ) {
        cancel()
        switch (request, source) {
        case (.animation, _), (_, .descriptor): repeatable = nil
        case (.picture, _), (.header, _), (.metadata, _), (.thumbnail, _), (.edit, _):
            repeatable = (request, source)
        }
        begin(request, of: picture, source)
    }

    private func begin(
        _ request: DecodeClient.Request, of picture: Int, _ source: PictureSource
    ) {
        requestCount += 1
        current = picture
        isBusy = true
        client.start(request, picture, source, now: environment.clock())
        updateSocket()
    }

    /// Requests the pixels of the picture; `target` is the size at which the picture is first shown,
    /// in device pixels.
    ///
    /// With `only` the pixels may lack the mip levels that are finer than the target needs. With `wantsGain` a
    /// gain plane may follow the pixels.
    package func decode(target: PixelSize, only: Bool = false, wantsGain: Bool = false) {
        guard let current else { return }
        self.target = (target, only, wantsGain)
        client.decode(
            current, target: target, acceptsPlanes: true, forTargetOnly: only,
            wantsGain: wantsGain, now: environment.clock())
    }

    /// Gives the decoder the empty backing file that the info asks for; closes `descriptor`.
    ///
    /// Nil refuses the file: the picture is decoded in memory.
    package func provideBackingFile(_ descriptor: Int32?) {
        guard let current else { return }
        if let descriptor {
            client.sendBackingFile(current, descriptor: descriptor)
        } else {
            client.refuseBackingFile(current)
        }
    }

    /// Requests the next frame of the animation; the first frame follows the last one.
    package func requestFrame() {
        guard let current else { return }
        client.frame(current, now: environment.clock())
    }

    /// Requests a tile of the tiled picture, after the end of its request.
    package func requestTile(_ tile: PictureTile) {
        guard let current else { return }
        client.tile(current, tile, now: environment.clock())
    }

    /// Cancels the current request; its remaining events are not delivered.
    package func cancel() {
        guard current != nil else { return }
        requestCount += 1
        (current, target) = (nil, nil)
        isBusy = false
        client.cancel()
        updateSocket()
    }

    // MARK: Events

    /// Delivers events, unless the owner has cancelled their request since.
    private func deliver(_ events: [DecodeEvent]) {
        let count = requestCount
        for event in events where count == requestCount {
            switch event {
            case .failed(let picture, .killed):
                isBusy = false
                if repeatRequest(of: picture) { continue }
            case .finished, .failed, .edited: isBusy = false
            case .opened, .waiting, .info, .pixels, .gain, .frame, .tile, .metadata: break
            }
            onEvent(event)
        }
        updateSocket()
        onTurnEnd()
    }

    /// Makes one more attempt after the system has killed the decoder, which is no fault of the file;
    /// returns false if there was one already.
    private func repeatRequest(of picture: Int) -> Bool {
        guard let (request, source) = repeatable else { return false }
        repeatable = nil
        begin(request, of: picture, source)
        if let target {
            decode(target: target.size, only: target.isOnly, wantsGain: target.wantsGain)
        }
        return true
    }

    /// Follows the client to a new process.
    private func updateSocket() {
        guard let socket else { return }
        environment.sources.setDescriptor(client.socket, of: socket)
    }
}
