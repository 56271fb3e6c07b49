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
    /// The row that the memory begins with.
    private let firstRow: Int

    /// Traps when the memory is too small for the size.
    package init(memory: UnsafeMutableRawBufferPointer, size: PixelSize, stride: Int) {
        guard let base = memory.baseAddress, stride >= size.width * 4,
            memory.count >= stride * (size.height - 1) + size.width * 4, !size.isEmpty
        else { preconditionFailure("a canvas outside its memory") }
        self.memory = base
        self.size = size
        self.stride = stride
        firstRow = 0
    }

    /// A canvas of which only some rows are there, from `firstRow` on; the caller sees to it that there
    /// are as many as are painted.
    init(
        rowsFrom firstRow: Int, in memory: UnsafeMutableRawPointer, of size: PixelSize, stride: Int
    ) {
        self.memory = memory
        self.size = size
        self.stride = stride
        self.firstRow = firstRow
    }

    /// Where a row begins.
    func row(_ y: Int) -> UnsafeMutableRawPointer { memory + (y - firstRow) * stride }
}
