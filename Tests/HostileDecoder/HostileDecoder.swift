import CLinux
import DecodeWire
import Geometry
import Glibc
import Pictures

/// Answers every file with the misbehaviour that its own program name asks for.
struct HostileDecoder {
    let socket: Int32

    func run() {
        var buffer = [UInt8](repeating: 0, count: longestMessage)
        var descriptor: Int32 = -1
        while clinux_receive(socket, &buffer, buffer.count, &descriptor) > 0 {
            misbehave()
        }
    }

    private var way: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? 0
            }
        }
        let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        return path.split(separator: "/").last.map(String.init) ?? ""
    }

    private func misbehave() {
        let size = PixelSize(width: 64, height: 64)
        let info = PictureInfo(size: size, orientation: .upright, format: "JPEG")
        send(DecodeReply.info(id: 1, info).bytes)
        switch way {
        case "hangs": while true { sleep(60) }
        case "babbles": send(Array("this is no message".utf8))
        case "lies-without-memory": send(DecodeReply.pixels(id: 1, isFinal: true).bytes)
        case "lies-about-id": send(DecodeReply.finished(id: 77, notice: nil).bytes)
        case "lies-about-stride": deliver(sealed: true) { $0.levels[0].stride = 131_072 }
        case "lies-about-size": deliver(sealed: true) { $0.size = PixelSize(width: 9, height: 9) }
        case "lies-about-offset": deliver(sealed: true) { $0.levels[0].offset = 1 << 40 }
        case "lies-about-levels":
            deliver(sealed: true) { $0.levels.append($0.levels[0]) }
        case "lies-about-file": deliver(sealed: true) { $0.file = 4096..<20480 }
        case "forges-a-file":
            deliver(sealed: true) { $0.file = 20480..<20490 }
            send(DecodeReply.finished(id: 1, notice: nil).bytes)
        case "does-not-seal": deliver(sealed: false) { _ in }
        case "crashes-later":
            deliver(sealed: true) { _ in }
            abort()
        default: abort()
        }
        sleep(60)
    }

    private func send(_ bytes: [UInt8], with descriptor: Int32 = -1) {
        _ = bytes.withUnsafeBytes { clinux_send(socket, $0.baseAddress, $0.count, descriptor) }
    }

    /// Hands over a grey picture whose header `twist` has changed.
    private func deliver(sealed: Bool, _ twist: (inout PixelHeader) -> Void) {
        let size = PixelSize(width: 64, height: 64)
        var header = PixelHeader(
            size: size, orientation: .upright, format: .rgb24,
            levels: [
                Bitmap.Level(exponent: 0, size: size, stride: 256, offset: PixelHeader.length)
            ],
            file: 0..<0)
        twist(&header)
        let memory = clinux_memfd_create("hostile")
        let page = header.bytes + [UInt8](repeating: 0x80, count: 24576 - header.bytes.count)
        _ = write(memory, page, page.count)
        if sealed { clinux_add_seals(memory, 1, 1) }
        send(DecodeReply.pixels(id: 1, isFinal: true).bytes, with: memory)
        close(memory)
    }
}
