package import Geometry
package import Motion
import WaylandProtocol
package import WaylandServer

/// A small compositor on the test's thread.
///
/// A test controls its behaviour, correct or faulty. The compositor reads the client's pixels and
/// lists the client's protocol violations. It works only inside `run(until:)`, which reads
/// requests, answers and fires timers. With `Timekeeper.real` the client is a program, connected by
/// `socketForClient`; with a `ManualTime` the client runs on the same thread.
package final class TestCompositor {
    /// The behaviour; everything but the offered globals may change at any time.
    package var setup: Setup
    package let server: Server
    /// The client's connection; nil before `socketForClient`.
    package private(set) var client: ServerClient?
    package private(set) var surfaces: [TestSurface] = []
    package private(set) var windows: [TestWindow] = []
    package private(set) var outputs: [TestOutput] = []
    package private(set) var seats: [TestSeat] = []
    /// The client's protocol violations, as messages.
    package private(set) var violations: [String] = []
    /// When the pings without a pong were sent, by their serials.
    private var sentPings: [UInt32: Moment] = [:]
    /// The serials of pings without a pong.
    package var openPings: Set<UInt32> { Set(sentPings.keys) }
    /// How long the client took to answer each ping, in milliseconds.
    package private(set) var answerTimes: [Double] = []

    /// The clipboard, and drag and drop.
    package let data = TestData()
    /// The activations that the client has asked for.
    package internal(set) var activations: [Activation] = []
    /// The tokens that the client has asked for.
    package internal(set) var tokenRequests: [TokenRequest] = []
    var iconNames: [(icon: XdgToplevelIconV1Resource, name: String)] = []
    var regions: [TestRegion] = []
    /// The sessions that clients use or have used.
    package internal(set) var sessions: [XdgSessionV1Resource] = []
    /// How many inhibitors keep the screen on.
    package internal(set) var idleInhibitors = 0
    /// The idle times of which the client is told.
    package internal(set) var idleNotifications: [ExtIdleNotificationV1Resource] = []
    /// Whether the client left each screen on that it has switched, in the order of the requests.
    package internal(set) var screenSwitches: [Bool] = []
    /// The indices of the seats whose shortcuts go to the client.
    package var inhibitedSeats: Set<Int> { Set(inhibitions.map(\.seat)) }
    var inhibitions: Set<Inhibition> = []

    /// A surface to which the shortcuts of a seat go.
    struct Inhibition: Hashable {
        var surface: ObjectIdentifier
        var seat: Int
    }
    var fractionalScales: [(surface: TestSurface, resource: WpFractionalScaleV1Resource)] = []
    /// What pixels may mean, by the objects that stand for the descriptions.
    var descriptions: [UInt32: TestDescription] = [:]
    var lightFeedbacks: [WpColorManagementSurfaceFeedbackV1Resource] = []
    /// The number of the last description of a screen.
    var lightCount: UInt32 = 0
    var shells: [XdgWmBaseResource] = []
    var gestures: [PointerGestures] = []
    /// The objects by which clients receive event times in nanoseconds.
    var touchStamps: [(touch: WlTouchResource, stamps: ZwpInputTimestampsV1Resource)] = []
    var pointerStamps: [(pointer: WlPointerResource, stamps: ZwpInputTimestampsV1Resource)] = []
    /// Seats that were removed, whose objects clients may still use.
    private var removedSeats: [TestSeat] = []
    private let time: Timekeeper
    private var timers: [(moment: Moment, action: () -> Void)] = []
    /// The scheduled time of the timer that fires now; nil outside a timer.
    private var firing: Moment?

    package init(
        _ setup: Setup = Setup(), time: Timekeeper = .real
    ) throws(ServerError) {
        self.setup = setup
        self.time = time
        server = try Server(hasSharedMemory: setup.offer["wl_shm"] != nil)
        try addGlobals()
        if setup.offer["wl_output"] != nil { try addOutput() }
        if setup.offer["wl_seat"] != nil { try addSeat() }
    }

    /// Creates the connection and returns the client's socket.
    package func socketForClient() throws(ServerError) -> Int32 {
        let ends = try socketPair()
        client = try server.connect(socket: ends.server)
        return ends.client
    }

    /// Adds a seat.
    @discardableResult
    package func addSeat() throws(ServerError) -> TestSeat {
        let seat = try TestSeat(
            self, version: setup.offer["wl_seat"] ?? 7, number: seats.count,
            capabilities: setup.capabilities)
        seats.append(seat)
        return seat
    }

    /// Removes a seat without events for its devices.
    package func remove(_ seat: TestSeat) {
        seat.remove()
        removedSeats.append(seat)
        seats.removeAll { $0 === seat }
    }

    /// Adds a screen, whose name is "TEST-1" and so on unless it has one.
    @discardableResult
    package func addOutput(
        _ name: String? = nil, size: PixelSize? = nil, scale: Int32? = nil
    ) throws(ServerError) -> TestOutput {
        let output = try TestOutput(
            server, version: setup.offer["wl_output"] ?? 4,
            name: name ?? "TEST-\(outputs.count + 1)", size: size ?? setup.outputSize,
            scale: scale ?? setup.outputScale)
        outputs.append(output)
        return output
    }

    /// The open window that is fullscreen on an output; nil without one.
    package func window(on output: TestOutput) -> TestWindow? {
        windows.last { $0.isOpen && $0.output === output }
    }

    /// The only window.
    package var window: TestWindow? { windows.last }

    /// The surface of the only window.
    package var surface: TestSurface? { window?.surface }

    func violate(_ text: String) { violations.append(text) }

    func nextSerial() -> UInt32 { server.nextSerial() }

    // MARK: Time

    package var now: Moment { time.now() }

    /// The timestamp of an event: milliseconds that wrap around.
    ///
    /// A scripted event has its time in the script, even if a busy machine sends it late. Likewise
    /// the kernel stamps the reports of a device when they occur.
    var eventTime: UInt32 {
        UInt32(truncatingIfNeeded: Int64((firing ?? now).milliseconds))
    }

    /// The scheduled time of the timer that fires now, or the current time.
    var timerMoment: Moment { firing ?? now }

    /// Sends the time of the next event in nanoseconds.
    func stamp(_ stamps: ZwpInputTimestampsV1Resource) {
        let nanoseconds = UInt64((firing ?? now).milliseconds * 1e6)
        let seconds = nanoseconds / 1_000_000_000
        stamps.timestamp(
            tvSecHi: UInt32(seconds >> 32), tvSecLo: UInt32(truncatingIfNeeded: seconds),
            tvNsec: UInt32(nanoseconds % 1_000_000_000))
    }

    /// Runs `action` at `moment`, if the compositor runs then.
    package func schedule(at moment: Moment, _ action: @escaping () -> Void) {
        let index = timers.firstIndex { $0.moment > moment } ?? timers.endIndex
        timers.insert((moment, action), at: index)
    }

    /// Runs `action` at `hertz` until it returns false.
    package func `repeat`(hertz: Double, _ action: @escaping () -> Bool) {
        schedule(at: now.advanced(byMilliseconds: 1000 / hertz)) { [unowned self] in
            if action() { self.repeat(hertz: hertz, action) }
        }
    }

    /// Handles requests until `condition` holds; returns false after `seconds`.
    ///
    /// By default a machine at a quarter of the usual speed has time enough.
    @discardableResult
    package func run(seconds: Double = 40, until condition: () -> Bool) -> Bool {
        let end = now.advanced(byMilliseconds: seconds * 1000)
        while true {
            fireTimers()
            server.pump()
            if condition() { return true }
            guard now < end else { return false }
            // The condition may depend on a file or a process, so the wait is limited to 5 ms.
            var limit = min(end, now.advanced(byMilliseconds: 5))
            if let next = timers.first?.moment { limit = min(limit, next) }
            time.wait(server.fileDescriptor, limit)
        }
    }

    /// Handles requests for `seconds`.
    package func run(seconds: Double) {
        run(seconds: seconds) { false }
    }

    /// The delay of the timer whose action runs now, in milliseconds: the wait for a processor, and the
    /// actions before.
    package var lateness: Double { firing.map { now.seconds(since: $0) * 1000 } ?? 0 }

    private func fireTimers() {
        while let timer = timers.first, timer.moment <= now {
            timers.removeFirst()
            firing = timer.moment
            timer.action()
        }
        firing = nil
    }

    // MARK: Events to the client

    /// Pings all shells.
    package func ping() {
        for shell in shells where shell.isAlive {
            let serial = nextSerial()
            sentPings[serial] = now
            shell.ping(serial: serial)
        }
    }

    func pong(_ serial: UInt32) {
        if let sent = sentPings.removeValue(forKey: serial) {
            answerTimes.append(now.seconds(since: sent) * 1000)
        } else {
            violate("xdg_wm_base: sent a pong without a ping")
        }
    }

    /// Sends the preferred scale of the surfaces.
    ///
    /// The scale goes through the fractional scale, the surface's integer scale or the output's
    /// scale, depending on what the client supports.
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

    /// Closes the client's connection.
    package func disconnect() { client?.disconnect() }
}

// MARK: Objects of the client

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
