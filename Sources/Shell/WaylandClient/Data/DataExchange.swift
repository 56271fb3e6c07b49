import EventLoop
import Glibc
import Motion
import WaylandProtocol

/// One of the two places through which programs exchange data without a drag.
package enum Selection: Hashable, Sendable {
    case clipboard
    /// What is selected at present, which the middle button pastes.
    case primary
}

/// The clipboard, and drag and drop, of a connection.
///
/// No call waits: transfers go on in the event loop, and each of them ends by itself.
package final class DataExchange {
    /// More types of an offer are ignored.
    package static let mostTypes = 256
    /// More programs than these cannot read at the same time.
    static let mostOutgoing = 16
    static let mostIncoming = 4

    /// Chooses which of the offered types to read, the best first; none if none is wanted.
    ///
    /// The next one is read only if the data of the one before are empty or of no use.
    package var choose: (_ types: [String]) -> [DataWant] = { _ in [] }
    /// Whether data are of use; otherwise the next wanted type is read.
    package var isUseful: (ReceivedData) -> Bool = { _ in true }

    private unowned let connection: Connection
    private let sources: EventSources
    private let backgroundJobs: BackgroundJobs
    private var devices: [DataDevice] = []
    private var outgoing: [OutgoingTransfer] = []
    private var incoming: [IncomingTransfer] = []
    /// What this program offers.
    private var selections: [DataSource] = []
    /// The data that are or were dragged, until the other program has them.
    private var drags: [DataSource] = []
    private var icon: DragIconSurface?
    /// Whether this program's data are being dragged.
    private(set) var isDragging = false
    private var deadline: EventSources.Source?

    init(_ connection: Connection, _ sources: EventSources) {
        self.connection = connection
        self.sources = sources
        backgroundJobs = BackgroundJobs(sources)
        deadline = sources.add(quietDeadline: { [unowned self] in nextDeadline }) {
            [unowned self] in expire()
        }
        for seat in connection.seats { add(seat) }
    }

    deinit { if let deadline { sources.remove(deadline) } }

    func add(_ seat: Seat) {
        guard let manager = connection.globals.dataDevices else { return }
        devices.append(
            DataDevice(seat: seat, connection: connection, exchange: self, manager))
    }

    func remove(_ seat: Seat) {
        for device in devices where device.seat === seat { device.lose() }
        devices.removeAll { $0.seat === seat }
    }

    private func device(_ seat: Int) -> DataDevice? { devices.first { $0.seat.number == seat } }

    /// Whether the compositor offers a clipboard.
    package var isAvailable: Bool { !devices.isEmpty }

    // MARK: Clipboard

    /// Replaces the contents of the clipboard, and of the primary selection if the compositor has one.
    ///
    /// Returns false where the compositor has no clipboard, and before the first press on the seat.
    package func copy(_ content: DataContent, seat: Int) -> Bool {
        guard let device = device(seat), let serial = device.seat.inputSerial,
            let manager = connection.globals.dataDevices
        else { return false }
        var new = [DataSource(content, manager.createDataSource())]
        if let primary = connection.globals.primarySelection?.createSource() {
            new.append(DataSource(content, primary))
        }
        for source in new {
            serve(source)
            source.onEnd = { [weak self, weak source] _ in
                self?.selections.removeAll { $0 === source }
            }
            device.setSelection(source, serial: serial)
        }
        // The compositor cancels those before.
        selections = selections.suffix(6) + new
        return true
    }

    /// Reads what another program, or this one, has copied; `onEnd` is called once, at once or later.
    package func paste(
        _ selection: Selection = .clipboard, seat: Int,
        onEnd: @escaping (Result<ReceivedData, DataFailure>) -> Void
    ) {
        guard let offer = device(seat)?.offer(of: selection), !offer.types.isEmpty else {
            return onEnd(.failure(.empty))
        }
        let wants = choose(offer.types)
        guard !wants.isEmpty else { return onEnd(.failure(.unusable)) }
        receive(wants, of: offer, onEnd)
    }

    // MARK: Drags

    /// Lets the compositor drag data with the finger or button that is down on that seat.
    ///
    /// Contacts are cancelled and buttons released, since the compositor receives their events from
    /// here on. `onEnd` is called when the drag is over: with what the target has done with the data;
    /// empty if nothing. Returns false if nothing was pressed, and where the compositor cannot drag.
    package func beginDrag(
        _ content: DataContent, _ actions: DragActions = .copy, icon: DragIcon? = nil,
        from window: Window, seat: Int, onEnd: @escaping (DragActions) -> Void
    ) -> Bool {
        guard let device = device(seat), let manager = connection.globals.dataDevices,
            let serial = device.seat.pressSerial, device.seat.holdsPress
        else { return false }
        let source = DataSource(content, manager.createDataSource())
        serve(source)
        source.data?.setActions(dndActions: actions.wire)
        source.onDrop = { [weak self] in self?.dragHasEnded() }
        source.onEnd = { [weak self, weak source] action in
            self?.dragHasEnded()
            self?.drags.removeAll { $0 === source }
            onEnd(action)
        }
        // A source before that was never ended is served no more.
        drags = drags.suffix(3) + [source]
        self.icon = icon.flatMap { surface(for: $0) }
        isDragging = true
        if let data = source.data {
            device.startDrag(data, from: window.surface, icon: self.icon?.surface, serial: serial)
        }
        self.icon?.show()
        device.seat.handOver()
        return true
    }

    private func surface(for icon: DragIcon) -> DragIconSurface? {
        guard let compositor = connection.globals.compositor, let shm = connection.globals.shm
        else { return nil }
        return try? DragIconSurface(icon, compositor: compositor, shm: shm)
    }

    /// The fingers or buttons of a drag are up, or were never taken by the compositor.
    func dragHasEnded() {
        isDragging = false
        icon = nil
    }

    // MARK: Transfers

    /// Reads the first wanted type of an offer whose data are of use; without any, the outcome is that of
    /// the best type.
    func receive(
        _ wants: [DataWant], of offer: DataOffer,
        _ onEnd: @escaping (Result<ReceivedData, DataFailure>) -> Void
    ) {
        guard let want = wants.first else { return onEnd(.failure(.unusable)) }
        receive(want, of: offer) { [unowned self] outcome in
            guard isUseless(outcome), wants.count > 1 else { return onEnd(outcome) }
            receive(Array(wants.dropFirst()), of: offer) { [unowned self] next in
                guard case .success(let data) = next else { return onEnd(outcome) }
                onEnd(isUseful(data) ? next : outcome)
            }
        }
    }

    /// Whether another type may say more; a program that does not answer is not asked again.
    private func isUseless(_ outcome: Result<ReceivedData, DataFailure>) -> Bool {
        switch outcome {
        case .success(let data): !isUseful(data)
        case .failure(let failure): failure == .noData
        }
    }

    /// Reads a type of an offer.
    private func receive(
        _ want: DataWant, of offer: DataOffer,
        _ onEnd: @escaping (Result<ReceivedData, DataFailure>) -> Void
    ) {
        guard incoming.count < Self.mostIncoming else {
            return onEnd(.failure(.tooMany(limit: Self.mostIncoming)))
        }
        do throws(DataFailure) {
            let transfer = try IncomingTransfer(
                want, sources, clock: { [unowned self] in connection.now },
                request: { offer.receive(want.type, into: $0) }
            ) { [unowned self] transfer, outcome in
                incoming.removeAll { $0 === transfer }
                onEnd(outcome)
            }
            incoming.append(transfer)
        } catch { onEnd(.failure(error)) }
    }

    private func serve(_ source: DataSource) {
        source.onSend = { [weak self, unowned source] type, descriptor in
            guard let self else { return _ = close(descriptor) }
            send(source.content, type, to: descriptor)
        }
    }

    private func send(_ content: DataContent, _ type: String, to descriptor: Int32) {
        guard outgoing.count < Self.mostOutgoing, content.types.contains(type) else {
            close(descriptor)
            return
        }
        let transfer = OutgoingTransfer(
            of: content, to: descriptor, sources, backgroundJobs,
            clock: { [unowned self] in connection.now }
        ) { [unowned self] transfer in outgoing.removeAll { $0 === transfer } }
        outgoing.append(transfer)
        content.provide(type) { [weak transfer] in transfer?.send($0) }
    }

    /// Whether data are being sent or received.
    package var isBusy: Bool { !outgoing.isEmpty || !incoming.isEmpty }

    private var nextDeadline: Moment? {
        (outgoing.compactMap(\.deadline) + incoming.compactMap(\.deadline)).min()
    }

    private func expire() {
        let now = connection.now
        for transfer in outgoing where transfer.deadline.map({ $0 <= now }) == true {
            transfer.end()
        }
        for transfer in incoming where transfer.deadline.map({ $0 <= now }) == true {
            transfer.expire()
        }
    }
}
