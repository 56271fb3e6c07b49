import Geometry
import Glibc

/// Some rows of a canvas in memory of their own, which are few enough for a core's cache and on their
/// way to another.
struct ScratchCanvas: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let size: PixelSize
    private let stride: Int

    private static let cacheLine = 64

    /// For so many rows of a canvas of that size; nil where there is no memory.
    init?(rows: Int, of size: PixelSize) {
        stride = (size.width * 4 + Self.cacheLine - 1) & ~(Self.cacheLine - 1)
        self.size = size
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, Self.cacheLine, stride * rows) == 0, let memory else {
            return nil
        }
        self.memory = memory
    }

    deinit { free(memory) }

    /// Row `y` and those after it, for as long as this is there.
    func canvas(from y: Int) -> Canvas {
        Canvas(rowsFrom: y, in: memory, of: size, stride: stride)
    }
}
