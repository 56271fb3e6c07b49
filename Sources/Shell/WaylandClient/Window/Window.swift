package import Geometry
import Input
package import Motion
import WaylandProtocol

/// A toplevel window.
///
/// After creation, the compositor sends a first `configured`; the first frame that is painted for
/// it makes the window appear. From then on, paint when something changed and no frame callback is
/// pending. Each commit acknowledges the configure that its frame was painted for.
package final class Window {
    /// Receives the events of the window, while the connection dispatches.
    package var handler: ((WindowEvent) -> Void)?
    /// Hears of other programs' data that are dragged over the window; without it, none are accepted.
    package var onDrop: ((DropEvent) -> Void)?
    /// Says whether data of this program, which are dragged over a point of the window in logical pixels, can be dropped
    /// there; nil for nowhere.
    package var wantsOwnDrop: ((Point) -> Bool)?
    /// The shape of the pointer over the window.
    package var cursor = Cursor.arrow {
        didSet { updateCursors() }
    }

    var configuration: WindowConfiguration
    var desktop = WindowProtocols()
    /// The focused text field; `setTextInput` sets it.
    var textInput: TextInputState?

    let surface: WlSurface
    let frames: FramePool
    let options: WindowOptions
    let connection: Connection
    /// The screen that the window is fullscreen on; nil leaves the choice to the compositor.
    package private(set) weak var output: Output?
    /// Set by the initialiser; optional, since its handler needs the window.
    private(set) var toplevel: Toplevel?
    private var surfaceScale: SurfaceScale?
    /// Nil where the compositor knows nothing of light.
    private var surfaceLight: SurfaceLight?
    /// Nil until the window draws its own decorations.
    var border: WindowBorder?
    /// The state of the last committed frame, and the size of its buffer; nil before the first one.
    private var committed: (state: WindowState, size: PixelSize, headroom: Double?)?
    private var commitCount = 0
    /// What was declared opaque.
    private var opaqueArea = OpaqueArea.none
    /// The pending frame callback, and when it was requested; nil while none is pending.
    private var frameCallback: (object: WlCallback, requested: Moment)?
    private lazy var presentation = connection.globals.presentation.map(Presentation.init(raw:))

    /// Makes a window that appears with its first frame; the connection must be ready.
    ///
    /// `output` is the screen for fullscreen; nil leaves the choice to the compositor.
    package init(
        connection: Connection, options: WindowOptions, on output: Output? = nil
    ) throws(ConnectionError) {
        let globals = connection.globals
        try globals.checkRequired()
        guard let compositor = globals.compositor, let shm = globals.shm,
            let shell = globals.wmBase
        else { preconditionFailure("checkRequired has checked these globals") }
        self.connection = connection
        self.options = options
        self.output = output
        configuration = WindowConfiguration(ownSize: options.size)
        surface = compositor.createSurface()
        frames = FramePool(shm: shm)
        frames.onRelease = { [weak self] in self?.handler?(.bufferReleased) }
        surfaceScale = SurfaceScale(
            surface: surface, connection: connection, target: output
        ) { [weak self] in
            self?.updateScale()
        }
        let toplevel = Toplevel(
            surface: surface, shell: shell, decorations: globals.decoration, options: options,
            output: output?.raw
        ) { [weak self] event in
            switch event {
            case .configured(let configure): self?.configured(configure)
            case .closeRequested: self?.handler?(.closeRequested)
            }
        }
        self.toplevel = toplevel
        connection.add(self)
        surfaceLight = globals.colors.map { colors in
            SurfaceLight(colors, surface) { [weak self] in self?.handler?(.lightChanged) }
        }
        desktop.describe(toplevel, surface, options, globals)
        if let session = options.session {
            desktop.restore(toplevel, session, globals) { [weak self] in
                self?.handler?(.sessionCreated(identifier: $0))
            }
        }
        // A commit without a buffer requests the first configure.
        surface.commit()
    }

    deinit {
        frameCallback = nil
        border?.destroy()
        desktop.destroy()
        toplevel?.destroy()
        surfaceLight?.destroy()
        surfaceScale?.destroy()
        surface.destroy()
    }

    /// Device pixels per logical pixel.
    package var scale: Double { surfaceScale?.value ?? 1 }

    /// The refresh period by the mode of the screen, in milliseconds; 1000/60 if unknown.
    ///
    /// The period that `presented` reports is exact.
    package var assumedRefresh: Double {
        let usual = 1000.0 / 60
        return surfaceScale?.outputs.compactMap(\.refresh).min()
            ?? connection.outputs.compactMap(\.refresh).min() ?? usual
    }

    /// Switches the screens that the window is on off or on, where the compositor offers that; the window
    /// must have been painted.
    package func setScreensOn(_ isOn: Bool) {
        guard isMapped else { return }
        desktop.screenPower.set(
            isOn, outputs: output.map { [$0] } ?? surfaceScale?.outputs ?? [], connection.globals)
    }

    package func isOn(_ connection: Connection) -> Bool { self.connection === connection }

    /// The state that the compositor requests; nil before the first configure.
    package var state: WindowState? { configuration.state }

    /// Whether the compositor may tell how bright the screen can be.
    package var mayHaveLight: Bool { surfaceLight != nil }
    /// Whether the compositor has told that, or has nothing to tell.
    package var knowsLight: Bool { surfaceLight?.isKnown ?? true }
    /// How bright the screen can be; nil where the compositor does not tell.
    package var screenLight: ScreenLight? { surfaceLight?.screen }
    /// How many times as bright as white deep pixels can be now; nil where there are no deep pixels.
    package var headroom: Double? { surfaceLight?.headroom }

    /// Sets the most headroom that is used.
    package func limitHeadroom(to limit: Double) { surfaceLight?.limit = limit }

    package var isFullscreen: Bool { state?.isFullscreen ?? false }

    /// Whether a frame was committed, so that the window is visible.
    package var isMapped: Bool { committed != nil }

    /// Whether nobody sees the window: the compositor says so, or has sent no frame callback for long.
    var isUnseen: Bool {
        if state?.isSuspended == true { return true }
        guard let frameAwaitedSince else { return false }
        return connection.now.seconds(since: frameAwaitedSince) > Self.longestFrame
    }

    /// A window that waits longer than this for a frame callback, in seconds, is not on a screen.
    private static let longestFrame = 1.0

    /// Whether `frameDone` is pending for a commit that requested it.
    package var isFrameCallbackPending: Bool { frameCallback != nil }

    /// Since when the frame callback is pending; nil while none is.
    package var frameAwaitedSince: Moment? { frameCallback?.requested }

    package func setTitle(_ title: String) { toplevel?.setTitle(title) }

    /// Requests to enter or leave fullscreen; `configured` reports the result.
    package func setFullscreen(_ isFullscreen: Bool) {
        toplevel?.setFullscreen(isFullscreen, on: output?.raw)
    }

    /// Requests fullscreen on this screen from now on.
    package func show(on output: Output) {
        self.output = output
        surfaceScale?.target = output
        setFullscreen(true)
    }
}

