package import Geometry
package import Motion
package import WaylandServer

/// A surface: what the client has committed to it, and whether it kept to the rules.
package final class TestSurface {
    /// One commit that brought a buffer.
    package struct Commit {
        package var moment: Moment
        /// When it was on the screen; nil while it was not.
        package var shown: Moment?
        /// The buffer in device pixels.
        package var size: PixelSize
        /// The surface in logical pixels that follows from the buffer, the scale or the viewport.
        package var logicalSize: Size
        /// What the client says has changed, in device pixels; nil for all of it.
        package var damage: [PixelRect]
        /// The logical size of the configure that the commit answers; nil where it left the choice.
        package var configuredSize: Size?
    }

    private struct Held {
        var buffer: WlBufferResource
        /// What was in it when it was committed; nil where that was not looked at.
        var pixels: SurfacePixels?
    }

    package let resource: WlSurfaceResource
    package private(set) var commits: [Commit] = []
    /// The surface's contents; nil while it has none, and where they are not looked at.
    package private(set) var pixels: SurfacePixels?
    package private(set) var isMapped = false
    /// The buffer of the last commit that brought one.
    private var shown: WlBufferResource?
    /// Buffers that the compositor has not given back.
    package var heldBuffers: Int { held.count }
    /// How many different buffers were ever committed.
    package private(set) var knownBuffers: Set<UInt32> = []
    package private(set) var isOpen = true

    unowned let compositor: TestCompositor
    var window: TestWindow?
    var destination: Size?
    var feedbacks: [WpPresentationFeedbackResource] = []
    var hasViewport = false
    private var held: [Held] = []
    private var callbacks: [WlCallbackResource] = []
    private var isFrameScheduled = false
    private var scale: Int32 = 1

    // What the next commit will apply.
    private var attached: WlBufferResource?
    private var isAttached = false
    private var damage: [PixelRect] = []
    private var isDamagedInLogicalPixels = false
    private var nextCallbacks: [WlCallbackResource] = []

    init(_ resource: WlSurfaceResource, compositor: TestCompositor) {
        self.resource = resource
        self.compositor = compositor
        resource.onRequest = { [unowned self] in receive($0) }
        resource.onDestroy = { [weak self] in self?.isOpen = false }
    }

    private func receive(_ request: WlSurfaceResource.Request) {
        switch request {
        case .attach(let buffer, let x, let y):
            if resource.version >= 5, x != 0 || y != 0 { violate("attached with an offset") }
            attached = buffer
            isAttached = true
        case .damageBuffer(let x, let y, let width, let height):
            if width < 0 || height < 0 { violate("damaged a negative rectangle") }
            damage.append(
                PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
        case .damage: isDamagedInLogicalPixels = true
        case .setBufferScale(let scale):
            if scale < 1 { violate("scaled by \(scale)") }
            self.scale = max(1, scale)
        case .frame(let callback): nextCallbacks.append(callback)
        case .commit: commit()
        case .destroy:
            if window?.isOpen == true { violate("destroyed before its role") }
        case .setOpaqueRegion, .setInputRegion, .setBufferTransform, .offset: break
        }
    }

    func violate(_ text: String) { compositor.violate("wl_surface: " + text) }

    // MARK: Commits

    private func commit() {
        defer {
            isAttached = false
            attached = nil
            damage = []
            isDamagedInLogicalPixels = false
        }
        window?.willCommit(hasBuffer: isAttached && attached != nil)
        if isAttached { takeAttached() }
        callbacks += nextCallbacks
        nextCallbacks = []
        scheduleFrame()
    }

    private func takeAttached() {
        guard let buffer = attached else {
            releaseHeld()
            pixels = nil
            isMapped = false
            return
        }
        guard let shm = buffer.shm, SurfacePixels.canRead(shm) else {
            violate("committed a buffer that is gone or of a format that was not offered")
            return
        }
        if held.contains(where: { $0.buffer === buffer }) {
            violate("committed a buffer that the compositor holds")
        }
        let size = PixelSize(width: shm.width, height: shm.height)
        if size.width % Int(scale) != 0 || size.height % Int(scale) != 0 {
            violate("committed a buffer whose size is no multiple of its scale")
        }
        let pixels = compositor.setup.looksAtPixels ? SurfacePixels(shm) : nil
        checkDamage(of: pixels)
        let logical = destination ?? size.size * (1 / Double(scale))
        commits.append(
            Commit(
                moment: compositor.now, size: size, logicalSize: logical, damage: damage,
                configuredSize: window?.acknowledged?.size))
        window?.checkSize(logical)
        self.pixels = pixels
        isMapped = true
        shown = buffer
        knownBuffers.insert(buffer.id)
        hold(Held(buffer: buffer, pixels: pixels))
    }

    /// Outside of the damage nothing may differ from the frame before: the compositor may well not
    /// have looked there.
    private func checkDamage(of new: SurfacePixels?) {
        guard let new, let pixels, !isDamagedInLogicalPixels else { return }
        if let row = new.rowOfDifference(from: pixels, outside: damage) {
            violate("changed row \(row) outside of the damage \(damage)")
        }
    }

    // MARK: Buffers

    private func hold(_ new: Held) {
        let old = held
        switch compositor.setup.release {
        case .immediately:
            new.buffer.release()
        case .atNextCommit:
            held = [new]
            for entry in old { giveBack(entry) }
        case .never:
            held.append(new)
        }
    }

    /// Gives all buffers back but the one that is shown.
    package func releaseAll() {
        let old = held.dropLast()
        held = held.suffix(1)
        for entry in old { giveBack(entry) }
    }

    private func releaseHeld() {
        let old = held
        held = []
        for entry in old { giveBack(entry) }
    }

    private func giveBack(_ entry: Held) {
        check(entry)
        entry.buffer.release()
    }

    /// Checks that no held buffer was painted into; `giveBack` does it for those it gives back.
    package func checkHeld() {
        for entry in held { check(entry) }
    }

    private func check(_ entry: Held) {
        guard let pixels = entry.pixels, entry.buffer.isAlive, let shm = entry.buffer.shm,
            let now = SurfacePixels(shm), let row = now.rowOfDifference(from: pixels)
        else { return }
        violate("painted into row \(row) of a buffer that the compositor holds")
    }

    // MARK: Frames

    /// What is in the shown buffer now, which the client may paint into once it was given back.
    package func look() -> SurfacePixels? {
        shown.flatMap { $0.isAlive ? $0.shm : nil }.flatMap { SurfacePixels($0) }
    }

    /// Whether the client waits for a frame callback.
    package var awaitsFrame: Bool { !callbacks.isEmpty }

    /// Asks the client for the next frame.
    package func finishFrame() {
        let done = callbacks
        callbacks = []
        for callback in done {
            callback.done(callbackData: compositor.eventTime)
            callback.destroyResource()
        }
        present()
    }

    private func scheduleFrame() {
        guard case .paced(let hertz) = compositor.setup.frames, !isFrameScheduled,
            !callbacks.isEmpty || !feedbacks.isEmpty
        else { return }
        isFrameScheduled = true
        let period = 1000 / hertz
        let earliest = compositor.now.milliseconds + compositor.setup.latch
        let tick = ((earliest / period).rounded(.down) + 1) * period
        compositor.schedule(at: Moment(milliseconds: tick)) { [weak self] in
            self?.isFrameScheduled = false
            self?.finishFrame()
        }
    }

    private func present() {
        let moment = compositor.timerMoment
        for index in commits.indices.reversed() {
            guard commits[index].shown == nil else { break }
            commits[index].shown = moment
        }
        let shown = feedbacks
        feedbacks = []
        guard compositor.setup.presentation != .silent else { return }
        var refresh: UInt32 = 0
        if case .paced(let hertz) = compositor.setup.frames,
            compositor.setup.presentation == .fixed
        {
            refresh = UInt32((1e9 / hertz).rounded())
        }
        let time = moment.milliseconds
        let seconds = (time / 1000).rounded(.down)
        for feedback in shown {
            feedback.presented(
                tvSecHi: 0, tvSecLo: UInt32(seconds),
                tvNsec: UInt32((time - seconds * 1000) * 1_000_000), refresh: refresh, seqHi: 0,
                seqLo: 0, flags: [])
            feedback.destroyResource()
        }
    }
}
