/// A window's memory for frames, to be made ready ahead of painting.
package struct FrameMemory: Sendable {
    let places: [SharedMemory]
    /// Bytes of a frame.
    let length: Int

    /// Makes the places of the first frames present, so that painting does not stop at each new
    /// page: that is 27 of the 31 ms that filling a fresh 4K frame takes.
    ///
    /// May be called on any thread, while frames are painted or shown too, as no contents change.
    package func prefault(frames: Int = 2) {
        for place in places.prefix(max(0, frames)) { place.prefault(length: length) }
    }
}
