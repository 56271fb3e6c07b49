import Geometry
import Glibc
import ImageTypes

/// An animation's frames, each as the whole picture is to be seen: how frames lie over each other and
/// what is cleared between them stays behind this.
protocol FrameSource: AnyObject {
    /// The whole picture's, as stored.
    var size: PixelSize { get }
    var layout: SampleLayout { get }
    var color: ColorSource { get }
    /// How often all frames are shown; 0 means for ever.
    var loops: Int { get }
    /// Puts the next frame into `canvas`, rows of `layout` without gaps, which holds what the call
    /// before left there (zeros at first); how long it is shown, in milliseconds as the file has it,
    /// or nil after the last.
    func next(_ canvas: UnsafeMutableRawPointer) throws(DecodeFailure) -> Double?
    /// Begins anew with the first frame; the canvas is cleared to zeros before the next call.
    func rewind()
}

/// A format whose pictures may move.
protocol AnimatedCodec: StillCodec {
    /// Whether this one does: it has more than one frame.
    var isAnimated: Bool { get }
    /// What turns the frames upright.
    var framesOrientation: Orientation { get }
    func frames() throws(DecodeFailure) -> any FrameSource
}

extension AnimatedCodec {
    var framesOrientation: Orientation { orientation }
}

/// A frame on its canvas as rows.
final class CanvasRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let isComplete = true
    private let canvas: FrameCanvas
    private var y = 0

    init(_ frames: any FrameSource, _ canvas: FrameCanvas) {
        (size, layout, color) = (frames.size, frames.layout, frames.color)
        self.canvas = canvas
    }

    /// The first frame of an animation, as a picture that stands still.
    convenience init(firstOf frames: any FrameSource) throws(DecodeFailure) {
        let canvas = try FrameCanvas(frames)
        guard try frames.next(canvas.base) != nil else { throw .cutShort }
        self.init(frames, canvas)
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        let length = size.width * layout.bytesPerPixel
        for row in rows {
            row.copyMemory(from: canvas.base + y * length, byteCount: length)
            y += 1
        }
        return rows.count
    }
}

/// What an animation's frames are put on, one after another.
final class FrameCanvas {
    let base: UnsafeMutableRawPointer
    private let length: Int

    init(_ frames: any FrameSource) throws(DecodeFailure) {
        _ = try PictureDecoders.firstExponent(for: frames.size)
        length = frames.size.width * frames.size.height * frames.layout.bytesPerPixel
        guard let base = calloc(length, 1) else {
            throw .unreadable(reason: "there is not enough memory for it")
        }
        self.base = base
    }

    deinit { free(base) }

    func clear() { memset(base, 0, length) }
}
