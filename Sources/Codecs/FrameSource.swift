import Geometry
import Pictures

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
    func frames() throws(DecodeFailure) -> any FrameSource
}

/// The first frame of an animation as a picture that stands still.
final class FirstFrameRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let isComplete = true
    private let canvas: UnsafeMutableRawBufferPointer
    private var y = 0

    init(_ frames: any FrameSource) throws(DecodeFailure) {
        (size, layout, color) = (frames.size, frames.layout, frames.color)
        let canvas = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(frames.size.width * frames.size.height * layout.bytesPerPixel, 1),
            alignment: 16)
        canvas.initializeMemory(as: UInt8.self, repeating: 0)
        self.canvas = canvas
        guard let base = canvas.baseAddress, try frames.next(base) != nil else { throw .cutShort }
    }

    deinit { canvas.deallocate() }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        let length = size.width * layout.bytesPerPixel
        for row in rows {
            let line = canvas[(y * length)..<((y + 1) * length)]
            UnsafeMutableRawBufferPointer(start: row, count: length).copyBytes(from: line)
            y += 1
        }
        return rows.count
    }
}
