import Geometry
import WaylandProtocol

/// One of a pool's places for a frame: a sealed file of its own, so that none shares the 2 GiB that
/// the protocol lets a file have.
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
    private let pool: WlShmPool
    var status = Status.free
    var stale = StaleRegion.everything
    private(set) var size = PixelSize.zero
    private(set) var stride = 0
    private(set) var buffer: WlBuffer?

    /// Makes a place of so many bytes; no more than `Int32.max`.
    init(capacity: Int, shm: WlShm) throws(FrameError) {
        memory = try SharedMemory(length: capacity)
        pool = shm.createPool(fd: memory.descriptor, size: Int32(capacity))
    }

    /// Bytes from row to row: whole cache lines, so that bands of rows share none.
    static func stride(width: Int) -> Int { (width * 4 + 63) & ~63 }

    /// Makes the slot's buffer one of that size; the caller has seen that the slot is large enough.
    func resize(to size: PixelSize, released: @escaping (FrameSlot) -> Void) {
        guard buffer == nil || size != self.size else { return }
        self.size = size
        stride = Self.stride(width: size.width)
        stale = .everything
        let buffer = pool.createBuffer(
            offset: 0, width: Int32(size.width), height: Int32(size.height),
            stride: Int32(stride), format: .argb8888)
        buffer.onEvent = { [weak self] in
            if case .release = $0, let self { released(self) }
        }
        self.buffer = buffer
    }
}
