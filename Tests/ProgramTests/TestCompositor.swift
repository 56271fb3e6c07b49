import Geometry
import Glibc
import TestKit
import WaylandProtocol
import WaylandServer

/// A compositor in the test's hands, serving the released viewer over a socket: it sends what it
/// likes in any order, keeps the pixels of every commit, and notes breaches of the protocol.
final class TestCompositor {
    struct Options {
        var hasShell = true
        var hasSharedMemory = true
        var hasGestures = true
        var hasSeat = true
        var releasesBuffers = true
        var sendsFrameCallbacks = true
        var size: (width: Int32, height: Int32) = (800, 600)
    }

    private let options: Options
    private let server: Server
    private let client: ServerClient
    private let folder = TemporaryFolder()
    let viewer: RunningProcess

    private(set) var surface: WlSurfaceResource?
    private(set) var touch: WlTouchResource?
    private(set) var pointer: WlPointerResource?
    private(set) var pinch: ZwpPointerGesturePinchV1Resource?
    private(set) var seat: WlSeatResource?
    private var toplevel: XdgToplevelResource?
    private var xdgSurface: XdgSurfaceResource?
    private var pendingBuffer: WlBufferResource?
    private var shownBuffer: WlBufferResource?
    private var callbacks: [WlCallbackResource] = []
    private var sentConfigures: [UInt32] = []
    private var acknowledged: UInt32?
    /// The pixels of the last commit, and how many buffers were committed.
    private(set) var pixels: [UInt32] = []
    private(set) var commits = 0
    private(set) var violations: [String] = []

    init(_ pictures: [[UInt8]], _ options: Options = Options(), arguments: [String] = []) throws {
        self.options = options
        let ends = try socketPair()
        server = try Server(hasSharedMemory: options.hasSharedMemory)
        client = try server.connect(socket: ends.server)
        let folder = folder
        let paths = pictures.enumerated().map { folder.file("picture-\($0).png", $1) }
        viewer = RunningProcess(
            [Binaries.vitrine, "--trace", folder / "trace.txt"] + arguments + paths,
            environment: ["WAYLAND_SOCKET=9", "PATH=/usr/bin:/bin"], errors: folder / "errors.txt",
            passing: ends.client)
        close(ends.client)
        try addGlobals()
    }

    var trace: [TraceFrame] { TraceFrame.all(TestFile.text(folder / "trace.txt") ?? "") }
    var errors: String { TestFile.text(folder / "errors.txt") ?? "" }

    /// CLOCK_MONOTONIC in milliseconds, as compositors put it into events.
    var now: UInt32 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt32(truncatingIfNeeded: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }

    /// Serves the viewer until the condition holds; false when it does not within `seconds`.
    @discardableResult
    func serve(_ seconds: Double = 10, until condition: () -> Bool = { false }) -> Bool {
        for _ in 0..<Int(seconds * 250) {
            server.pump()
            if condition() { return true }
            if options.sendsFrameCallbacks {
                for callback in callbacks where callback.isAlive {
                    callback.done(callbackData: now)
                    callback.destroyResource()
                }
                callbacks = []
            }
            server.pump()
            usleep(4000)
        }
        return condition()
    }

    /// Serves until a frame of the trace is as wanted.
    func await(_ condition: (TraceFrame) -> Bool) -> Bool {
        serve { trace.last.map(condition) ?? false }
    }

    func configure(width: Int32, height: Int32) {
        let serial = server.nextSerial()
        sentConfigures.append(serial)
        toplevel?.configure(width: width, height: height, states: WireArray(words: []))
        xdgSurface?.configure(serial: serial)
    }

    func hangUp() { client.disconnect() }

    func nextSerial() -> UInt32 { server.nextSerial() }

    // MARK: The globals

    private func addGlobals() throws {
        try server.addGlobal(WlCompositorResource.self, version: 4) { [unowned self] compositor in
            compositor.onRequest = { [unowned self] in
                guard case .createSurface(let surface) = $0, self.surface == nil else { return }
                self.surface = surface
                surface.onRequest = { [unowned self] in handle($0) }
            }
        }
        try server.addGlobal(WlOutputResource.self, version: 3) { [options] output in
            output.mode(
                flags: .current, width: options.size.width, height: options.size.height,
                refresh: 60000)
            output.done()
        }
        if options.hasShell { try addShell() }
        if options.hasSeat { try addSeat() }
    }

    private func addShell() throws {
        try server.addGlobal(XdgWmBaseResource.self, version: 2) { [unowned self] shell in
            shell.onRequest = { [unowned self] in
                guard case .getXdgSurface(let xdgSurface, _) = $0 else { return }
                self.xdgSurface = xdgSurface
                xdgSurface.onRequest = { [unowned self] in
                    switch $0 {
                    case .getToplevel(let toplevel): self.toplevel = toplevel
                    case .ackConfigure(let serial):
                        if !sentConfigures.contains(serial) {
                            violations.append("acknowledges what was never sent")
                        }
                        acknowledged = serial
                    default: break
                    }
                }
            }
        }
    }

    private func addSeat() throws {
        try server.addGlobal(WlSeatResource.self, version: 7) { [unowned self] seat in
            self.seat = seat
            seat.onRequest = { [unowned self] in
                switch $0 {
                case .getTouch(let touch): self.touch = touch
                case .getPointer(let pointer): self.pointer = pointer
                case .getKeyboard, .release: break
                }
            }
            seat.capabilities(capabilities: [.touch, .pointer])
        }
        guard options.hasGestures else { return }
        try server.addGlobal(ZwpPointerGesturesV1Resource.self, version: 3) { [unowned self] in
            $0.onRequest = { [unowned self] in
                if case .getPinchGesture(let pinch, _) = $0 { self.pinch = pinch }
            }
        }
    }

    // MARK: The surface

    private func handle(_ request: WlSurfaceResource.Request) {
        switch request {
        case .attach(let buffer, _, _):
            if acknowledged == nil { violations.append("attaches before the first configure") }
            pendingBuffer = buffer
        case .frame(let callback): callbacks.append(callback)
        case .commit: commit()
        default: break
        }
    }

    private func commit() {
        guard let buffer = pendingBuffer else {
            if sentConfigures.isEmpty {
                configure(width: options.size.width, height: options.size.height)
            }
            return
        }
        pendingBuffer = nil
        commits += 1
        if let shm = buffer.shm { pixels = shm.pixels }
        if options.releasesBuffers, let old = shownBuffer, old !== buffer, old.isAlive {
            old.release()
        }
        shownBuffer = buffer
    }
}
