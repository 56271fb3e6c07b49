import Geometry
import WaylandProtocol

/// One of a pool's places for a frame.
final class FrameSlot {
    enum Status {
        /// Nobody uses it.
        case free
        /// It is being painted.
        case lent
        /// The compositor may read it: it must not be written.
        case held
    }

    let memory: SharedMemory
    /// In bytes, from the start of the memory.
    let offset: Int
    var status = Status.free
    var stale = StaleRegion.everything
    private(set) var size = PixelSize.zero
    private(set) var stride = 0
    private(set) var buffer: WlBuffer?

    init(memory: SharedMemory, offset: Int) {
        self.memory = memory
        self.offset = offset
    }

    /// Bytes from row to row: whole cache lines, so that bands of rows share none.
    static func stride(width: Int) -> Int { (width * 4 + 63) & ~63 }

    /// Makes the slot's buffer one of that size; the caller has seen that the slot is large enough.
    func resize(to size: PixelSize, pool: WlShmPool, released: @escaping (FrameSlot) -> Void) {
        guard buffer == nil || size != self.size else { return }
        self.size = size
        stride = Self.stride(width: size.width)
        stale = .everything
        let buffer = pool.createBuffer(
            offset: Int32(offset), width: Int32(size.width), height: Int32(size.height),
            stride: Int32(stride), format: .argb8888)
        buffer.onEvent = { [weak self] in
            if case .release = $0, let self { released(self) }
        }
        self.buffer = buffer
    }
}