// MARK: Configuration

extension Window {
    func outputsChanged() {
        surfaceScale?.outputsChanged()
        handler?(.outputsChanged)
    }

    func outputTurned(_ output: Output) {
        // Some compositors do not say on which screens a surface is.
        let screens = surfaceScale?.outputs ?? []
        if screens.isEmpty || screens.contains(where: { $0 === output }) { handler?(.outputTurned) }
    }

    private func configured(_ configure: Configure) {
        let wasSuspended = state?.isSuspended ?? false
        let state = configuration.receive(configure, scale: scale, whole: wholeScreen)
        if state.isSuspended, !wasSuspended {
            for seat in connection.seats { seat.cancelContacts() }
        }
        handler?(.configured(state))
        acknowledgeUnpainted(configure)
    }

    /// Acknowledges a configure that needs no new frame, since no frame may follow soon.
    private func acknowledgeUnpainted(_ configure: Configure) {
        guard configuration.latest == configure, let shown = committed?.state, let state,
            shown.bufferSize == state.bufferSize, shown.size == state.size
        else { return }
        guard toplevel?.acknowledge(configure) == true else { return }
        showBorder(for: state)
        surface.commit()
    }

    private func updateScale() {
        updateCursors()
        guard let old = state, old.scale != scale else { return }
        configuration.setScale(scale)
        if let state, state.size != old.size { handler?(.configured(state)) }
        handler?(.scaleChanged(scale))
    }

    func updateCursors() {
        for cursor in connection.seats.flatMap(\.cursors) { cursor.update() }
    }
}

// MARK: Frames

extension Window {
    /// Reserves memory for frames of `size`, which another thread can prefault before the first
    /// paint.
    package func reserveMemory(for size: PixelSize) throws(FrameError) -> FrameMemory {
        try frames.reserve(size, screen: framedScreen)
    }

    /// The memory of the next frame, if page faults in that memory would take much of a frame's time;
    /// another thread can prefault the memory before the frame is painted.
    package var missingMemory: FrameMemory? {
        get throws(FrameError) {
            guard let state else { return nil }
            return try frames.missingMemory(state.bufferSize, screen: framedScreen)
        }
    }

    /// Whether there is memory of frames that a window at rest does not need.
    package var hasExcessMemory: Bool { frames.hasExcessMemory }

    package func giveBackExcessMemory() { frames.giveBackExcessMemory() }

    /// How many frames the last motion has used at once.
    package var usedFrameCount: Int { frames.usedCount }

