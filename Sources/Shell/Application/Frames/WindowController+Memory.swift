import EventLoop
import Geometry
import Motion
import Threads
import WaylandClient

/// What the memory of a window's frames needs.
struct FrameMemoryState {
    /// Whether the next frame waits for its memory.
    var isAwaited = false
    /// Whether the memory of the second frame is not prefaulted yet.
    ///
    /// Only motion needs the second frame. Prefaulting takes a processor from the decoder, so it waits
    /// until nothing is being decoded or input arrives.
    var lacksSecondFrame = false
    /// Whether memory was given back at rest that the next motion may need.
    var lacksGivenBackMemory = false
    /// When the last frame was committed.
    var lastFrame = Moment.zero
    /// Until when memory is kept that a window at rest does not need.
    var keptUntil = Moment.zero
    /// The number of threads that prefault memory.
    var prefaultCount = 0

    /// How long memory is kept after the last frame or the last input, in milliseconds.
    static let patience = 2000.0
}

/// The memory of a window's frames.
extension WindowController {
    /// Prepares memory for later frames; called when no frame is to be painted now.
    func prepareMemory() {
        guard !session.isDecoding else { return }
        session.prefaultPictures()
        if memory.lacksSecondFrame { prefaultSecondFrame() }
    }

    /// Prefaults the memory for a motion that begins.
    func prepareMotion() {
        if memory.lacksSecondFrame { prefaultSecondFrame() }
        guard memory.lacksGivenBackMemory, let window else { return }
        memory.lacksGivenBackMemory = false
        if let size = window.state?.bufferSize { prefault(size, frames: window.usedFrameCount) }
    }

    private func prefaultSecondFrame() {
        memory.lacksSecondFrame = false
        if let size = window?.state?.bufferSize { prefault(size, frames: 2) }
    }

    /// Prefaults the memory of `frames` frames, those that have memory included, on another thread with the
    /// niceness `niceness`.
    func prefault(_ size: PixelSize, frames: Int, niceness: Int32 = 0) {
        guard let frameMemory = try? window?.reserveMemory(for: size) else { return }
        guard run.waitsForThreads else {
            Thread.start { frameMemory.prefault(frames: frames) }
            return
        }
        memory.prefaultCount += 1
        let isRunning = run.backgroundJobs.run(
            niceness: niceness, { frameMemory.prefault(frames: frames) }
        ) { [weak self] in
            self?.memory.prefaultCount -= 1
        }
        if !isRunning { memory.prefaultCount -= 1 }
    }

    /// Whether another thread still prefaults the memory of the next frame.
    ///
    /// A window that has become larger gets new memory. Page faults in the memory of a frame for a 4K screen
    /// take 27 ms, in which the input thread would do nothing else.
    func awaitsMemory(of window: Window) -> Bool {
        guard !memory.isAwaited else { return true }
        // Nothing may be later than the first frame.
        guard run.waitsForThreads, window.isMapped, let missing = try? window.missingMemory else {
            return false
        }
        memory.isAwaited = run.backgroundJobs.run({ missing.prefault() }) { [weak self] in
            self?.memory.isAwaited = false
            self?.memory.lacksSecondFrame = true
        }
        return memory.isAwaited
    }

    /// Keeps all memory for some more time: a frame was committed, or input has arrived.
    func keepMemory(at moment: Moment) {
        memory.keptUntil = moment.advanced(byMilliseconds: FrameMemoryState.patience)
    }

    /// Releases layers of the interface that no frame between the last two rests has shown; called before the
    /// next frame, since a timer would wake up a window at rest.
    func releaseUnusedLayers(at moment: Moment) {
        let end = memory.lastFrame.advanced(byMilliseconds: FrameMemoryState.patience)
        if moment > end { session.composer.releaseUnusedLayers() }
        memory.lastFrame = moment
    }

    /// When memory is given back that a window at rest does not need; nil without such memory.
    ///
    /// A slideshow needs the memory again for its next transition. A thread that prefaults memory would
    /// count pages that are given back meanwhile.
    var excessMemoryDeadline: Moment? {
        guard let window, window.hasExcessMemory, run.waitsForThreads, !memory.isAwaited,
            memory.prefaultCount == 0, !session.playsSlideshow
        else { return nil }
        return memory.keptUntil
    }

    func giveBackExcessMemory() {
        window?.giveBackExcessMemory()
        memory.lacksGivenBackMemory = true
    }
}
