import Geometry
import WaylandProtocol

/// One of a pool's slots for a frame.
///
/// Each slot has a sealed file of its own, since the protocol limits a file to 2 GiB.
final class FrameSlot {
    enum Status {
        /// Not in use.
        case free
        /// Being painted.
        case lent
        /// The compositor may read the memory, so it must not be written.
        case held
    }

    let memory: SharedMemory
    private let pool: WlShmPool
    var status = Status.free
    var stale = StaleRegion.everything
    private(set) var size = PixelSize.zero
    private(set) var stride = 0
    /// How many times as bright as white the brightest deep pixel is; nil for pixels of 8 bits.
    private(set) var headroom: Double?
    private(set) var buffer: WlBuffer?
    /// The reader of the contents, if there is one.
    private(set) weak var reader: ShownFrame?

    /// Makes a slot of `capacity` bytes, at most `Int32.max`.
    init(capacity: Int, shm: WlShm) throws(FrameError) {
        memory = try SharedMemory(length: capacity)
        pool = shm.createPool(fd: memory.descriptor, size: Int32(capacity))
    }

    /// Whether the memory may be painted.
    var isFree: Bool { status == .free && reader == nil }

    /// The contents, which stay as they are while the result lives.
    func read() -> ShownFrame {
        if let reader { return reader }
        let frame = ShownFrame(memory, size: size, stride: stride)
        reader = frame
        return frame
    }

    /// Bytes from one row to the next: whole cache lines, so that bands of rows share none.
    static func stride(width: Int) -> Int { (width * 4 + 63) & ~63 }

    /// Gives the slot a buffer of `size` with deep pixels or those of 8 bits; the caller ensures that the slot is large
    /// enough.
    func resize(
        to size: PixelSize, headroom: Double?, released: @escaping (FrameSlot) -> Void
    ) {
        let isSame = size == self.size && (headroom == nil) == (self.headroom == nil)
        if headroom != self.headroom { stale = .everything }
        self.headroom = headroom
        guard buffer == nil || !isSame else { return }
        self.size = size
        stride = Self.stride(width: size.width)
        stale = .everything
        let buffer = pool.createBuffer(
            offset: 0, width: Int32(size.width), height: Int32(size.height),
            stride: Int32(stride), format: headroom == nil ? .argb8888 : .xbgr2101010)
        buffer.onEvent = { [weak self] in
            if case .release = $0, let self { released(self) }
        }
        self.buffer = buffer
    }
}
