package import Geometry
import Glibc
package import ImageTypes
import Localization

/// The rows of a frame on its canvas.
package final class CanvasRows: RowSource {
    package let size: PixelSize
    package let layout: SampleLayout
    package let color: ColorSource
    package let isGray: Bool
    package let isComplete = true
    private let canvas: FrameCanvas
    private var y = 0

    init(_ frames: any FrameSource, _ canvas: FrameCanvas) {
        (size, layout) = (frames.size, frames.layout)
        (color, isGray) = (frames.color, frames.isGray)
        self.canvas = canvas
    }

    /// The first frame of an animation, as a still picture.
    package convenience init(firstOf frames: any FrameSource) throws(DecodeFailure) {
        let canvas = try FrameCanvas(frames)
        guard try frames.next(canvas.base) != nil else { throw .cutShort }
        self.init(frames, canvas)
    }

    package func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
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
        _ = try DecodeSettings.finestMipLevel(for: frames.size)
        length = frames.size.width * frames.size.height * frames.layout.bytesPerPixel
        guard let base = calloc(length, 1) else {
            throw .unreadable(reason: localized("there is not enough memory for it"))
        }
        self.base = base
    }

    deinit { free(base) }

    func clear() { memset(base, 0, length) }
}
