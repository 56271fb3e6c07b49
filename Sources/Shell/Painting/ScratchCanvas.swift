import Geometry
import Glibc

/// Scratch memory for some rows of a canvas, few enough to stay in a core's cache until they are
/// copied to another canvas.
struct ScratchCanvas: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let size: PixelSize
    private let stride: Int

    private static let cacheLine = 64

    /// Allocates memory for `rows` rows of a canvas of `size`; nil if there is no memory.
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

    /// The memory as a canvas from row `y` on, valid for the lifetime of this value.
    func canvas(from y: Int) -> Canvas {
        Canvas(rowsFrom: y, in: memory, of: size, stride: stride)
    }
}
