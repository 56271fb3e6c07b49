package import Geometry

/// A frame to paint: memory that the compositor does not read until the frame is committed.
///
/// Each pixel is a 32-bit word 0xAARRGGBB with premultiplied colours, or a deep pixel. A frame that is released
/// without `commit` returns its memory to the pool.
package final class FrameBuffer {
    /// The window state that the frame is painted for.
    package let state: WindowState
    /// Buffer pixels per device pixel, along each side.
    package let resolution: Double
    /// The region to repaint besides the changes of this frame, because the memory holds an older
    /// frame.
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

    /// How many times as bright as white the brightest deep pixel is; nil for pixels of 8 bits.
    package var headroom: Double? { slot.headroom }

    /// Bytes from one row to the next.
    package var stride: Int { slot.stride }

    /// Calls `body` with the rows, which may be written on any thread until the frame is committed.
    package func withMemory<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(isLent, "a frame is painted after its commit")
        return try body(
            UnsafeMutableRawBufferPointer(
                start: slot.memory.base, count: slot.stride * slot.size.height))
    }

    /// Hands the slot over for the compositor; the frame can no longer be painted.
    func commit(damage: [PixelRect]) -> FrameSlot {
        precondition(isLent, "a frame is committed twice")
        isLent = false
        pool.committed(slot, damage: damage)
        return slot
    }
}
