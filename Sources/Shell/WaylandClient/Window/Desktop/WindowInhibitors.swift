import WaylandProtocol

/// What a window keeps the compositor from: darkening the screen, and handling shortcuts of its own.
///
/// Compositors that do not offer a protocol go on as usual.
struct WindowInhibitors {
    private var idle: ZwpIdleInhibitorV1?
    private var shortcuts: [Int: ZwpKeyboardShortcutsInhibitorV1] = [:]

    /// Keeps the screen on while the window is visible, or not any more.
    mutating func setIdleInhibited(_ isInhibited: Bool, _ surface: WlSurface, _ globals: Globals) {
        guard isInhibited != (idle != nil) else { return }
        idle?.destroy()
        idle = isInhibited ? globals.idleInhibition?.createInhibitor(surface: surface) : nil
    }

    /// Receives the compositor's shortcuts as keys while the window has the focus, from every seat.
    mutating func inhibitShortcuts(of seats: [Seat], _ surface: WlSurface, _ globals: Globals) {
        let gone = shortcuts.keys.filter { number in !seats.contains { $0.number == number } }
        for number in gone { shortcuts.removeValue(forKey: number)?.destroy() }
        for seat in seats where shortcuts[seat.number] == nil {
            // A second request for the same seat would be an error of the protocol.
            shortcuts[seat.number] = globals.shortcutInhibition?.inhibitShortcuts(
                surface: surface, seat: seat.raw)
        }
    }

    mutating func destroy() {
        idle?.destroy()
        for inhibitor in shortcuts.values { inhibitor.destroy() }
        (idle, shortcuts) = (nil, [:])
    }
}

extension Window {
    /// Keeps the screen on, or not any more; the window must have been painted.
    package func setIdleInhibited(_ isInhibited: Bool) {
        guard isMapped else { return }
        desktop.inhibitors.setIdleInhibited(isInhibited, surface, connection.globals)
    }

    /// Receives the compositor's shortcuts as keys; call it again when seats may have changed.
    package func inhibitShortcuts() {
        guard isMapped else { return }
        desktop.inhibitors.inhibitShortcuts(of: connection.seats, surface, connection.globals)
    }
}
