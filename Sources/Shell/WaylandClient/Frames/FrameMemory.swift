/// A window's memory for frames, which can be prefaulted before painting.
package struct FrameMemory: Sendable {
    let places: [SharedMemory]
    /// Bytes of a frame.
    let length: Int

    /// Prefaults the memory of the first frames, so that painting causes no page faults.
    ///
    /// Page faults take 27 of the 31 ms of filling a new 4K frame. May be called on any thread,
    /// also while frames are painted or shown, since the contents do not change.
    package func prefault(frames: Int = 2) {
        for memory in places.prefix(max(0, frames)) { memory.prefault(length: length) }
    }
}
