import Geometry

/// Pan, pinch and rotation of content by one or more fingers, relative to a base.
///
/// The base is where the fingers landed. Crossing the slop moves the base after the fingers by the
/// slop, so that the content does not jump; every change of the set of fingers sets a new base.
struct PanPinch: Sendable {
    private var base = Point.zero
    private var baseSpan = 0.0
    /// The fingers' rotation since the base, in radians clockwise, summed over the frames.
    private(set) var turn = 0.0
    /// The part of `turn` that opened the rotation lock.
    private var lockedRotation = 0.0
    /// Once the lock is open it stays open until all fingers are up.
    private(set) var isRotating = false

    /// Sets the base to the fingers' positions; `keepsRotation` keeps the rotation so far.
    mutating func rebase(_ contacts: Contacts, keepsRotation: Bool = false) {
        base = contacts.centroid
        baseSpan = contacts.span
        if !keepsRotation { (turn, lockedRotation) = (0, 0) }
    }

    /// Updates the rotation after fingers have moved.
    mutating func follow(_ contacts: Contacts, rotates: Bool, settings: GestureConstants) {
        turn += contacts.turn
        guard rotates, !isRotating, abs(turn) > settings.rotationLock else { return }
        isRotating = true
        lockedRotation = turn < 0 ? -settings.rotationLock : settings.rotationLock
    }

    /// Whether the fingers have left the slop since the base.
    func hasCrossed(_ contacts: Contacts, settings: GestureConstants) -> Bool {
        if (contacts.centroid - base).length > settings.slop { return true }
        guard contacts.landedCount > 1 else { return false }
        return abs(contacts.span - baseSpan) > settings.spanSlop
            || abs(turn) > settings.rotationLock
    }

    /// Moves the base after the fingers by the slop, or to the fingers if they are within the slop.
    mutating func subtractSlop(_ contacts: Contacts, settings: GestureConstants) {
        let (centroid, span) = (contacts.centroid, contacts.span)
        let translation = centroid - base
        base =
            translation.length > settings.slop
            ? base + translation * (settings.slop / translation.length) : centroid
        let spanChange = span - baseSpan
        baseSpan =
            abs(spanChange) > settings.spanSlop
            ? baseSpan + (spanChange < 0 ? -settings.spanSlop : settings.spanSlop) : span
    }

    /// The manipulation by `contacts`; `rotated` is their rotation after the last update, in
    /// radians.
    func manipulation(
        _ contacts: Contacts, rotated: Double = 0, settings: GestureConstants
    ) -> Manipulation {
        let floor = settings.minimumSpan
        return Manipulation(
            source: contacts.landedCount == 1 ? contacts[0].id.source : .touch,
            fingers: contacts.landedCount, base: base,
            centroid: contacts.centroid, scale: max(contacts.span, floor) / max(baseSpan, floor),
            rotation: isRotating ? turn + rotated - lockedRotation : 0)
    }
}
