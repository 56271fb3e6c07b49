import Geometry
import Motion
import WaylandProtocol

/// The clipboard and the drags of one seat.
///
/// The compositor is not trusted: offers may be missing, unknown, repeated, or as many as it likes.
final class DataDevice {
    let seat: Seat
    private let raw: WlDataDevice
    private let primary: ZwpPrimarySelectionDeviceV1?
    private unowned let exchange: DataExchange
    private unowned let connection: Connection
    /// Offers that the compositor has announced, and neither used nor replaced yet.
    private var announced: [DataOffer] = []
    private var clipboard: DataOffer?
    private var primarySelection: DataOffer?
    private var drag: IncomingDrag?
    /// More announced offers than these were never meant to be used.
    private static let mostAnnounced = 16

    init(seat: Seat, connection: Connection, exchange: DataExchange, _ manager: WlDataDeviceManager)
    {
        self.seat = seat
        self.connection = connection
        self.exchange = exchange
        raw = manager.getDataDevice(seat: seat.raw)
        primary = connection.globals.primarySelection?.getDevice(seat: seat.raw)
        raw.onEvent = { [weak self] in self?.receive($0) }
        primary?.onEvent = { [weak self] in self?.receive($0) }
    }

    /// Ends a drag over a window, and the device; the seat has gone.
    func lose() {
        leave()
        for offer in announced + [clipboard, primarySelection].compactMap(\.self) {
            offer.destroy()
        }
        raw.release()
        primary?.destroy()
    }

    func offer(of selection: Selection) -> DataOffer? {
        selection == .clipboard ? clipboard : primarySelection
    }

    // MARK: Requests

    func setSelection(_ source: DataSource, serial: UInt32) {
        if let data = source.data { raw.setSelection(source: data, serial: serial) }
        if let data = source.primary { primary?.setSelection(source: data, serial: serial) }
    }

    func startDrag(
        _ source: WlDataSource, from surface: WlSurface, icon: WlSurface?, serial: UInt32
    ) {
        raw.startDrag(source: source, origin: surface, icon: icon, serial: serial)
    }

    // MARK: Events

    private func receive(_ event: WlDataDevice.Event) {
        switch event {
        case .dataOffer(let id): announce(DataOffer(id))
        case .selection(let id): select(id, \.clipboard)
        case .enter(let serial, let surface, let x, let y, let id):
            enter(serial, connection.window(of: surface), at: Point(x: x, y: y), id)
        case .motion(_, let x, let y): move(to: Point(x: x, y: y))
        case .leave: leave()
        case .drop: drop()
        }
    }

    private func receive(_ event: ZwpPrimarySelectionDeviceV1.Event) {
        switch event {
        case .dataOffer(let offer): announce(DataOffer(offer))
        case .selection(let id): select(id, \.primarySelection)
        }
    }

    private func announce(_ offer: DataOffer) {
        announced.append(offer)
        if announced.count > Self.mostAnnounced { announced.removeFirst().destroy() }
    }

    /// Takes an announced offer; nil for no object, and for one that is known no more.
    private func take(_ object: Proxy?) -> DataOffer? {
        guard let index = announced.firstIndex(where: { $0.owns(object) }) else { return nil }
        return announced.remove(at: index)
    }

    private func select(
        _ object: Proxy?, _ selection: ReferenceWritableKeyPath<DataDevice, DataOffer?>
    ) {
        let old = self[keyPath: selection]
        // The same offer once more stays.
        if let old, let object, old.owns(object) { return }
        self[keyPath: selection] = take(object)
        old?.destroy()
    }

    // MARK: Drags over a window

    private func enter(_ serial: UInt32, _ window: Window?, at point: Point, _ object: Proxy?) {
        leave()
        guard let offer = take(object) else { return }
        let isOwn = exchange.isDragging
        let wants = exchange.choose(offer.types)
        guard let window, !wants.isEmpty, window.onDrop != nil,
            !isOwn || window.wantsOwnDrop != nil
        else {
            offer.drag?.accept(serial: serial, mimeType: nil)
            offer.destroy()
            return
        }
        let drag = IncomingDrag(
            offer, wants, window: window, isOwn: isOwn, serial: serial, at: point)
        self.drag = drag
        guard !isOwn else { return drag.considerOwn() }
        drag.accept(true)
        window.onDrop?(.entered(at: point))
    }

    private func move(to point: Point) {
        guard let drag else { return }
        drag.point = point
        if drag.isOwn { drag.considerOwn() } else { drag.window?.onDrop?(.moved(to: point)) }
    }

    private func leave() {
        guard let drag else { return }
        self.drag = nil
        drag.offer.destroy()
        drag.window?.onDrop?(.left)
    }

    private func drop() {
        exchange.dragHasEnded()
        guard let drag else { return }
        self.drag = nil
        let window = drag.window
        window?.onDrop?(.left)
        guard drag.isAccepted else { return drag.offer.destroy() }
        let copies = drag.asksToCopy || seat.keyboard?.holdsControl == true
        drag.settleAction()
        exchange.receive(drag.wants, of: drag.offer) { outcome in
            // Without an end, the other program learns that the drop has failed.
            if case .success = outcome { drag.finish() }
            drag.offer.destroy()
            window?.onDrop?(.dropped(outcome, at: drag.point, copies: copies))
        }
    }
}

/// A drag over a window: another program's, or one of this program's own.
private final class IncomingDrag {
    let offer: DataOffer
    let wants: [DataWant]
    private(set) weak var window: Window?
    let isOwn: Bool
    /// In logical pixels of the window.
    var point: Point
    /// Whether a drop would be received.
    private(set) var isAccepted = false
    private let serial: UInt32
    /// Whether the offer may be finished: the protocol forbids that without an action.
    private var canFinish: Bool { (offer.drag?.version ?? 0) >= 3 && !offer.action.isEmpty }

    init(
        _ offer: DataOffer, _ wants: [DataWant], window: Window, isOwn: Bool, serial: UInt32,
        at point: Point
    ) {
        self.offer = offer
        self.wants = wants
        self.window = window
        self.isOwn = isOwn
        self.serial = serial
        self.point = point
    }

    /// Accepts the data, or refuses them; a person who holds Ctrl chooses to copy, and `ask` is what is left otherwise.
    ///
    /// The files are never moved by the protocol: the other program would delete them.
    func accept(_ isAccepted: Bool) {
        self.isAccepted = isAccepted
        offer.drag?.accept(serial: serial, mimeType: isAccepted ? wants.first?.type : nil)
        offer.drag?.setActions(
            dndActions: isAccepted ? [.copy, .ask] : [], preferredAction: isAccepted ? .ask : [])
    }

    /// Accepts the program's own data where the window wants them.
    func considerOwn() {
        let isWanted = window?.wantsOwnDrop?(point) ?? false
        if isWanted != isAccepted { accept(isWanted) }
    }

    /// Whether the compositor has chosen to copy though the other program would let us ask.
    var asksToCopy: Bool { offer.action == .copy && offer.sourceActions.contains(.ask) }

    /// Replaces `ask` by what is done, as the protocol requires before the end.
    func settleAction() {
        guard offer.action == .ask else { return }
        offer.drag?.setActions(dndActions: .copy, preferredAction: .copy)
    }

    func finish() { if canFinish { offer.drag?.finish() } }
}
