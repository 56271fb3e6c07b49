import Motion
import WaylandProtocol

/// The tablets of a seat with their pens (`zwp_tablet_seat_v2`).
final class Pens {
    private let raw: ZwpTabletSeatV2
    private unowned let seat: Seat
    private unowned let connection: Connection
    private(set) var pens: [Pen] = []
    private var tablets: [ZwpTabletV2] = []
    private var pads: [IgnoredPad] = []
    private var palms = PalmRule()

    init(raw: ZwpTabletSeatV2, seat: Seat, connection: Connection) {
        self.raw = raw
        self.seat = seat
        self.connection = connection
        raw.onEvent = { [unowned self] in
            switch $0 {
            case .tabletAdded(let tablet): add(tablet)
            case .toolAdded(let tool):
                pens.append(Pen(raw: tool, of: self, seat: seat, connection: connection))
            case .padAdded(let pad):
                pads.append(
                    IgnoredPad(pad) { [unowned self] ended in pads.removeAll { $0 === ended } })
            }
        }
    }

    /// Ends what the pens do, and destroys all objects: the seat has gone.
    func lose() {
        for pen in pens { pen.lose() }
        for pad in pads { pad.destroy() }
        for tablet in tablets where tablet.isAlive { tablet.destroy() }
        (pens, pads, tablets) = ([], [], [])
        if raw.isAlive { raw.destroy() }
    }

    /// Takes the contacts of all pens away.
    func cancel() { for pen in pens { pen.cancel() } }

    /// The serial of a tip or button that is down; nil if none is.
    var heldSerial: UInt32? { pens.lazy.compactMap(\.heldSerial).first }

    /// Whether a pen touches a window.
    var isInContact: Bool { pens.contains(where: \.isInContact) }

    /// Whether a finger that lands at `moment` is the hand that holds a pen.
    func ignoreFinger(at moment: Moment) -> Bool { palms.ignoresFinger(at: moment) }

    /// A pen that a hand holds has reported something; fingers that came before the pen are its palm.
    func noteReport(of pen: Pen, at moment: Moment) {
        if palms.report(pen, at: moment) { seat.cancelFingers() }
    }

    func noteDeparture(of pen: Pen, at moment: Moment) { palms.depart(pen, at: moment) }

    /// Forgets a pen that the compositor has removed.
    func remove(_ pen: Pen) {
        pen.lose()
        pens.removeAll { $0 === pen }
    }

    private func add(_ tablet: ZwpTabletV2) {
        tablets.append(tablet)
        tablet.onEvent = { [unowned self, unowned tablet] in
            if case .removed = $0 { remove(tablet) }
        }
    }

    /// Forgets a tablet; pens above it have gone, whether or not the compositor says so.
    private func remove(_ tablet: ZwpTabletV2) {
        for pen in pens where pen.tablet === tablet { pen.depart() }
        tablets.removeAll { $0 === tablet }
        tablet.destroy()
    }
}
