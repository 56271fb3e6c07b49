package import Geometry

/// The memory of a buffer that is painted into: 32 bits a pixel, premultiplied, as cairo's ARGB32
/// and wl_shm's argb8888 have it.
///
/// The owner lends the memory for as long as a paint lasts.
package struct Canvas {
    let memory: UnsafeMutableRawPointer
    package let size: PixelSize
    /// Bytes from one row to the next.
    package let stride: Int

    /// Traps when the memory is too small for the size.
    package init(memory: UnsafeMutableRawBufferPointer, size: PixelSize, stride: Int) {
        guard let base = memory.baseAddress, stride >= size.width * 4,
            memory.count >= stride * (size.height - 1) + size.width * 4, !size.isEmpty
        else { preconditionFailure("a canvas outside its memory") }
        self.memory = base
        self.size = size
        self.stride = stride
    }
}
