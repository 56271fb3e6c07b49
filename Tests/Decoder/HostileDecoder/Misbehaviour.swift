import CLinux
import DecodeService
import ImageWire
import Geometry
import Glibc
import ImageTypes

/// What a decoder that was taken over might tell the viewer.
///
/// What it might do to the machine is in `Trespass`.
struct Misbehaviour {
    let worker: Worker
    let id: Int
    /// How many pictures the process has had, this one included.
    let served: Int

    /// Those that a program's name can ask for.
    static let names: Set<String> = [
        "hangs", "babbles", "crashes", "crashes-later", "lies-without-memory", "lies-about-id",
        "lies-about-stride", "lies-about-size", "lies-about-offset", "lies-about-levels",
        "lies-about-file", "forges-a-file", "does-not-seal", "tells-too-much",
    ]

    /// F_ADD_SEALS, which Swift's Glibc lacks.
    private var addSeals: Int32 { 1033 }

    private static let size = PixelSize(width: 64, height: 64)

    func act(_ way: String, _ arguments: [String]) {
        var info = PictureInfo(size: Self.size, orientation: .upright, format: "JPEG")
        // Of a drawing there are parts twice as fine.
        info.isTiled = way == "parts" || way == "takes-room"
        info.detail = way == "parts" ? 1 : 0
        info.room = way == "takes-room" ? 1 : 0
        info.isAnimated = way == "moves"
        worker.send(.info(id: id, info))
        switch way {
        case "hangs": while true { sleep(60) }
        case "works-for-ever":
            while true {
                worker.send(.progress(id: id))
                usleep(20_000)
            }
        case "talks-for-ever": while true { worker.send(.progress(id: id)) }
        // As the real one does while a library keeps it for long: at work, and asleep.
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
        // As the real one that is in a library's loop for ever: at work, but getting nowhere.
        case "spins":
            worker.heartbeat.begin(id)
            while true { lastMoment = time(nil) }
        case "works-and-crashes":
            while clock() < 1_300_000 { lastMoment = time(nil) }
            abort()
        case "babbles": say(Array("this is no message".utf8))
        case "speaks-of-its-cage": worker.send(.cage(id: id, SandboxReport()))
        case "lies-without-memory": worker.send(.pixels(id: id, isFinal: true))
        case "lies-about-id": worker.send(.finished(id: id + 76, notice: nil))
        case "lies-about-stride": deliver { $0.levels[0].stride = 131_072 }
        case "lies-about-size": deliver { $0.size = PixelSize(width: 9, height: 9) }
        case "lies-about-offset": deliver { $0.levels[0].offset = 1 << 40 }
        case "lies-about-levels": deliver { $0.levels.append($0.levels[0]) }
        case "lies-about-file": deliver { $0.file = 4096..<20480 }
        case "forges-a-file":
            deliver { $0.file = 20480..<20490 }
            worker.send(.finished(id: id, notice: nil))
        case "does-not-seal": deliver(seals: nil) { _ in }
        // F_SEAL_SHRINK and F_SEAL_FUTURE_WRITE: who has it mapped writes on.
        case "seals-the-future-only": deliver(seals: 0x12) { _ in }
        // F_SEAL_WRITE: reading past its end would be the viewer's end.
        case "may-still-shrink-it": deliver(seals: 0x8) { _ in }
        // OFFSET WIDTH VALUE: that field of the header says something else.
        case "writes-into-the-header":
            deliver(patch: arguments.compactMap { Int($0) }) { _ in }
            worker.send(.finished(id: id, notice: nil))
        case "sends-bytes": deliver(length: Int(arguments[0])) { _ in }
        case "sends-a-file":
            worker.send(.pixels(id: id, isFinal: true), with: 0)
        case "crashes-later":
            deliver { _ in }
            abort()
        case "crashes": abort()
        case "tells-too-much":
            // Twice as many entries as are allowed, in parts that are allowed each.
            let entry = PictureMetadata.Entry(.file, "Name", "Value")
            let part = PictureMetadata(
                entries: Array(repeating: entry, count: PictureMetadata.mostEntries))
            for _ in 0..<2 { worker.send(.metadata(id: id, part)) }
        case "takes-room":
            while let (request, _) = worker.receive() {
                if case .room = request { break }
            }
            worker.send(.failed(id: id, .damaged(reason: "picture \(served)")))
        case "parts": giveFrames(0)
        case "moves": giveFrames(Int(arguments[0]) ?? 0)
        case "counts": worker.send(.failed(id: id, .damaged(reason: "picture \(served)")))
        default: worker.send(.failed(id: id, .damaged(reason: Trespass.commit(way, arguments))))
        }
    }

    /// Gives the picture, and then so many frames, and none of the parts, that are asked for.
    private func giveFrames(_ count: Int) {
        var frames = 0
        while let (request, _) = worker.receive() {
            switch request {
            case .decode:
                deliver { _ in }
                worker.send(.finished(id: id, notice: nil))
                // The picture as a still is all that is to come.
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

    private func say(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes {
            clinux_send(Worker.inheritedSocket, $0.baseAddress, $0.count, -1)
        }
    }

    private func deliver(
        seals: Int32? = 0xF, patch: [Int] = [], length: Int? = nil,
        _ twist: (inout PixelHeader) -> Void
    ) {
        let memory = grey(seals: seals, patch: patch, length: length, twist)
        worker.send(.pixels(id: id, isFinal: true), with: memory)
        close(memory)
    }

    /// A grey picture whose header `twist` has changed, or three numbers: where, how many bytes, and what
    /// is written there.
    private func grey(
        shade: UInt8 = 0x80, seals: Int32? = 0xF, patch: [Int] = [], length: Int? = nil,
        _ twist: (inout PixelHeader) -> Void
    ) -> Int32 {
        var header = PixelHeader(
            size: Self.size, orientation: .upright, format: .rgb24,
            levels: [
                Bitmap.Level(exponent: 0, size: Self.size, stride: 256, offset: PixelHeader.length)
            ],
            file: 0..<0)
        twist(&header)
        let memory = clinux_memfd_create("hostile")
        var page = header.bytes + [UInt8](repeating: shade, count: 24576 - header.bytes.count)
        // As an honest one's opaque pixels are.
        for byte in stride(from: PixelHeader.length + 3, to: page.count, by: 4) {
            page[byte] = 0xFF
        }
        if patch.count == 3 {
            for byte in 0..<patch[1] {
                page[patch[0] + byte] = UInt8(truncatingIfNeeded: patch[2] >> (byte * 8))
            }
        }
        ftruncate(memory, length ?? page.count)
        // The cage lets nothing be written to it otherwise.
        let mapping = mmap(nil, page.count, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
        if let mapping, mapping != MAP_FAILED {
            memcpy(mapping, page, min(page.count, length ?? page.count))
            munmap(mapping, page.count)
        }
        if let seals { _ = fcntl(memory, addSeals, seals) }
        return memory
    }
}

/// Keeps a loop from being taken for one without effects.
nonisolated(unsafe) private var lastMoment = 0
