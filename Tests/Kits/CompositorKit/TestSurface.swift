package import Geometry
package import Motion
package import WaylandProtocol
package import WaylandServer

/// A surface, its commits, and the checks of the client's requests.
package final class TestSurface {
    /// One commit with a new buffer.
    package struct Commit {
        package var moment: Moment
        /// The presentation time; nil before the presentation.
        package var shown: Moment?
        /// The buffer size, in device pixels.
        package var size: PixelSize
        /// The surface size in logical pixels, from the buffer, the scale or the viewport.
        package var logicalSize: Size
        /// The damage that the client reported, in device pixels.
        package var damage: [PixelRect]
        /// The logical size of the acknowledged configure; nil if that left the size to the client.
        package var configuredSize: Size?
    }

    private struct Held {
        var buffer: WlBufferResource
        /// The pixels at the commit; nil if pixels are not checked.
        var pixels: SurfacePixels?
    }

    package let resource: WlSurfaceResource
    package private(set) var commits: [Commit] = []
    /// The pixels of the surface; nil without a buffer, or if pixels are not checked.
    package private(set) var pixels: SurfacePixels?
    package private(set) var isMapped = false
    /// The buffer of the last commit that attached one.
    private var shown: WlBufferResource?
    /// The number of buffers that the compositor has not released.
    package var heldBufferCount: Int { held.count }
    /// The ids of all buffers ever committed.
    package private(set) var committedBufferIDs: Set<UInt32> = []
    package private(set) var isOpen = true

    /// The parts of the surface that receive input, in logical pixels; nil for everything.
    package private(set) var inputRegion: [PixelRect]?
    /// The parts of the surface that the client has declared opaque, in logical pixels.
    package private(set) var opaqueRegion: [PixelRect] = []
    /// What the surface shows, as the client says.
    package private(set) var contentType = WpContentTypeV1.TypeValue.none
    /// What the pixels mean; nil for the usual meaning.
    package private(set) var description: TestDescription?
    /// The surfaces that belong to this one.
    package internal(set) var children: [TestSubsurface] = []

    unowned let compositor: TestCompositor
    var window: TestWindow?
    weak var subsurface: TestSubsurface?
    var destination: Size?
    var feedbacks: [WpPresentationFeedbackResource] = []
    var hasViewport = false
    var hasContentType = false
    /// What the next commit applies.
    var nextContentType = WpContentTypeV1.TypeValue.none
    private var held: [Held] = []
    private var callbacks: [WlCallbackResource] = []
    private var isFrameScheduled = false
    private var scale: Int32 = 1

    var hasDescriptions = false
    var nextDescription: TestDescription?
    // Pending state, applied by the next commit.
    private var attached: WlBufferResource?
    private var isAttached = false
    private var damage: [PixelRect] = []
    private var isDamagedInLogicalPixels = false
    private var nextCallbacks: [WlCallbackResource] = []
    private var nextInputRegion: [PixelRect]?
    private var nextOpaqueRegion: [PixelRect] = []

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
            if window?.isOpen == true || subsurface?.resource.isAlive == true {
                violate("destroyed before its role")
            }
        case .setInputRegion(let region): nextInputRegion = compositor.rects(of: region)
        case .setOpaqueRegion(let region):
            nextOpaqueRegion = compositor.rects(of: region) ?? []
        case .setBufferTransform, .offset: break
        }
    }

    func violate(_ text: String) { compositor.violate("wl_surface: " + text) }

    // MARK: Commits

    private func commit() {
        if let subsurface {
            subsurface.keepCommit()
        } else {
            applyCommit()
        }
    }

    /// Applies the pending state, and that of the subsurfaces.
    func applyCommit() {
        defer {
            isAttached = false
            attached = nil
            damage = []
            isDamagedInLogicalPixels = false
        }
        window?.willCommit(hasBuffer: isAttached && attached != nil)
        if isAttached { applyAttached() }
        inputRegion = nextInputRegion
        opaqueRegion = nextOpaqueRegion
        contentType = nextContentType
        description = nextDescription
        for child in children { child.applyToParent() }
        callbacks += nextCallbacks
        nextCallbacks = []
        scheduleFrame()
    }

    private func applyAttached() {
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
        let pixels = compositor.setup.checksPixels ? SurfacePixels(shm) : nil
        checkDamage(of: pixels)
        let logical = destination ?? size.size * (1 / Double(scale))
        commits.append(
            Commit(
                moment: compositor.now, size: size, logicalSize: logical, damage: damage,
                configuredSize: window?.acknowledged?.size))
        window?.checkSize(logical)
        if let pixels, pixels.isDeep != (nextDescription != nil) {
            violate("committed pixels that do not fit their description")
        }
        self.pixels = pixels
        if !isMapped, window != nil {
            // Compositors give a new window the focus.
            for seat in compositor.seats { seat.focusText(on: self) }
            window?.appeared()
        }
        isMapped = true
        shown = buffer
        committedBufferIDs.insert(buffer.id)
        hold(Held(buffer: buffer, pixels: pixels))
    }

    /// Checks that no pixel outside the damage differs from the previous frame.
    ///
    /// A compositor does not have to read pixels outside the damage.
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
            for entry in old { checkAndRelease(entry) }
        case .never:
            held.append(new)
        }
    }

    /// Releases all buffers except the shown one.
    package func releaseAll() {
        let old = held.dropLast()
        held = held.suffix(1)
        for entry in old { checkAndRelease(entry) }
    }

    private func releaseHeld() {
        let old = held
        held = []
        for entry in old { checkAndRelease(entry) }
    }

    private func checkAndRelease(_ entry: Held) {
        check(entry)
        entry.buffer.release()
    }

    /// Checks that the client has not painted into a held buffer.
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

    /// The current pixels of the shown buffer; the client may paint into a released buffer.
    package func look() -> SurfacePixels? {
        shown.flatMap { $0.isAlive ? $0.shm : nil }.flatMap { SurfacePixels($0) }
    }

    /// Whether a frame callback is pending.
    package var awaitsFrame: Bool { !callbacks.isEmpty }

    /// Sends the pending frame callbacks.
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
