package import Motion
import WaylandProtocol
package import WaylandServer

/// A whole small compositor on the test's thread: it does what it is told, in any order, well or
/// badly, sees the client's pixels, and keeps a list of the rules that the client has broken.
///
/// It lives only while it is run: `run(until:)` reads, answers and lets its timers fire. With
/// `Timekeeper.real` its client is a program, connected by `socketForClient`; with a `ManualTime`
/// the client lives on the same thread.
package final class TestCompositor {
    /// How it behaves; may be changed at any time but for what it offers.
    package var setup: Setup
    package let server: Server
    /// The client's connection, once it was made.
    package private(set) var client: ServerClient?
    package private(set) var surfaces: [TestSurface] = []
    package private(set) var windows: [TestWindow] = []
    package private(set) var outputs: [TestOutput] = []
    package private(set) var seats: [TestSeat] = []
    /// What the client did against the protocol, in words.
    package private(set) var violations: [String] = []
    /// Pings that were not answered yet.
    package private(set) var openPings: Set<UInt32> = []

    var fractionalScales: [(surface: TestSurface, resource: WpFractionalScaleV1Resource)] = []
    var shells: [XdgWmBaseResource] = []
    var gestures: [PointerGestures] = []
    /// Where clients want to be told the times of a device's events to the nanosecond.
    var touchStamps: [(touch: WlTouchResource, stamps: ZwpInputTimestampsV1Resource)] = []
    var pointerStamps: [(pointer: WlPointerResource, stamps: ZwpInputTimestampsV1Resource)] = []
    private let time: Timekeeper
    private var timers: [(moment: Moment, action: () -> Void)] = []
    /// The moment that was set for what is done now; nil outside of a timer.
    private var firing: Moment?

    package init(
        _ setup: Setup = Setup(), time: Timekeeper = .real
    ) throws(ServerError) {
        self.setup = setup
        self.time = time
        server = try Server(hasSharedMemory: setup.offer["wl_shm"] != nil)
        try addGlobals()
        if let version = setup.offer["wl_output"] {
            outputs.append(
                try TestOutput(
                    server, version: version, size: setup.outputSize, scale: setup.outputScale))
        }
        if setup.offer["wl_seat"] != nil { try addSeat() }
    }

    /// Makes the connection, and gives the client's end of it.
    package func socketForClient() throws(ServerError) -> Int32 {
        let ends = try socketPair()
        client = try server.connect(socket: ends.server)
        return ends.client
    }

    /// Plugs in one more seat.
    @discardableResult
    package func addSeat() throws(ServerError) -> TestSeat {
        let seat = try TestSeat(
            self, version: setup.offer["wl_seat"] ?? 7, number: seats.count,
            capabilities: setup.capabilities)
        seats.append(seat)
        return seat
    }

    /// The only window.
    package var window: TestWindow? { windows.last }

    /// The surface of the only window.
    package var surface: TestSurface? { window?.surface }

    func violate(_ text: String) { violations.append(text) }

    func nextSerial() -> UInt32 { server.nextSerial() }

    // MARK: Time

    package var now: Moment { time.now() }

    /// The time as events bear it: milliseconds that wrap around.
    ///
    /// An event of a script bears the moment that the script has for it, however late a busy
    /// machine gets to it: the kernel stamps what a device reports when it reports it.
    var eventTime: UInt32 {
        UInt32(truncatingIfNeeded: Int64((firing ?? now).milliseconds))
    }

    /// The moment that was set for what is done now, else the time by now.
    var timerMoment: Moment { firing ?? now }

    /// Says the next event's time to the nanosecond.
    func stamp(_ stamps: ZwpInputTimestampsV1Resource) {
        let nanoseconds = UInt64((firing ?? now).milliseconds * 1e6)
        let seconds = nanoseconds / 1_000_000_000
        stamps.timestamp(
            tvSecHi: UInt32(seconds >> 32), tvSecLo: UInt32(truncatingIfNeeded: seconds),
            tvNsec: UInt32(nanoseconds % 1_000_000_000))
    }

    /// Does something at a moment while the compositor is run.
    package func schedule(at moment: Moment, _ action: @escaping () -> Void) {
        let index = timers.firstIndex { $0.moment > moment } ?? timers.endIndex
        timers.insert((moment, action), at: index)
    }

    /// Does something again and again, so many times a second, until it says that it is enough.
    package func `repeat`(hertz: Double, _ action: @escaping () -> Bool) {
        schedule(at: now.advanced(byMilliseconds: 1000 / hertz)) { [unowned self] in
            if action() { self.repeat(hertz: hertz, action) }
        }
    }

    /// Reads and answers until the condition holds; false when it does not within `seconds`.
    @discardableResult
    package func run(seconds: Double = 10, until condition: () -> Bool) -> Bool {
        let end = now.advanced(byMilliseconds: seconds * 1000)
        while true {
            fireTimers()
            server.pump()
            if condition() { return true }
            guard now < end else { return false }
            // A condition may look at what is not seen at the socket: a file, a process.
            var limit = min(end, now.advanced(byMilliseconds: 5))
            if let next = timers.first?.moment { limit = min(limit, next) }
            time.wait(server.fileDescriptor, limit)
        }
    }

    /// Reads and answers for so long.
    package func run(seconds: Double) {
        run(seconds: seconds) { false }
    }

    private func fireTimers() {
        while let timer = timers.first, timer.moment <= now {
            timers.removeFirst()
            firing = timer.moment
            timer.action()
        }
        firing = nil
    }

    // MARK: What it does to the client

    /// Asks all shells whether they live.
    package func ping() {
        for shell in shells where shell.isAlive {
            let serial = nextSerial()
            openPings.insert(serial)
            shell.ping(serial: serial)
        }
    }

    func pong(_ serial: UInt32) {
        if openPings.remove(serial) == nil { violate("xdg_wm_base: answered no ping") }
    }

    /// Tells what scale the surfaces had best be painted in: by the fractional scale, the surface's
    /// whole one or the screen's, whichever the client can hear of.
    package func prefer(scale: Double) {
        if !fractionalScales.isEmpty {
            for entry in fractionalScales where entry.surface.isOpen {
                entry.resource.preferredScale(scale: UInt32((scale * 120).rounded()))
            }
        } else if let surface, surface.resource.version >= 6 {
            surface.resource.preferredBufferScale(factor: Int32(scale.rounded(.up)))
        } else {
            for output in outputs { output.change(scale: Int32(scale.rounded(.up))) }
        }
    }

    /// Hangs up.
    package func disconnect() { client?.disconnect() }
}

// MARK: What the client makes

extension TestCompositor {
    func add(_ resource: WlSurfaceResource) {
        surfaces.append(TestSurface(resource, compositor: self))
    }

    func add(_ resource: XdgSurfaceResource, for surface: WlSurfaceResource) {
        guard let surface = self.surface(of: surface) else { return }
        let window = TestWindow(resource, surface: surface)
        surface.window = window
        windows.append(window)
    }

    func surface(of resource: WlSurfaceResource) -> TestSurface? {
        surfaces.first { $0.resource === resource }
    }

    func window(of toplevel: XdgToplevelResource) -> TestWindow? {
        windows.first { $0.toplevel === toplevel }
    }
}
