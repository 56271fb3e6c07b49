import Containers
import Geometry
import ImageTypes
import RasterPipeline

/// The frames of an APNG.
///
/// libspng does not support APNG, so each frame is assembled as a PNG file of its own. Source: PNG,
/// third edition (W3C), section 11.3.6.
final class PNGFrames: FrameSource {
    let size: PixelSize
    let layout = SampleLayout.rgba8
    let color: ColorSource
    let isGray: Bool
    let loops: Int
    private let bytes: UnsafeRawBufferPointer
    private let frames: [Frame]
    private var next = 0
    /// The disposal of the last frame, which is applied before the next one is drawn.
    private var disposal = Disposal.none

    private struct Frame {
        var rect: PixelRect
        /// In milliseconds.
        var duration: Double
        var disposal: UInt8
        /// Whether the frame is blended over the canvas; otherwise it replaces the pixels.
        var blends: Bool
        /// The ranges of the compressed pixels in the file.
        var data: [Range<Int>]
    }

    private enum Disposal {
        case none
        case clear(PixelRect)
        case restore(PixelRect, [UInt8])
    }

    /// The data of IHDR, and the chunks PLTE and tRNS, which every frame needs.
    private let header: [UInt8]
    private let tables: [UInt8]

    /// The number of frames that acTL declares; 0 without acTL.
    static func count(_ chunks: PNGChunks) -> Int {
        guard let control = chunks.first("acTL"), control.count >= 8 else { return 0 }
        return number(control, 0)
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let still = try PNGRows(header: bytes)
        (size, color, isGray) = (still.size, still.color, still.isGray)
        let chunks = PNGChunks(bytes)
        loops = chunks.first("acTL").map { Self.number($0, 4) } ?? 0
        guard let header = chunks.first("IHDR"), header.count == 13 else { throw .cutShort }
        self.header = Array(header)
        tables = ["PLTE", "tRNS"].flatMap { name in
            chunks.first(name).map { Self.chunk(name, Array($0)) } ?? []
        }
        frames = Self.frames(bytes, chunks, in: still.size)
        guard !frames.isEmpty else { throw .cutShort }
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
        Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// A chunk with a CRC of 0, as the decoder ignores CRCs.
    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        bigEndian(data.count) + Array(name.utf8) + data + [0, 0, 0, 0]
    }

    private static func frames(
        _ bytes: UnsafeRawBufferPointer, _ chunks: PNGChunks, in size: PixelSize
    ) -> [Frame] {
        var frames: [Frame] = []
        var current: Frame?
        for chunk in chunks {
            switch chunk.name {
            case "fcTL":
                if let frame = current, !frame.data.isEmpty { frames.append(frame) }
                current = frame(
                    UnsafeRawBufferPointer(rebasing: bytes[chunk.data]), in: size)
            // An IDAT before the first fcTL is a still for decoders without APNG, and no frame.
            case "IDAT": current?.data.append(chunk.data)
            case "fdAT" where chunk.data.count >= 4: current?.data.append(chunk.data.dropFirst(4))
            default: break
            }
        }
        if let frame = current, !frame.data.isEmpty { frames.append(frame) }
        return frames
    }

    private static func frame(_ control: UnsafeRawBufferPointer, in size: PixelSize) -> Frame? {
        guard control.count >= 26 else { return nil }
        let (width, height) = (number(control, 4), number(control, 8))
        let (x, y) = (number(control, 12), number(control, 16))
        guard width > 0, height > 0, width <= size.width, height <= size.height,
            x <= size.width - width, y <= size.height - height
        else { return nil }
        let numerator = Double(Int(control[20]) << 8 | Int(control[21]))
        let denominator = Double(Int(control[22]) << 8 | Int(control[23]))
        return Frame(
            rect: PixelRect(x: x, y: y, width: width, height: height),
            duration: numerator / (denominator == 0 ? 100 : denominator) * 1000,
            disposal: control[24], blends: control[25] == 1, data: [])
    }

    func rewind() {
        next = 0
        disposal = .none
    }

