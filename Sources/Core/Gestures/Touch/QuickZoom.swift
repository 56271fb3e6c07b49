import Geometry

/// The second tap of a double tap, held and dragged up or down.
enum QuickZoom {
    /// How far the finger has dragged beyond the slop, in logical pixels, positive down.
    ///
    /// The distance depends only on the current position, not on the path: moving there and back
    /// does not zoom.
    static func distance(of contact: Contact, settings: GestureConstants) -> Double {
        let translation = contact.position.y - contact.start.y
        let beyond = max(abs(translation) - settings.slop, 0)
        return translation < 0 ? -beyond : beyond
    }
}
