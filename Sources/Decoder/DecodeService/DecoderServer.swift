import CLinux
import Codecs
import Geometry
import Glibc
import ImageTypes
package import ImageWire
import Localization
import Metadata
import RasterPipeline
import Synchronization

/// The decoder process: receives one file at a time through its socket and replies with pixels.
///
/// It reads only the descriptors that it receives, and ends when the viewer closes the socket.
package struct DecoderServer: Sendable {
    private let socket: Int32
    /// Which sandbox measures are active in this process.
    private let sandboxReport: SandboxReport
    package let heartbeat: Heartbeat

    package init(socket: Int32, sandboxReport: SandboxReport, heartbeat: Heartbeat? = nil) {
        self.socket = socket
        self.sandboxReport = sandboxReport
        self.heartbeat = heartbeat ?? Heartbeat(socket: socket)
    }

    /// Sends the sandbox report without being asked; call it before any input is read.
    package func announce() { send(.sandboxReport(id: 0, sandboxReport)) }

    /// Serves requests until the viewer closes the socket.
    package func run() {
        while let (request, descriptor) = receive() { serve(request, descriptor) }
    }

    /// Serves one request; owns and closes `descriptor`, which is -1 if the message has none.
    package func serve(_ request: DecodeRequest, _ descriptor: Int32) {
        if descriptor >= 0 { heartbeat.begin(request.id) }
        defer { heartbeat.end() }
        do throws(DecodeFailure) {
            switch request {
            case .sandboxReport(let id): send(.sandboxReport(id: id, sandboxReport))
            case .limit(_, let limits): DecodeSettings.limits = limits
            case .expect(_, let format): DecodeSettings.expected = format
            case .screen where descriptor >= 0:
                if let profile = try? FileContents(
                    descriptor: descriptor, most: ScreenProfile.longest)
                {
                    DecodeSettings.screen = Array(profile.bytes)
                }
            case .abilities(let id): send(.abilities(id: id, PictureDecoders.abilities))
            case .open(let id) where descriptor >= 0: try sendPicture(id, descriptor)
            case .thumbnail(let id, let wanted) where descriptor >= 0:
                try sendThumbnail(id, wanted, descriptor)
            case .describe(let id) where descriptor >= 0: try sendHeader(id, descriptor)
            case .play(let id) where descriptor >= 0: try sendFrames(id, descriptor)
            case .metadata(let id) where descriptor >= 0: try sendMetadata(id, descriptor)
            case .edit(let id, let task) where descriptor >= 0: edit(id, task, descriptor)
            // A message that arrives too late, or a request without its file.
            case .decode, .backingFile, .screen, .frame, .tile, .open, .thumbnail, .describe, .play,
                .metadata, .edit:
                break
            }
        } catch {
            send(.failed(id: request.id, error))
        }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sends the info of a picture, then the pixels for a size that the viewer sends, then tiles.
    private func sendPicture(_ id: Int, _ descriptor: Int32) throws(DecodeFailure) {
        let file = try ReceivedFile(descriptor)
        defer { withExtendedLifetime(file) {} }
        var decoder = try PictureDecoders.open(file)
        let info = described(decoder.info, by: try file.metadata())
        send(.info(id: id, info))
        guard
            let (wanted, backingFile) = awaitTarget(
                id, needsBackingFile: decoder.info.backingFileBytes > 0)
        else { return }
        if let diskBacked = decoder as? any DiskBackedDecoder {
            diskBacked.receive(backingFile: backingFile)
        } else if backingFile >= 0 {
            close(backingFile)
        }
        // The overview of a tiled picture is small, and an animation is played at its full size.
        let isReducible = wanted.isOnly && !info.isTiled && !info.isAnimated
        let sink = ReplySink(
            id: id, server: self, acceptsPlanes: wanted.acceptsPlanes,
            only: isReducible ? wanted.target : nil, keepsFinal: wanted.wantsGain)
        let message = try decoder.decode(for: wanted.target, to: sink)
        if wanted.wantsGain { sendGain(id, decoder, sink) }
        send(.finished(id: id, message: message))
        if let tiled = decoder as? any TiledDecoder { try sendTiles(id, tiled, sink) }
    }

    /// Sends the gain plane of a decoded picture, if it has one; the picture is whole without one.
    private func sendGain(_ id: Int, _ decoder: some PictureDecoder, _ sink: ReplySink) {
        guard let final = sink.takeFinal() else { return }
        defer { close(final) }
        guard let plane = try? decoder.gainPlane(over: final, sink) else { return }
        send(.gain(id: id, plane.range), with: plane.memory)
        close(plane.memory)
    }

    /// What a picture that is opened says besides its header.
    private func described(_ info: PictureInfo, by bytes: UnsafeRawBufferPointer) -> PictureInfo {
        var info = info
        let blocks = MetadataBlocks(bytes)
        info.regions = RegionReader.regions(in: blocks, info)
        info.rating = FileRating.stars(in: blocks)
        return info
    }

    /// Sends tiles until the viewer ends the process.
    private func sendTiles(
        _ id: Int, _ tiled: any TiledDecoder, _ sink: ReplySink
    ) throws(DecodeFailure) {
        while case (.tile(id, let part), let extra)? = receive() {
            if extra >= 0 { close(extra) }
            heartbeat.begin(id)
            let memory = try tiled.part(part, sink)
            send(.tile(id: id, part), with: memory)
            close(memory)
            heartbeat.end()
        }
    }

    /// Sends what the header says.
    private func sendHeader(_ id: Int, _ descriptor: Int32) throws(DecodeFailure) {
        let file = try ReceivedFile(descriptor)
        defer { withExtendedLifetime(file) {} }
        var info = try PictureDecoders.open(file).info
        info.rating = FileRating.stars(of: try file.metadata())
        send(.info(id: id, info))
        send(.finished(id: id, message: nil))
    }

    /// Sends the file's metadata, and the picture's info unless the picture cannot be opened.
    private func sendMetadata(_ id: Int, _ descriptor: Int32) throws(DecodeFailure) {
        let file = try ReceivedFile(descriptor)
        defer { withExtendedLifetime(file) {} }
        let info = try? PictureDecoders.open(file).info
        if let info { send(.info(id: id, info)) }
        let bytes = info == nil ? try file.whole() : try file.metadata()
        for part in MetadataReader.read(bytes).parts { send(.metadata(id: id, part)) }
        send(.finished(id: id, message: nil))
    }

    /// Sends the frames of an animation until the viewer ends the process.
    private func sendFrames(_ id: Int, _ descriptor: Int32) throws(DecodeFailure) {
        let contents = try FileContents(descriptor: descriptor)
        let decoder = try PictureDecoders.open(contents.bytes)
        send(.info(id: id, decoder.info))
        guard let frames = try decoder.animation() else {
            throw .notAPicture(kind: localized("a still picture without animation"))
        }
        let sink = ReplySink(id: id, server: self)
        heartbeat.end()
        while case (.frame(id), let extra)? = receive() {
            if extra >= 0 { close(extra) }
            heartbeat.begin(id)
            defer { heartbeat.end() }
            let (memory, info) = try frames.next(sink)
            send(.frame(id: id, info), with: memory)
            close(memory)
        }
    }

    /// Sends one bitmap of the requested size.
    func sendThumbnail(
        _ id: Int, _ wanted: ThumbnailRequest, _ descriptor: Int32
    ) throws(DecodeFailure) {
        let file = try ReceivedFile(descriptor)
        defer { withExtendedLifetime(file) {} }
        let decoder = try PictureDecoders.open(file)
        var info = decoder.info
        if wanted.wantsRegions {
            info.regions = RegionReader.regions(of: try file.metadata(), info)
        }
        send(.info(id: id, info))
        let sink = ReplySink(id: id, server: self)
        let message = try Thumbnail.make(decoder, wanted, for: sink)
        send(.finished(id: id, message: message))
    }

    /// Waits for the target size, and for the backing file if the picture needs one; nil if the viewer
    /// closed the socket.
    ///
    /// `backingFile` is the descriptor of the backing file, or -1.
    private func awaitTarget(_ id: Int, needsBackingFile: Bool) -> (
        wanted: PixelRequest, backingFile: Int32
    )? {
        heartbeat.end()
        var backingFile: Int32 = -1
        var isBackingFileKnown = !needsBackingFile
        var wanted: PixelRequest?
        while let (request, descriptor) = receive() {
            switch request {
            // A message without a descriptor refuses the backing file.
            case .backingFile(id) where backingFile < 0:
                (backingFile, isBackingFileKnown) = (descriptor, true)
            case .decode(id, let size, let acceptsPlanes, let isOnly, let wantsGain):
                wanted = PixelRequest(
                    target: size, acceptsPlanes: acceptsPlanes, isOnly: isOnly,
                    wantsGain: wantsGain)
            default: if descriptor >= 0 { close(descriptor) }
            }
            guard let wanted, isBackingFileKnown else { continue }
            heartbeat.begin(id)
            return (wanted, backingFile)
        }
        if backingFile >= 0 { close(backingFile) }
        return nil
    }

    /// The next request with its descriptor, or -1; nil if the viewer closed the socket or sent an
    /// invalid message.
    package func receive() -> (DecodeRequest, Int32)? {
        var buffer = [UInt8](repeating: 0, count: longestMessage)
        var descriptor: Int32 = -1
        let count = clinux_receive(socket, &buffer, buffer.count, &descriptor)
        guard count > 0, let request = try? DecodeRequest(Array(buffer.prefix(count))) else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        return (request, descriptor)
    }

    package func send(_ reply: DecodeReply, with descriptor: Int32 = -1) {
        switch reply {
        // No progress message may follow the last reply to a request.
        case .finished, .failed, .edited: heartbeat.end()
        default: break
        }
        let bytes = reply.bytes
        // A failed send is ignored: the next receive detects a closed socket.
        _ = bytes.withUnsafeBytes {
            clinux_send_patiently(socket, $0.baseAddress, $0.count, descriptor)
        }
    }
}

/// What pixels of an opened picture are requested.
private struct PixelRequest {
    /// The size at which the picture is shown, in device pixels.
    var target: PixelSize
    var acceptsPlanes: Bool
    /// Whether levels that are finer than the target needs are left out.
    var isOnly: Bool
    /// Whether the gain plane is requested, too.
    var wantsGain: Bool
}

/// Sends pixels to the viewer, and at most one progress message per second.
final class ReplySink: DecodeSink {
    let acceptsPlanes: Bool
    /// The size beyond which final pixels are not sent, in device pixels; nil for all pixels.
    private let only: PixelSize?
    private let id: Int
    private let server: DecoderServer
    private var lastProgress = time(nil)
    private let keepsFinal: Bool
    /// The memory of the final pixels, if these are kept; -1 before that.
    private let final = Mutex(Int32(-1))

    /// With `keepsFinal` the memory of the final pixels is kept until `takeFinal`.
    init(
        id: Int, server: DecoderServer, acceptsPlanes: Bool = false, only: PixelSize? = nil,
        keepsFinal: Bool = false
    ) {
        self.keepsFinal = keepsFinal
        self.id = id
        self.server = server
        self.acceptsPlanes = acceptsPlanes
        self.only = only
    }

    func shouldContinue() -> Bool {
        server.heartbeat.progressed()
        let now = time(nil)
        if now != lastProgress {
            lastProgress = now
            server.send(.progress(id: id))
        }
        return true
    }

    deinit { if let memory = takeFinal() { close(memory) } }

    /// The descriptor of the final pixels, which the caller then owns; nil without them.
    func takeFinal() -> Int32? {
        final.withLock { memory in
            defer { memory = -1 }
            return memory < 0 ? nil : memory
        }
    }

    func deliver(_ memory: Int32, isFinal: Bool) {
        if isFinal, keepsFinal { final.withLock { $0 = dup(memory) } }
        // Without memory for the copy, all pixels are sent.
        let reduced = only.flatMap { isFinal ? CoarseLevels.copy(of: memory, covering: $0) : nil }
        server.send(.pixels(id: id, isFinal: isFinal), with: reduced ?? memory)
        if let reduced { close(reduced) }
        close(memory)
    }
}