    func next(_ canvas: UnsafeMutableRawPointer) throws(DecodeFailure) -> Double? {
        guard next < frames.count else { return nil }
        let frame = frames[next]
        dispose(of: canvas)
        switch frame.disposal {
        case 1: disposal = .clear(frame.rect)
        // Before the first frame there is no canvas to restore.
        case 2 where next > 0: disposal = .restore(frame.rect, copy(of: frame.rect, from: canvas))
        case 2: disposal = .clear(frame.rect)
        default: disposal = .none
        }
        try draw(frame, on: canvas)
        next += 1
        return frame.duration
    }

    private func draw(_ frame: Frame, on canvas: UnsafeMutableRawPointer) throws(DecodeFailure) {
        let rect = frame.rect
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += Self.chunk(
            "IHDR", Self.bigEndian(rect.width) + Self.bigEndian(rect.height) + header[8...])
        file += tables
        for range in frame.data { file += Self.chunk("IDAT", Array(bytes[range])) }
        file += Self.chunk("IEND", [])
        let rows = FrameRows(file)
        let isWhole = try rows.read(frame.rect.height) { y, row in
            let target = (canvas + ((rect.y + y) * size.width + rect.x) * 4)
                .assumingMemoryBound(to: UInt8.self)
            if frame.blends {
                Self.blend(row, over: target, rect.width)
            } else {
                target.update(from: row, count: rect.width * 4)
            }
        }
        guard isWhole || next == 0 else { throw .cutShort }
    }

    /// Blends pixels with straight alpha over others.
    private static func blend(
        _ source: UnsafePointer<UInt8>, over target: UnsafeMutablePointer<UInt8>, _ width: Int
    ) {
        for x in 0..<width {
            let (new, old) = (source + 4 * x, target + 4 * x)
            let alpha = Int(new[3])
            if alpha == 255 || old[3] == 0 {
                old.update(from: new, count: 4)
            } else if alpha > 0 {
                // Weights in units of 1 / (255 · 255).
                let (front, back) = (alpha * 255, (255 - alpha) * Int(old[3]))
                let total = front + back
                for sample in 0..<3 {
                    let sum = Int(new[sample]) * front + Int(old[sample]) * back
                    old[sample] = UInt8((sum + total / 2) / total)
                }
                old[3] = UInt8((total + 127) / 255)
            }
        }
    }

    private func dispose(of canvas: UnsafeMutableRawPointer) {
        switch disposal {
        case .none: break
        case .clear(let rect):
            for y in 0..<rect.height {
                row(y, of: rect, canvas).initializeMemory(as: UInt8.self, repeating: 0)
            }
        case .restore(let rect, let pixels):
            pixels.withUnsafeBytes { pixels in
                for y in 0..<rect.height {
                    let line = pixels[(y * rect.width * 4)..<((y + 1) * rect.width * 4)]
                    row(y, of: rect, canvas).copyBytes(from: line)
                }
            }
        }
    }

    private func copy(of rect: PixelRect, from canvas: UnsafeMutableRawPointer) -> [UInt8] {
        (0..<rect.height).flatMap { Array(row($0, of: rect, canvas)) }
    }

    private func row(
        _ y: Int, of rect: PixelRect, _ canvas: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            start: canvas + ((rect.y + y) * size.width + rect.x) * 4, count: rect.width * 4)
    }
}

/// Decodes an assembled PNG file to R, G, B and A of 8 bits.
private struct FrameRows {
    private let file: [UInt8]

    init(_ file: [UInt8]) { self.file = file }

    /// Calls `body` with each row; returns whether all rows could be decoded.
    func read(
        _ count: Int, _ body: (Int, UnsafePointer<UInt8>) -> Void
    ) throws(DecodeFailure) -> Bool {
        var outcome = Result<Bool, DecodeFailure>.success(false)
        file.withUnsafeBytes { bytes in
            do throws(DecodeFailure) {
                outcome = .success(try Self.read(bytes, count, body))
            } catch { outcome = .failure(error) }
        }
        return try outcome.get()
    }

    private static func read(
        _ bytes: UnsafeRawBufferPointer, _ count: Int,
        _ body: (Int, UnsafePointer<UInt8>) -> Void
    ) throws(DecodeFailure) -> Bool {
        let rows = try PNGRows(header: bytes, depth: 8)
        try rows.start()
        let length = rows.size.width * 4
        let row = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 16)
        defer { row.deallocate() }
        for y in 0..<count {
            guard rows.read([row]) == 1 else { return false }
            body(y, row.assumingMemoryBound(to: UInt8.self))
        }
        return rows.isComplete
    }
}
