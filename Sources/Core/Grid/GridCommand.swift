package import Input

/// What a key does on the grid.
package enum GridCommand: Hashable, Sendable {
    case left, right, up, down
    case pageUp, pageDown, first, last
    case open, select, selectAll
    case zoomIn, zoomOut, base
    case fullscreen, leave

    /// Every key with its command, by keysym name; those of `controlKeys` are held with Ctrl.
    package static let keys: [(name: String, command: GridCommand)] = [
        ("Left", .left), ("KP_Left", .left), ("Right", .right), ("KP_Right", .right),
        ("Up", .up), ("KP_Up", .up), ("Down", .down), ("KP_Down", .down),
        ("Prior", .pageUp), ("Page_Up", .pageUp), ("KP_Prior", .pageUp), ("KP_Page_Up", .pageUp),
        ("Next", .pageDown), ("Page_Down", .pageDown), ("KP_Next", .pageDown),
        ("KP_Page_Down", .pageDown), ("Home", .first), ("KP_Home", .first), ("End", .last),
        ("KP_End", .last), ("Return", .open), ("KP_Enter", .open), ("plus", .zoomIn),
        ("equal", .zoomIn), ("KP_Add", .zoomIn), ("minus", .zoomOut), ("KP_Subtract", .zoomOut),
        ("0", .base), ("KP_0", .base), ("f", .fullscreen), ("F11", .fullscreen),
        ("Escape", .leave), ("q", .leave),
    ]
    package static let controlKeys: [(name: String, command: GridCommand)] = [
        ("space", .select), ("a", .selectAll), ("plus", .zoomIn), ("equal", .zoomIn),
        ("KP_Add", .zoomIn), ("minus", .zoomOut), ("KP_Subtract", .zoomOut), ("0", .base),
        ("KP_0", .base), ("q", .leave), ("w", .leave),
    ]

    /// The command of a key that went down, or none; Alt and the logo key are the desktop's.
    package init?(_ key: KeyEvent) {
        guard key.action != .up, key.modifiers.isDisjoint(with: [.alt, .logo]) else { return nil }
        let keys = key.modifiers.contains(.control) ? Self.controlKeys : Self.keys
        guard let command = keys.first(where: { $0.name == key.name })?.command,
            key.action != .repeated || command.repeats
        else { return nil }
        self = command
    }

    /// Whether holding the key down does it again and again.
    private var repeats: Bool {
        switch self {
        case .left, .right, .up, .down, .pageUp, .pageDown, .zoomIn, .zoomOut: true
        case .first, .last, .open, .select, .selectAll, .base, .fullscreen, .leave: false
        }
    }
}
