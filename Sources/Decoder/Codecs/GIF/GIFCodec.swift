import CCodecs
import Containers
import Geometry
import ImageTypes
import RasterPipeline

/// GIF, by giflib.
struct GIFCodec: LibraryCodec, AnimatedCodec {
    static let format = PictureFormat.gif
    static var isAvailable: Bool { ccodecs_open_gif() != nil }

    var size: PixelSize { outline.size }
    var isAnimated: Bool { outline.frameCount > 1 }
    let framesOrientation = Orientation.upright
    private let outline: GIFOutline
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        outline = try GIFOutline(bytes)
    }

    func frames() throws(DecodeFailure) -> any FrameSource { try GIFFrames(bytes, outline) }

    func rows() throws(DecodeFailure) -> any RowSource {
        try GIFStillRows(try GIFFrames(bytes, outline))
    }
}

/// The properties of a GIF that are known without decoding pixels.
struct GIFOutline {
    /// The size of the canvas in pixels.
    let size: PixelSize
    /// The number of frames that begin in the file.
    let frameCount: Int
    /// As `FrameSource.loops`.
    let loops: Int
    /// Whether no composed frame has transparent pixels.
    let isOpaque: Bool

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        let reader = try GIFReader(bytes)
        guard let first = reader.next() else { throw .cutShort }
        size = Self.canvas(reader.size, first)
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

    /// The size of the canvas: the declared one, unless the first frame is larger.
    ///
    /// Browsers enlarge the canvas for such a frame, too.
    private static func canvas(_ declared: PixelSize, _ first: ccodecs_gif_frame) -> PixelSize {
        let end = PixelSize(
            width: Int(first.left + first.width), height: Int(first.top + first.height))
        guard !declared.isEmpty else { return end }
        guard Int(first.width) > declared.width || Int(first.height) > declared.height else {
            return declared
        }
        return PixelSize(
            width: max(declared.width, end.width), height: max(declared.height, end.height))
    }
}

/// Owns a giflib decoder for a GIF.
final class GIFReader {
    let size: PixelSize
    private let library: ccodecs_gif_library
    private let raw: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        var (width, height) = (Int32(0), Int32(0))
        var reason: UnsafePointer<CChar>?
        guard let library = ccodecs_open_gif()?.pointee,
            let raw = library.create(
                bytes.bytes, bytes.count, &width, &height, &reason)
        else {
            throw reason.map { LibraryMessage.damaged(String(cString: $0)) } ?? .cutShort
        }
        (self.library, self.raw) = (library, raw)
        size = PixelSize(width: Int(width), height: Int(height))
    }

    deinit { library.destroy(raw) }

    /// As `FrameSource.loops`, from the part of the file that has been read so far.
    ///
    /// The extension counts the repetitions after the first pass, as in browsers.
    var loops: Int {
        switch library.repetitions(raw) {
        case -1: 1
        case 0: 0
        case let repetitions: Int(repetitions) + 1
        }
    }

    /// Reads the header of the next frame; nil if no frame follows that could be shown.
    func next() -> ccodecs_gif_frame? {
        var frame = ccodecs_gif_frame()
        while library.next(raw, &frame) == 1 {
            let (width, height) = (Int(frame.width), Int(frame.height))
            guard width == 0 || height == 0 || width > PictureLimits.pixels / height else {
                return frame
            }
        }
        return nil
    }

    /// Decodes the frame's next row, in file order; false if the data ends.
    func read(_ row: UnsafeMutablePointer<UInt8>) -> Bool { library.read_row(raw, row) != 0 }
}
