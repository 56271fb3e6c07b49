package import Geometry

/// A frame to paint: memory that the compositor does not read until the frame is committed.
///
/// Each pixel is a 32-bit word 0xAARRGGBB, colours multiplied by alpha. A frame that is dropped without
/// `commit` goes back.
package final class FrameBuffer {
    /// The state that the frame is for.
    package let state: WindowState
    /// Buffer pixels per device pixel, along each side.
    package let resolution: Double
    /// What must be repainted besides what changes now, because the memory holds an older frame.
    package let stale: StaleRegion
    let configure: Configure?
    private let slot: FrameSlot
    private let pool: FramePool
    private var isLent = true

    init(
        slot: FrameSlot, pool: FramePool, state: WindowState, resolution: Double,
        configure: Configure?
    ) {
        self.slot = slot
        self.pool = pool
        self.state = state
        self.resolution = resolution
        self.configure = configure
        stale = slot.stale
    }

    deinit {
        if isLent { pool.abandon(slot) }
    }

    package var size: PixelSize { slot.size }

    /// Bytes from the start of a row to that of the next.
    package var stride: Int { slot.stride }

    /// Lends the rows; they may be written until the frame is committed, on any thread.
    package func withMemory<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(isLent, "a frame is painted after its commit")
        return try body(
            UnsafeMutableRawBufferPointer(
                start: slot.memory.base, count: slot.stride * slot.size.height))
    }

    /// The slot, for the compositor; the frame can be painted no more.
    func commit(damage: [PixelRect]) -> FrameSlot {
        precondition(isLent, "a frame is committed twice")
        isLent = false
        pool.committed(slot, damage: damage)
        return slot
    }
}
