import EventLoop
import Glibc
import Interface
import Motion
import SystemCalls

/// The viewer on the accessibility bus (AT-SPI), on a thread of its own.
///
/// Calls are answered from the last interface of each window, so that no program makes the main thread
/// wait. The thread sleeps while nothing happens, and ends with the connection.
final class AccessibilityClient {
    private let mailbox: AccessibilityMailbox
    private let loop: MainLoop
    private var bus: Bus?
    /// Nil before the first windows have come.
    private var answers: AccessibilityAnswers?
    private var requests = RateLimit(atOnce: 32, perSecond: 20)

    private static let registry = Bus.Interface(
        program: "org.a11y.atspi.Registry", path: AccessibilityInterface.rootPath,
        name: "org.a11y.atspi.Socket")

    private init(_ mailbox: AccessibilityMailbox, _ loop: MainLoop) {
        (self.mailbox, self.loop) = (mailbox, loop)
    }

    /// Connects to the bus, and answers calls until the connection ends or `stop`.
    static func run(_ mailbox: AccessibilityMailbox, address: String) {
        if let loop = MainLoop() { AccessibilityClient(mailbox, loop).run(address) }
        mailbox.finish()
    }

    private func run(_ address: String) {
        loop.begin { [unowned self] in update() }
        // Whoever is not reachable is tried again when the desktop enables accessibility anew.
        if let bus = try? Bus(address: address, onClose: { [loop] in loop.quit() }) {
            self.bus = bus
            mailbox.setLoop(loop)
            update()
            loop.run()
            bus.close()
        }
        loop.end()
    }

    // MARK: Windows

    /// Takes over the latest windows, and reports what has changed.
    private func update() {
        guard let bus, let windows = mailbox.fetchWindows() else { return }
        guard var answers else { return begin(windows, on: bus) }
        let former = answers.windows
        answers.windows = windows
        self.answers = answers
        for signal in answers.signals(since: former) { emit(signal, bus) }
    }

    private func emit(_ signal: AccessibilitySignal, _ bus: Bus) {
        bus.emit(signal.member, of: signal.interface, at: signal.path, signal.parameters)
    }

    private func begin(_ windows: [AccessibilityWindow], on bus: Bus) {
        answers = AccessibilityAnswers(
            windows: windows, busName: bus.name,
            locale: setlocale(LC_MESSAGES, nil).map { String(cString: $0) } ?? "C")
        let objects = BusService(
            has: { [unowned self] in answers?.has($0, $1) == true },
            call: { [unowned self] in call($0, $1, $2, $3) },
            get: { [unowned self] in answers?.property($2, of: $0, $1) },
            set: { [unowned self] in set($0, $1, $2, $3) })
        let interfaces = AccessibilityInterface.allCases.map(\.name)
        let cache = BusService(
            has: { node, _ in node == "cache" },
            call: { [unowned self] _, _, _, _ in answers?.cacheItems() })
        guard
            bus.serve(
                objects, interfaces, below: AccessibilityInterface.folder,
                AccessibilityInterface.xml),
            bus.serve(
                cache, [AccessibilityInterface.cache], below: AccessibilityInterface.cacheFolder,
                AccessibilityInterface.cacheXML)
        else { return loop.quit() }
        embed(bus)
    }

    /// Makes the viewer known to the registry.
    private func embed(_ bus: Bus) {
        let plug = BusValue.tuple([
            .tuple([.text(bus.name), .path(AccessibilityInterface.rootPath)])
        ])
        bus.call(Self.registry, "Embed", plug) { [weak self] reply in
            guard let self, let answers = (try? reply.get())?.tuple?.first?.tuple,
                answers.count == 2, let name = answers[0].text, let path = answers[1].text,
                BusPath.isValid(path)
            else { return }
            self.answers?.desktop = (name, path)
            guard let bus = self.bus, let windows = self.answers?.windows else { return }
            for window in windows where window.isActive {
                for signal in window.activation() { emit(signal, bus) }
            }
        }
    }

    // MARK: Calls

    private func call(
        _ object: String, _ interface: String, _ method: String, _ arguments: BusValue
    ) -> BusValue? {
        guard let answer = answers?.call(method, of: object, interface, arguments) else {
            return nil
        }
        if let request = answer.request, let window = answers?.window(of: object) {
            guard requests.allows(at: MonotonicClock.now()) else { return .tuple([.bool(false)]) }
            mailbox.post(.init(request: request, window: window))
        }
        return answer.value
    }

    /// Sets a property: the number that the registry gives the application, or that of a widget.
    private func set(
        _ object: String, _ interface: String, _ property: String, _ value: BusValue
    ) -> Bool {
        if object == "root", property == "Id", let number = value.integer {
            answers?.applicationNumber = Int32(clamping: number)
            return true
        }
        guard let request = answers?.change(property, of: object, interface, to: value),
            let window = answers?.window(of: object), requests.allows(at: MonotonicClock.now())
        else { return false }
        mailbox.post(.init(request: request, window: window))
        return true
    }
}

/// Paths of objects that another program has sent.
enum BusPath {
    /// Whether a text is the path of an object (D-Bus specification, "Valid Object Paths").
    static func isValid(_ path: String) -> Bool {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= 1024 else { return false }
        if path == "/" { return true }
        return path.dropFirst().utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).allSatisfy { part in
            !part.isEmpty && part.allSatisfy(isPartByte)
        }
    }

    private static func isPartByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
