import CLinux
import DecodeService
import ImageWire
import Geometry
import Glibc
import ImageTypes

/// Invalid replies and failures of a compromised decoder, as the viewer receives them.
///
/// Attacks on the system are in `Trespass`.
struct Misbehaviour {
    let worker: DecoderServer
    let id: Int
    /// The number of pictures the process has received, this one included.
    let served: Int

    /// The misbehaviours that the name of the executable can select.
    static let names: Set<String> = [
        "hangs", "babbles", "crashes", "crashes-later", "is-killed", "lies-without-memory",
        "lies-about-id",
        "lies-about-stride", "lies-about-size", "lies-about-offset", "lies-about-levels",
        "lies-about-a-copy", "does-not-seal", "tells-too-much", "paints-nonsense",
    ]

    /// F_ADD_SEALS, which Swift's Glibc lacks.
    private var addSeals: Int32 { 1033 }

    private static let size = PixelSize(width: 64, height: 64)

    func act(_ action: String, _ arguments: [String]) {
        var info = PictureInfo(size: Self.size, orientation: .upright, format: "JPEG")
        // Like a drawing, whose tiles have up to twice the resolution.
        info.isTiled = action == "parts" || action == "takes-backingFile"
        info.detail = action == "parts" ? 1 : 0
        info.backingFileBytes = action == "takes-backingFile" ? 1 : 0
        info.isAnimated = action == "moves"
        info.rating = action == "rests" ? 4 : nil
        worker.send(.info(id: id, info))
        switch action {
        case "hangs": while true { sleep(60) }
        case "works-for-ever":
            while true {
                worker.send(.progress(id: id))
                usleep(20_000)
            }
        case "talks-for-ever": while true { worker.send(.progress(id: id)) }
        // Like the real decoder during a long library call: busy in `ponders`, asleep in `dozes`.
        case "ponders":
            worker.heartbeat.begin(id)
            let end = time(nil) + 4
            while time(nil) < end { lastMoment = time(nil) }
            worker.heartbeat.end()
            worker.send(.failed(id: id, .empty))
        case "dozes":
            worker.heartbeat.begin(id)
            sleep(5)
            worker.send(.failed(id: id, .empty))
        // A picture with four stars, whose end comes later than its header.
        case "rests":
            usleep(200_000)
            worker.send(.finished(id: id, message: nil))
        // Like the real decoder in an endless loop of a library: busy, without progress.
        case "spins":
            worker.heartbeat.begin(id)
            while true { lastMoment = time(nil) }
        case "works": while true { lastMoment = time(nil) }
        case "babbles": say(Array("this is no message".utf8))
        case "sends-a-sandbox-report": worker.send(.sandboxReport(id: id, SandboxReport()))
        case "lies-without-memory": worker.send(.pixels(id: id, isFinal: true))
        case "lies-about-id": worker.send(.finished(id: id + 76, message: nil))
        // Whole replies for the requests that follow, then an attempt to get their files.
        case "forges-others":
            for other in id + 1...id + 9 {
                let forger = Misbehaviour(worker: worker, id: other, served: served)
                worker.send(.info(id: other, info))
                forger.deliver { _ in }
                worker.send(.finished(id: other, message: nil))
            }
            while worker.receive() != nil {}
        case "lies-about-stride": deliver { $0.levels[0].stride = 131_072 }
        case "lies-about-size": deliver { $0.size = PixelSize(width: 9, height: 9) }
        case "lies-about-offset": deliver { $0.levels[0].offset = 1 << 40 }
        case "lies-about-levels": deliver { $0.levels.append($0.levels[0]) }
        // The copy has the pixels of the level itself.
        case "lies-about-a-copy": deliver { $0.sRGBCopy = $0.levels[0] }
        // Valid memory, with pixels that no picture has: their colours exceed their alpha.
        case "paints-nonsense":
            deliver(alpha: 0x10) { $0.format = .argb32 }
            worker.send(.finished(id: id, message: nil))
        case "does-not-seal": deliver(seals: nil) { _ in }
        // F_SEAL_SHRINK and F_SEAL_FUTURE_WRITE: existing mappings remain writable.
        case "seals-the-future-only": deliver(seals: 0x12) { _ in }
        // F_SEAL_WRITE only: if the decoder shrinks the memory, a read past the end raises SIGBUS.
        case "may-still-shrink-it": deliver(seals: 0x8) { _ in }
        // OFFSET WIDTH VALUE: overwrites this field of the header.
        case "writes-into-the-header":
            deliver(patch: arguments.compactMap { Int($0) }) { _ in }
            worker.send(.finished(id: id, message: nil))
        case "sends-bytes": deliver(length: Int(arguments[0])) { _ in }
        case "sends-a-file":
            worker.send(.pixels(id: id, isFinal: true), with: 0)
        case "crashes-later":
            deliver { _ in }
            abort()
        case "crashes": abort()
        // As the system does when memory runs out.
        case "is-killed": raise(SIGKILL)
        case "faults": UnsafeMutablePointer<UInt8>(bitPattern: 8)?.pointee = 1
        // A mapping without memory behind it.
        case "loses-its-memory":
            let memory = clinux_memfd_create("hostile")
            let mapping = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
            mapping?.storeBytes(of: 1, as: UInt8.self)
        case "tells-too-much":
            // Twice the allowed number of entries, in messages that are each valid.
            let entry = PictureMetadata.Entry(.file, "Name", "Value")
            let part = PictureMetadata(
                entries: Array(repeating: entry, count: PictureMetadata.mostEntries))
            for _ in 0..<2 { worker.send(.metadata(id: id, part)) }
        case "takes-backingFile":
            while let (request, _) = worker.receive() {
                if case .backingFile = request { break }
            }
            worker.send(.failed(id: id, .damaged(reason: "picture \(served)")))
        case "parts": giveFrames(0)
        case "moves": giveFrames(Int(arguments[0]) ?? 0)
        case "counts": worker.send(.failed(id: id, .damaged(reason: "picture \(served)")))
        default: worker.send(.failed(id: id, .damaged(reason: Trespass.commit(action, arguments))))
        }
    }

