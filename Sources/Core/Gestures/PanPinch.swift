import Geometry

/// Content in one or more fingers: dragged, spread and turned from a base.
///
/// Before the slop is crossed the base is where the fingers landed; crossing moves it after them
/// by the slop, so that nothing jumps, and every change of the set of fingers starts it over.
struct PanPinch: Sendable {
    private var base = Point.zero
    private var baseSpan = 0.0
    /// How far the fingers have turned since the base, summed over the frames.
    private(set) var turn = 0.0
    /// The part of `turn` that it took to open the lock.
    private var lockedTurn = 0.0
    /// Once the lock is open it stays open until all fingers are up.
    private(set) var isTurning = false

    /// Starts the base over where the fingers are; `keepsTurn` if what they have turned still counts.
    mutating func rebase(_ contacts: Contacts, keepsTurn: Bool = false) {
        base = contacts.centroid
        baseSpan = contacts.span
        if !keepsTurn { (turn, lockedTurn) = (0, 0) }
    }

    /// Takes in that fingers have moved.
    mutating func follow(_ contacts: Contacts, rotates: Bool, settings: GestureSettings) {
        turn += contacts.turn
        guard rotates, !isTurning, abs(turn) > settings.rotationLock else { return }
        isTurning = true
        lockedTurn = turn < 0 ? -settings.rotationLock : settings.rotationLock
    }

    /// Whether the fingers have left the slop since the base.
    func hasCrossed(_ contacts: Contacts, settings: GestureSettings) -> Bool {
        if (contacts.centroid - base).length > settings.slop { return true }
        guard contacts.landedCount > 1 else { return false }
        return abs(contacts.span - baseSpan) > settings.spanSlop
            || abs(turn) > settings.rotationLock
    }

    /// Moves the base after the fingers by the slop, or all the way if they are within it.
    mutating func takeOffSlop(_ contacts: Contacts, settings: GestureSettings) {
        let (centroid, span) = (contacts.centroid, contacts.span)
        let way = centroid - base
        base = way.length > settings.slop ? base + way * (settings.slop / way.length) : centroid
        let spread = span - baseSpan
        baseSpan =
            abs(spread) > settings.spanSlop
            ? baseSpan + (spread < 0 ? -settings.spanSlop : settings.spanSlop) : span
    }

    /// The hold by `contacts`, which have turned by `turned` more than was followed, in radians.
    func manipulation(
        _ contacts: Contacts, turned: Double = 0, settings: GestureSettings
    ) -> Manipulation {
        let isMouse = contacts.landedCount == 1 && contacts[0].id == .mouse
        let floor = settings.minimumSpan
        return Manipulation(
            source: isMouse ? .mouse : .touch, fingers: contacts.landedCount, base: base,
            centroid: contacts.centroid, scale: max(contacts.span, floor) / max(baseSpan, floor),
            rotation: isTurning ? turn + turned - lockedTurn : 0)
    }
}
