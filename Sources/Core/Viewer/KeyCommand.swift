package import Input

/// What a key does in the viewer.
package enum KeyCommand: Hashable, Sendable {
    case left, right, up, down
    case next, previous, first, last
    case zoomIn, zoomOut, fit, oneToOne, fill
    case rotateClockwise, rotateAnticlockwise
    case playPause, nextFrame, checkerboard
    case fullscreen, chrome, menu, information, leave, grid, quit

    /// Every key with its command, by keysym name.
    package static let keys: [(name: String, command: KeyCommand)] = [
        ("Left", .left), ("KP_Left", .left), ("Right", .right), ("KP_Right", .right),
        ("Up", .up), ("KP_Up", .up), ("Down", .down), ("KP_Down", .down),
        ("space", .next), ("Next", .next), ("Page_Down", .next), ("KP_Next", .next),
        ("BackSpace", .previous), ("Prior", .previous), ("Page_Up", .previous),
        ("KP_Prior", .previous), ("Home", .first), ("KP_Home", .first), ("End", .last),
        ("KP_End", .last), ("plus", .zoomIn), ("equal", .zoomIn), ("KP_Add", .zoomIn),
        ("minus", .zoomOut), ("KP_Subtract", .zoomOut), ("0", .fit), ("KP_0", .fit),
        ("1", .oneToOne), ("KP_1", .oneToOne), ("2", .fill), ("KP_2", .fill),
        ("r", .rotateClockwise), ("R", .rotateAnticlockwise), ("f", .fullscreen),
        ("F11", .fullscreen), ("Return", .chrome), ("KP_Enter", .chrome), ("Menu", .menu),
        ("i", .information), ("Escape", .leave), ("q", .quit), ("g", .grid), ("p", .playPause),
        ("b", .checkerboard),
        ("period", .nextFrame),
    ]

    /// The command of a key that went down, or none.
    ///
    /// Keys held with Ctrl, Alt or the logo key are the desktop's, except Ctrl with plus, minus, 0, Q and W.
    package init?(_ key: KeyEvent) {
        guard key.action != .up else { return nil }
        if key.modifiers.contains(.control), ["q", "w"].contains(key.name) {
            self = .quit
            return
        }
        guard let command = Self.keys.first(where: { $0.name == key.name })?.command else {
            return nil
        }
        let zooms: Set<KeyCommand> = [.zoomIn, .zoomOut, .fit]
        let foreign: KeyEvent.Modifiers =
            zooms.contains(command) ? [.alt, .logo] : [.alt, .logo, .control]
        guard key.modifiers.isDisjoint(with: foreign) else { return nil }
        if key.action == .repeated && !command.repeats { return nil }
        self = command
    }

    /// Whether holding the key down does it again and again.
    private var repeats: Bool {
        switch self {
        case .fullscreen, .chrome, .menu, .information, .leave, .grid, .quit, .fit, .oneToOne,
            .fill, .first, .last, .playPause, .checkerboard:
            false
        case .left, .right, .up, .down, .next, .previous, .zoomIn, .zoomOut, .rotateClockwise,
            .rotateAnticlockwise, .nextFrame:
            true
        }
    }
}
