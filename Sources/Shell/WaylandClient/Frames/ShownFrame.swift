package import Geometry

/// The pixels of a frame that was committed; no other frame is painted into their memory while the object
/// lives.
package final class ShownFrame: Sendable {
    private let memory: SharedMemory
    /// In pixels of the buffer.
    package let size: PixelSize
    /// Bytes from one row to the next.
    package let stride: Int

    init(_ memory: SharedMemory, size: PixelSize, stride: Int) {
        (self.memory, self.size, self.stride) = (memory, size, stride)
    }

    /// The rows, as in `FrameBuffer`.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory.base, count: stride * size.height)
    }
}
