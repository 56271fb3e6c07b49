import Geometry

/// The second tap of a double tap, held and dragged up or down.
enum QuickZoom {
    /// How far the finger has dragged beyond the slop, in logical pixels, positive down.
    ///
    /// It depends on where the finger is and on nothing that was in between, so that a way there
    /// and back is no zoom at all.
    static func distance(of contact: Contact, settings: GestureSettings) -> Double {
        let way = contact.position.y - contact.start.y
        let beyond = max(abs(way) - settings.slop, 0)
        return way < 0 ? -beyond : beyond
    }
}
