import DecodeClient
import EventLoop
import FileAccess
import Folders
import Glibc
import ImageService
import ImageTypes
import ImageWire
import SystemCalls
import Threads
import Thumbnails
import WaylandClient

/// A picture for other programs: the bytes of its file, or its pixels as a PNG, made when asked for.
///
/// Files are opened by the file server, pixels come from a decoder of its own, and the PNG is made on
/// another thread: every byte of it is the viewer's, so that no program has to trust the decoder.
final class PictureCopy {
    static let png = "image/png"
    /// The longest side of the PNG, in pixels; a larger picture is reduced.
    private static let longestSide = 8192
    /// The nice(2) value, below the decoder of the shown pictures.
    private static let niceness: Int32 = 10

    private let path: FilePath
    private let environment: DecoderEnvironment
    private let backgroundJobs: BackgroundJobs
    /// The programs that wait for the PNG.
    private var waiting: [(DataBytes?) -> Void] = []
    private var session: DecodeSession?
    private var bitmap: Bitmap?
    private var arrivals: [Int32: EventSources.Source] = [:]

    init(_ path: FilePath, _ environment: DecoderEnvironment) {
        self.path = path
        self.environment = environment
        backgroundJobs = BackgroundJobs(environment.sources)
    }

    deinit {
        for (socket, source) in arrivals {
            environment.sources.remove(source)
            close(socket)
        }
    }

    /// The MIME type of the file by its name; nil for an unknown one.
    static func type(of path: FilePath) -> String? {
        let name = path.name
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let end = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
        return PictureFormat.all.first { $0.extensions.contains(end) }?.mimeTypes.first
    }

    // MARK: The file

    /// Opens the file, and hands it to `send`; nil if it cannot be opened.
    func sendFile(_ send: @escaping (DataBytes?) -> Void) {
        guard let files = environment.files, let (ours, theirs) = try? PacketSocket.pair() else {
            return send(nil)
        }
        defer { close(theirs) }
        var isDone = false
        let end = { [weak self] (bytes: DataBytes?) in
            guard !isDone else { return }
            isDone = true
            if let self, let source = arrivals.removeValue(forKey: ours) {
                environment.sources.remove(source)
                close(ours)
            }
            send(bytes)
        }
        arrivals[ours] = environment.sources.add(quietDescriptor: ours) {
            guard case .message(_, let descriptor) = PacketSocket.receive(from: ours, limit: 64),
                descriptor >= 0
            else { return end(nil) }
            end(.file(OwnedDescriptor(descriptor, closing: Thread.close)))
        }
        do throws(DecodeFailure) {
            _ = try files.send(path.bytes, with: [1], over: theirs) {
                if case .failure = $0 { end(nil) }
            }
        } catch { end(nil) }
    }

    // MARK: The PNG

    /// Decodes the picture, and hands it to `send` as a PNG; nil if it cannot be decoded.
    func sendPNG(_ send: @escaping (DataBytes?) -> Void) {
        waiting.append(send)
        guard waiting.count == 1 else { return }
        guard let new = try? DecodeSession(environment, niceness: Self.niceness) else {
            return finish(nil)
        }
        session = new
        new.onEvent = { [unowned self] in handle($0) }
        let request = ThumbnailRequest(
            side: Self.longestSide, wantsSRGBCopy: environment.screen != nil)
        new.start(.thumbnail(request), of: 0, .file(path.bytes))
    }

    private func handle(_ event: DecodeEvent) {
        switch event {
        case .pixels(_, let pixels, _):
            bitmap =
                environment.screen == nil ? pixels : (pixels.memory as? SealedMemory)?.sRGBCopy
        case .finished: encode()
        case .failed: finish(nil)
        case .opened, .waiting, .info, .gain, .frame, .tile, .metadata, .edited: break
        }
    }

    private func encode() {
        guard let bitmap else { return finish(nil) }
        let isRunning = backgroundJobs.run({ PNGPicture.encode(bitmap) }) { [unowned self] in
            finish(.bytes($0))
        }
        if !isRunning { finish(nil) }
    }

    /// The decoder may be calling, so it ends with the next request.
    private func finish(_ bytes: DataBytes?) {
        let receivers = waiting
        (waiting, bitmap) = ([], nil)
        for send in receivers { send(bytes) }
    }
}
