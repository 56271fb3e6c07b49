package import Geometry

/// The memory of a buffer to paint into: premultiplied ARGB, 32 bits a pixel, or deep pixels.
///
/// The pixel format is ARGB32 of cairo and argb8888 of wl_shm, or xbgr2101010 of wl_shm for light that is brighter
/// than white. The owner lends the memory for the
/// duration of a paint.
package struct Canvas {
    let memory: UnsafeMutableRawPointer
    package let size: PixelSize
    /// Bytes from one row to the next.
    package let stride: Int
    /// How many times as bright as white the brightest deep pixel is; nil for pixels of 8 bits.
    package let headroom: Double?
    /// The canvas row at the start of the memory.
    private let firstRow: Int

    /// Traps when the memory is too small for the size.
    package init(
        memory: UnsafeMutableRawBufferPointer, size: PixelSize, stride: Int, headroom: Double? = nil
    ) {
        guard let base = memory.baseAddress, stride >= size.width * 4,
            memory.count >= stride * (size.height - 1) + size.width * 4, !size.isEmpty
        else { preconditionFailure("the memory is too small for the canvas") }
        self.memory = base
        self.size = size
        self.stride = stride
        self.headroom = headroom
        firstRow = 0
    }

    /// A canvas that has memory only for rows from `firstRow` on.
    ///
    /// The caller ensures that the memory holds all rows that are painted.
    init(
        rowsFrom firstRow: Int, in memory: UnsafeMutableRawPointer, of size: PixelSize, stride: Int
    ) {
        self.memory = memory
        self.size = size
        self.stride = stride
        headroom = nil
        self.firstRow = firstRow
    }

    /// The address of the first pixel of a row.
    func row(_ y: Int) -> UnsafeMutableRawPointer { memory + (y - firstRow) * stride }
}
