import Folders
import DecodeClient
import Glibc
import Motion
import ImageTypes
import Viewer

/// Reads the facts of one picture for the open information panel.
///
/// Files are read by a separate sandboxed decoder process, because the other one may be decoding pictures.
final class InformationReader {
    /// The picture that the panel describes.
    private(set) var picture: (id: Int, path: FilePath?)?
    private(set) var facts = Information.Facts(name: "", folder: "")
    private let clock: () -> Moment
    /// Nil if no decoder can be started.
    private let client: DecodeClient?
    /// The number of the pending request; nil if there is none.
    private var request: Int?
    private var lastNumber = 0

    init(limits: DecodeLimits, clock: @escaping () -> Moment) {
        self.clock = clock
        client = try? DecodeClient(
            decoderPath: PictureLoader.decoderPath(), niceness: 10, limits: limits)
    }

    var descriptors: [Int32] { client?.pollDescriptors ?? [] }

    /// The decoder's deadline, on the real clock.
    var deadline: Moment? { client?.deadline }

    var isBusy: Bool { request != nil }

    /// Starts reading another picture.
    ///
    /// `open` opens the file and returns its descriptor. `path` is nil for standard input.
    func read(_ id: Int, _ path: FilePath?, name: String, open: () throws(DecodeFailure) -> Int32) {
        if let request { client?.cancel(request, now: clock()) }
        request = nil
        picture = (id, path)
        facts = Information.Facts(
            name: name, folder: path.map(Self.folder) ?? "")
        guard let client else {
            facts.problem = "\(DecodeFailure.crashed)"
            return
        }
        do {
            let descriptor = try open()
            var status = stat()
            if fstat(descriptor, &status) == 0 { facts.length = status.st_size }
            lastNumber += 1
            request = lastNumber
            client.metadata(lastNumber, descriptor: descriptor, now: clock())
        } catch {
            facts.problem = "\(error)"
        }
    }

    /// The absolute path of the folder, without the trailing separator.
    private static func folder(of path: FilePath) -> String {
        var folder = path.parentPrefix
        if folder.first != UInt8(ascii: "/"), let working = getcwd(nil, 0) {
            defer { free(working) }
            folder = Array(String(cString: working).utf8) + [UInt8(ascii: "/")] + folder
        }
        if folder.count > 1 { folder.removeLast() }
        return String(decoding: folder, as: UTF8.self)
    }

    /// Handles replies; returns whether the request has ended.
    func handleReadable(_ descriptor: Int32) -> Bool {
        handle(client?.handleReadable(descriptor, now: clock()) ?? [])
    }

    func handleDeadline() -> Bool {
        handle(client?.handleDeadline(now: clock()) ?? [])
    }

    private func handle(_ events: [DecodeEvent]) -> Bool {
        var isDone = false
        for event in events where event.id == request {
            switch event {
            case .info(_, let info): facts.picture = info
            case .metadata(_, let part):
                facts.metadata.entries += part.entries
                facts.metadata.position = part.position ?? facts.metadata.position
            case .pixels, .frame, .part: break
            case .failed(_, let failure):
                facts.problem = "\(failure)"
                (request, isDone) = (nil, true)
            case .finished: (request, isDone) = (nil, true)
            }
        }
        return isDone
    }
}
