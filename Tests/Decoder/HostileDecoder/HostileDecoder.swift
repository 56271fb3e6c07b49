import CLinux
import DecodeService
import ImageWire
import Geometry
import Glibc
import ImageTypes
import SystemCalls

/// A decoder that misbehaves as a file, or the name of its executable, tells it to.
struct HostileDecoder: Sendable {
    let worker: DecoderServer
    /// The file name of the executable.
    let name: String

    /// The file name of the executable; must be called before the sandbox is locked.
    static func ownName() -> String {
        String(decoding: ProgramFile.name() ?? [], as: UTF8.self)
    }

    func run() {
        var served = 0
        while let (request, descriptor) = worker.receive() {
            if request.picture != nil { served += 1 }
            if case .sandboxReport = request, name == "babbles-about-itself" {
                Misbehaviour(worker: worker, id: 0, served: 0).say(Array("no message".utf8))
                continue
            }
            let command = command(in: descriptor)
            if let action = command.first, let id = request.picture, descriptor >= 0 {
                Misbehaviour(worker: worker, id: id, served: served).act(
                    action, Array(command.dropFirst()))
            } else {
                worker.serve(request, descriptor)
            }
        }
    }

    /// The action and its arguments from the file, else from the executable's name.
    ///
    /// Empty if the picture is to be decoded normally.
    private func command(in descriptor: Int32) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        var words = text.split(separator: " ").map(String.init)
        if words.first == "HOSTILE" {
            words.removeFirst()
            return words
        }
        return Misbehaviour.names.contains(name) ? [name] : []
    }
}

extension DecodeRequest {
    /// The identifier of the picture whose file descriptor comes with the request, if any.
    fileprivate var picture: Int? {
        switch self {
        case .open(let id), .describe(let id), .thumbnail(let id, _), .play(let id),
            .metadata(let id), .edit(let id, _):
            id
        case .decode, .backingFile, .screen, .frame, .tile, .sandboxReport, .abilities, .limit,
            .expect:
            nil
        }
    }
}