    /// Answers the decode request and `count` frame requests; aborts at any other request.
    private func giveFrames(_ count: Int) {
        var frames = 0
        while let (request, _) = worker.receive() {
            switch request {
            case .decode:
                deliver { _ in }
                worker.send(.finished(id: id, message: nil))
                // Only the still picture of the animation was requested.
                if count > 0 { return }
            case .frame where frames < count:
                let memory = grey(shade: UInt8(0x30 * (frames + 1))) { _ in }
                worker.send(
                    .frame(id: id, FrameInfo(number: frames, duration: 100, loops: 0)), with: memory
                )
                close(memory)
                frames += 1
            default: abort()
            }
        }
    }

    func say(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes {
            clinux_send(ForkServer.inheritedSocket, $0.baseAddress, $0.count, -1)
        }
    }

    private func deliver(
        alpha: UInt8 = 0xFF, seals: Int32? = 0xF, patch: [Int] = [], length: Int? = nil,
        _ twist: (inout PixelHeader) -> Void
    ) {
        let memory = grey(alpha: alpha, seals: seals, patch: patch, length: length, twist)
        worker.send(.pixels(id: id, isFinal: true), with: memory)
        close(memory)
    }

    /// A memfd with a grey picture, whose header `twist` and `patch` modify.
    ///
    /// `patch` is empty, or has three numbers: offset, width in bytes, and little-endian value.
    private func grey(
        shade: UInt8 = 0x80, alpha: UInt8 = 0xFF, seals: Int32? = 0xF, patch: [Int] = [],
        length: Int? = nil,
        _ twist: (inout PixelHeader) -> Void
    ) -> Int32 {
        var header = PixelHeader(
            size: Self.size, orientation: .upright, format: .rgb24,
            levels: [
                Bitmap.Level(
                    mipLevel: 0, size: Self.size,
                    stride: Bitmap.Level.stride(ofWidth: Self.size.width),
                    offset: PixelHeader.length)
            ])
        twist(&header)
        let memory = clinux_memfd_create("hostile")
        var page = header.bytes + [UInt8](repeating: shade, count: 28672 - header.bytes.count)
        // By default opaque, as in a valid picture.
        for byte in stride(from: PixelHeader.length + 3, to: page.count, by: 4) {
            page[byte] = alpha
        }
        if patch.count == 3 {
            for byte in 0..<patch[1] {
                page[patch[0] + byte] = UInt8(truncatingIfNeeded: patch[2] >> (byte * 8))
            }
        }
        ftruncate(memory, length ?? page.count)
        // The sandbox forbids write(2) on the memfd, so the pixels are copied through a mapping.
        let mapping = mmap(nil, page.count, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
        if let mapping, mapping != MAP_FAILED {
            memcpy(mapping, page, min(page.count, length ?? page.count))
            munmap(mapping, page.count)
        }
        if let seals { _ = fcntl(memory, addSeals, seals) }
        return memory
    }
}

/// A side effect that keeps the compiler from removing the busy loops.
nonisolated(unsafe) private var lastMoment = 0
