import CLinux
import DecodeService
import ImageWire
import Geometry
import Glibc
import ImageTypes

/// A decoder that does what a file, or its own name, tells it to.
struct HostileDecoder {
    let worker: Worker
    /// What it is started as.
    let name: String

    /// The last part of the path of the program; ask before the cage is locked.
    static func ownName() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? 0
            }
        }
        let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        return path.split(separator: "/").last.map(String.init) ?? ""
    }

    func run() {
        var served = 0
        while let (request, descriptor) = worker.receive() {
            if request.picture != nil { served += 1 }
            let words = words(of: descriptor)
            if let way = words.first, let id = request.picture, descriptor >= 0 {
                Misbehaviour(worker: worker, id: id, served: served).act(
                    way, Array(words.dropFirst()))
            } else {
                worker.serve(request, descriptor)
            }
        }
    }

    /// What the file asks for, or else the name; nothing where the picture shall be decoded.
    private func words(of descriptor: Int32) -> [String] {
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
    /// The number of the picture that comes with it, if one does.
    fileprivate var picture: Int? {
        switch self {
        case .open(let id), .describe(let id), .thumbnail(let id, _), .play(let id),
            .metadata(let id):
            id
        case .decode, .room, .screen, .frame, .part, .cage, .formats, .limit: nil
        }
    }
}
