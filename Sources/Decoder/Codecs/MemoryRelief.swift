import Threads

/// Gives back the memory of what lies on the disk now and then, while a library that makes all of a
/// picture at once is at work.
///
/// `@unchecked Sendable`: neither store nor scratch is written here, their mappings stay while this
/// object holds them, and giving back memory of a file's mapping loses nothing that others write there
/// (the picture's own file stays mapped until its decoding, and this, has ended); `isRunning` belongs to
/// the thread that makes it and ends it.
final class MemoryRelief: @unchecked Sendable {
    private let store: PixelStore
    private let scratch: ScratchMemory?
    private let over = Signal()
    private let done = Signal()
    private var isRunning = false

    /// In which so much is written, in milliseconds, that it does not count yet.
    private static let pause = 50

    init(_ store: PixelStore, _ scratch: ScratchMemory?) {
        (self.store, self.scratch) = (store, scratch)
        isRunning = Thread.start { [self] in
            while !over.wait(atMost: Self.pause) {
                self.store.relieve()
                self.scratch?.relieve()
            }
            done.raise()
        }
    }

    /// Returns when no more is given back.
    func end() {
        guard isRunning else { return }
        over.raise()
        done.wait()
        isRunning = false
    }
}
