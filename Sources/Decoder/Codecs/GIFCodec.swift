import CCodecs
import Geometry
import ImageTypes

/// GIF, by giflib.
struct GIFCodec: AnimatedCodec {
    static let format = PictureFormat.gif
    static var isAvailable: Bool { ccodecs_has_gif() != 0 }

    var size: PixelSize { outline.size }
    var isAnimated: Bool { outline.frameCount > 1 }
    private let outline: GIFOutline
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        outline = try GIFOutline(bytes)
    }

    func frames() throws(DecodeFailure) -> any FrameSource { try GIFFrames(bytes, outline) }

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        try GIFStillRows(try GIFFrames(bytes, outline))
    }
}

/// What is known of a GIF without decoding any pixels.
struct GIFOutline {
    /// The canvas.
    let size: PixelSize
    /// How many frames begin in the file.
    let frameCount: Int
    /// As `FrameSource.loops`.
    let loops: Int
    /// Whether no pixel of any frame is ever clear.
    let isOpaque: Bool

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        let reader = try GIFReader(bytes)
        guard let first = reader.next() else { throw .cutShort }
        // Files that leave the canvas' size out mean the first frame's.
        size =
            reader.size.isEmpty
            ? PixelSize(
                width: Int(first.left + first.width), height: Int(first.top + first.height))
            : reader.size
        var isOpaque =
            first.left == 0 && first.top == 0 && Int(first.width) >= size.width
            && Int(first.height) >= size.height && first.transparent < 0 && first.disposal != 3
        var (count, frame) = (0, Optional(first))
        while let current = frame {
            count += 1
            isOpaque = isOpaque && current.disposal != 2
            frame = reader.next()
        }
        (frameCount, self.isOpaque, loops) = (count, isOpaque, reader.loops)
    }
}

/// Owns a GIF in the hands of the library.
final class GIFReader {
    let size: PixelSize
    private let raw: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        var (width, height) = (Int32(0), Int32(0))
        var reason: UnsafePointer<CChar>?
        guard
            let raw = ccodecs_gif_create(
                bytes.bytes, bytes.count, &width, &height, &reason)
        else {
            throw reason.map { .damaged(reason: String(cString: $0)) } ?? .cutShort
        }
        self.raw = raw
        size = PixelSize(width: Int(width), height: Int(height))
    }

    deinit { ccodecs_gif_destroy(raw) }

    /// As `FrameSource.loops`, as far as the file was read.
    ///
    /// The extension counts what comes after the first time, as browsers take it.
    var loops: Int {
        switch ccodecs_gif_repetitions(raw) {
        case -1: 1
        case 0: 0
        case let repetitions: Int(repetitions) + 1
        }
    }

    /// What comes before the next frame's pixels; nil where no frame follows that could be shown.
    func next() -> ccodecs_gif_frame? {
        var frame = ccodecs_gif_frame()
        while ccodecs_gif_next(raw, &frame) == 1 {
            let (width, height) = (Int(frame.width), Int(frame.height))
            guard width == 0 || height == 0 || width > PictureLimits.pixels / height else {
                return frame
            }
        }
        return nil
    }

    /// Decodes the frame's next row in the file's order; false where it ends.
    func read(_ row: UnsafeMutablePointer<UInt8>) -> Bool { ccodecs_gif_read_row(raw, row) != 0 }
}
