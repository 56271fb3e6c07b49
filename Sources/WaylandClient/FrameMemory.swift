/// A window's memory for frames, to be made ready ahead of painting.
package struct FrameMemory: Sendable {
    let memory: SharedMemory
    /// Bytes from one frame's place to the next one's.
    let capacity: Int
    /// Bytes of a frame.
    let length: Int

    /// Makes the places of the first frames present, so that painting does not stop at each new
    /// page: that is 27 of the 31 ms that filling a fresh 4K frame takes.
    ///
    /// May be called on any thread, while frames are painted or shown too, as no contents change.
    package func prefault(frames: Int = 2) {
        for index in 0..<max(0, frames) {
            memory.prefault(offset: index * capacity, length: length)
        }
    }
}
