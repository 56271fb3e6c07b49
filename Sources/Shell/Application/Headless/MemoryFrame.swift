import Folders
import Geometry
import Painting

/// A frame in ordinary memory, for the headless backend.
final class MemoryFrame {
    let size: PixelSize
    let stride: Int
    private let memory: UnsafeMutableRawBufferPointer

    init(size: PixelSize) {
        self.size = size
        stride = size.width * 4
        memory = .allocate(byteCount: stride * size.height, alignment: 64)
        _ = memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { memory.deallocate() }

    func withCanvas<Result>(headroom: Double? = nil, _ body: (Canvas) -> Result) -> Result {
        body(Canvas(memory: memory, size: size, stride: stride, headroom: headroom))
    }

    /// Writes the frame as a PNG; returns nil on success, else the reason of the failure.
    func writePNG(to path: FilePath) -> String? {
        withCanvas { canvas in path.withCString { canvas.writePNG(to: $0) } }
    }
}
