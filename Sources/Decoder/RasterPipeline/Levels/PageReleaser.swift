import Threads

/// Releases resident pages of disk-backed memory periodically, on a thread of its own.
///
/// This bounds the resident memory while a library decodes a whole picture in one call.
///
/// `@unchecked Sendable`: this class writes neither to the store nor to the scratch memory. Their
/// mappings exist as long as this object holds them. Releasing pages of a file mapping loses no
/// data that other threads write. The picture's own file stays mapped until the decoding and this
/// object have ended. `isRunning` is used only by the thread that creates the object and calls
/// `end`.
final class PageReleaser: @unchecked Sendable {
    private let store: PixelStore
    private let scratch: ScratchMemory?
    private let stopRequested = Signal()
    private let done = Signal()
    private var isRunning = false

    /// Milliseconds between two releases; the amount written in this time is small.
    private static let pause = 50

    init(_ store: PixelStore, _ scratch: ScratchMemory?) {
        (self.store, self.scratch) = (store, scratch)
        isRunning = Thread.start { [self] in
            while !stopRequested.wait(atMost: Self.pause) {
                self.store.releasePages()
                self.scratch?.releasePages()
            }
            done.raise()
        }
    }

    /// Stops the thread; returns when no more pages will be released.
    func end() {
        guard isRunning else { return }
        stopRequested.raise()
        done.wait()
        isRunning = false
    }
}
