import Geometry
import Glibc
import ImageTypes

/// The frames of an animation, each composed to the whole picture.
///
/// Conforming types blend frames over each other, and clear areas between them, by themselves.
protocol FrameSource: AnyObject {
    /// The size of the whole picture in pixels, as stored (before orientation).
    var size: PixelSize { get }
    var layout: SampleLayout { get }
    var color: ColorSource { get }
    /// How often all frames are shown; 0 means forever.
    var loops: Int { get }
    /// Composes the next frame in `canvas`; returns its duration, or nil after the last frame.
    ///
    /// `canvas` has tightly packed rows of `layout`, and holds the result of the previous call
    /// (zeros at first). The duration is the one of the file, in milliseconds.
    func next(_ canvas: UnsafeMutableRawPointer) throws(DecodeFailure) -> Double?
    /// Returns to the first frame; the caller clears the canvas to zeros before the next call.
    func rewind()
}

/// A format whose pictures may be animated.
protocol AnimatedCodec: StillCodec {
    /// Whether the picture has more than one frame.
    var isAnimated: Bool { get }
    /// The orientation that turns the frames upright.
    var framesOrientation: Orientation { get }
    func frames() throws(DecodeFailure) -> any FrameSource
}

extension AnimatedCodec {
    var framesOrientation: Orientation { orientation }
}

/// The rows of a frame on its canvas.
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

    /// The first frame of an animation, as a still picture.
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

/// The memory in which the frames of an animation are composed.
final class FrameCanvas {
    let base: UnsafeMutableRawPointer
    private let length: Int

    init(_ frames: any FrameSource) throws(DecodeFailure) {
        _ = try PictureDecoders.finestMipLevel(for: frames.size)
        length = frames.size.width * frames.size.height * frames.layout.bytesPerPixel
        guard let base = calloc(length, 1) else {
            throw .unreadable(reason: "there is not enough memory for it")
        }
        self.base = base
    }

    deinit { free(base) }

    func clear() { memset(base, 0, length) }
}