    /// The pixels of the frame that was committed last; nil before the first one.
    ///
    /// The memory of the frame is not reused while the result lives.
    package var shownFrame: ShownFrame? { frames.shownFrame }

    private var framedScreen: PixelSize {
        (output ?? connection.largestOutput)?.pixelSize ?? .zero
    }

    /// Whether frames may have fewer pixels than the window.
    package var canEnlarge: Bool { surfaceScale?.canEnlarge ?? false }

    /// A frame to paint for the current state.
    ///
    /// Nil before the first configure, and while the compositor holds all buffers: `bufferReleased`
    /// then says when to try again.
    ///
    /// `resolution` is buffer pixels per device pixel along each side. Below 1, the buffer has
    /// fewer pixels, and the compositor enlarges it. `resolution` is ignored unless `canEnlarge`. With
    /// `isPreview`, a frame of full resolution follows soon, which needs the memory that is present. With a
    /// `headroom`, which is `self.headroom`, the frame has deep pixels.
    package func acquireFrame(
        resolution: Double = 1, isPreview: Bool = false, headroom: Double? = nil
    ) throws(FrameError) -> FrameBuffer? {
        guard let state else { return nil }
        let resolution = canEnlarge ? resolution : 1
        let size = state.bufferSize(at: resolution)
        let next = isPreview && size != state.bufferSize ? state.bufferSize : nil
        let slot = try frames.acquire(
            size, headroom: headroom, before: next, screen: framedScreen)
        return slot.map {
            FrameBuffer(
                slot: $0, pool: frames, state: state, resolution: resolution,
                configure: configuration.latest)
        }
    }

    /// Shows a frame; `damage` is the difference to the previously committed frame, in buffer
    /// pixels.
    ///
    /// An opaque frame is declared opaque, so that the compositor need not paint what is behind it.
    /// Returns the commit number that `presented` reports.
    @discardableResult
    package func commit(
        _ frame: FrameBuffer, damage: [PixelRect], isOpaque: Bool = true, requestFrameCallback: Bool
    ) -> Int {
        commitCount += 1
        if let configure = frame.configure { toplevel?.acknowledge(configure) }
        surfaceScale?.apply(
            size: frame.state.size, scale: frame.state.scale, isEnlarged: frame.resolution != 1)
        surfaceLight?.apply(frame.headroom)
        let changed =
            committed?.size != frame.size || committed?.headroom != frame.headroom
            ? [PixelRect(frame.size)] : visible(damage, in: frame.size)
        setOpaque(isOpaque ? OpaqueArea(frame.state) : .none)
        surface.attach(buffer: frame.commit(damage: changed).buffer, x: 0, y: 0)
        for rect in changed {
            surface.damageBuffer(
                x: Int32(rect.x), y: Int32(rect.y), width: Int32(rect.width),
                height: Int32(rect.height))
        }
        if requestFrameCallback, frameCallback == nil { askForCallback() }
        askForPresentation(commitCount)
        let isFirst = !isMapped
        if !isFirst { showBorder(for: frame.state) }
        surface.commit()
        committed = (frame.state, frame.size, frame.headroom)
        if isFirst { finishFirstCommit(frame.state) }
        return commitCount
    }

    /// The damage inside the buffer; the bounding box if there are too many rectangles, since each
    /// is a request.
    private func visible(_ damage: [PixelRect], in size: PixelSize) -> [PixelRect] {
        let whole = PixelRect(size)
        let rects = damage.map { $0.intersection(whole) }.filter { !$0.isEmpty }
        return rects.count > 32 ? [rects.boundingBox] : rects
    }

    private func setOpaque(_ area: OpaqueArea) {
        guard area != opaqueArea else { return }
        opaqueArea = area
        guard !area.rects.isEmpty, let region = connection.globals.compositor?.createRegion() else {
            surface.setOpaqueRegion(region: nil)
            return
        }
        for rect in area.rects {
            region.add(
                x: Int32(clamping: rect.x), y: Int32(clamping: rect.y),
                width: Int32(clamping: rect.width), height: Int32(clamping: rect.height))
        }
        surface.setOpaqueRegion(region: region)
        region.destroy()
    }

    private func askForCallback() {
        let callback = surface.frame()
        callback.onEvent = { [weak self] _ in self?.frameDone() }
        frameCallback = (callback, connection.now)
    }

    private func frameDone() {
        frameCallback = nil
        if let state = configuration.checkRestored(at: connection.now) {
            handler?(.configured(state))
        }
        handler?(.frameDone)
    }

    private func askForPresentation(_ commit: Int) {
        presentation?.watch(surface, commit: commit) { [weak self] moment, refresh in
            self?.handler?(.presented(commit: commit, at: moment, refresh: refresh))
        }
    }
}
