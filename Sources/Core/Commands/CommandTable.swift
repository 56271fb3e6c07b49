package import Input

/// The table of all commands: keys, menus, help text and man page are made from it.
package enum CommandTable {
    package static let entries: [CommandEntry] = [
        CommandEntry(
            .left, "Left", "pan left; at fit, the previous picture",
            viewer: ["Left", "KP_Left"], grid: ["Left", "KP_Left"], onGrid: "move the focus left",
            repeats: true, undo: .right),
        CommandEntry(
            .right, "Right", "pan right; at fit, the next picture",
            viewer: ["Right", "KP_Right"], grid: ["Right", "KP_Right"],
            onGrid: "move the focus right", repeats: true, undo: .left),
        CommandEntry(
            .up, "Up", "pan up", viewer: ["Up", "KP_Up"], grid: ["Up", "KP_Up"],
            onGrid: "move the focus up", repeats: true,
            undo: .down),
        CommandEntry(
            .down, "Down", "pan down", viewer: ["Down", "KP_Down"], grid: ["Down", "KP_Down"],
            onGrid: "move the focus down",
            repeats: true, undo: .up),
        CommandEntry(
            .next, "Next picture", "next picture",
            viewer: ["space", "Next", "Page_Down", "KP_Next"], repeats: true, undo: .previous),
        CommandEntry(
            .previous, "Previous picture", "previous picture",
            viewer: ["BackSpace", "Prior", "Page_Up", "KP_Prior"], repeats: true, undo: .next),
        CommandEntry(
            .pageUp, "Page up", "scroll one screen up",
            grid: ["Prior", "Page_Up", "KP_Prior", "KP_Page_Up"], repeats: true, undo: .pageDown),
        CommandEntry(
            .pageDown, "Page down", "scroll one screen down",
            grid: ["Next", "Page_Down", "KP_Next", "KP_Page_Down"], repeats: true, undo: .pageUp),
        CommandEntry(
            .first, "First picture", "first picture", viewer: ["Home", "KP_Home"],
            grid: ["Home", "KP_Home"]),
        CommandEntry(
            .last, "Last picture", "last picture", viewer: ["End", "KP_End"],
            grid: ["End", "KP_End"]),
        CommandEntry(
            .open, "Open", "open the picture", grid: ["Return", "KP_Enter"], undo: .leave),
        CommandEntry(
            .select, "Select", "select or deselect the picture", grid: ["Ctrl+space"],
            undo: .select),
        CommandEntry(.selectAll, "Select all", "select all pictures", grid: ["Ctrl+a"]),
        CommandEntry(
            .zoomIn, "Zoom in", "zoom in",
            viewer: zoomKeys(["plus", "equal", "KP_Add"]),
            grid: zoomKeys(["plus", "equal", "KP_Add"]), onGrid: "fewer columns", repeats: true,
            undo: .zoomOut),
        CommandEntry(
            .zoomOut, "Zoom out", "zoom out",
            viewer: zoomKeys(["minus", "KP_Subtract"]), grid: zoomKeys(["minus", "KP_Subtract"]),
            onGrid: "more columns",
            repeats: true, undo: .zoomIn),
        CommandEntry(.fit, "Fit to window", "zoom to fit", viewer: zoomKeys(["0", "KP_0"])),
        CommandEntry(
            .defaultColumns, "Default columns", "default number of columns",
            grid: zoomKeys(["0", "KP_0"])),
        CommandEntry(
            .oneToOne, "Actual size", "zoom to one picture pixel per screen pixel",
            viewer: ["1", "KP_1"], undo: .fit),
        CommandEntry(.fill, "Fill the window", "zoom to fill", viewer: ["2", "KP_2"], undo: .fit),
        CommandEntry(
            .rotateClockwise, "Turn right", "rotate clockwise", viewer: ["r"], repeats: true,
            undo: .rotateAnticlockwise),
        CommandEntry(
            .rotateAnticlockwise, "Turn left", "rotate anticlockwise", viewer: ["R"],
            repeats: true, undo: .rotateClockwise),
        CommandEntry(
            .playPause, "Pause", "pause or play the animation", viewer: ["p"],
            condition: .animation, undo: .playPause),
        CommandEntry(
            .nextFrame, "Next frame", "next frame of the animation", viewer: ["period"],
            repeats: true, condition: .animation),
        CommandEntry(
            .information, "Information", "show or hide the information panel", viewer: ["i"],
            undo: .information),
        CommandEntry(
            .checkerboard, "Checkerboard",
            "show or hide a checkerboard behind transparent areas", viewer: ["b"],
            undo: .checkerboard),
        CommandEntry(
            .fullscreen, "Fullscreen", "enter or leave fullscreen", viewer: ["f", "F11"],
            grid: ["f", "F11"], undo: .fullscreen),
        CommandEntry(
            .chrome, "Bar", "show or hide the bar", viewer: ["Return", "KP_Enter"], undo: .chrome),
        CommandEntry(.menu, "Menu", "show or hide the menu", viewer: ["Menu"], undo: .menu),
        CommandEntry(.grid, "Grid", "go to the grid of all pictures", viewer: ["g"], undo: .open),
        CommandEntry(
            .leave, "Close", "close the menu or the panel, or go one level up",
            viewer: ["Escape"], grid: ["Escape", "q", "Ctrl+q", "Ctrl+w"],
            onGrid: "clear the selection, or quit"),
        CommandEntry(.quit, "Quit", "quit", viewer: ["q", "Ctrl+q", "Ctrl+w"]),
    ]

    /// Zoom keys work with Ctrl and without.
    private static func zoomKeys(_ names: [String]) -> [KeyBinding] {
        names.map { KeyBinding(stringLiteral: $0) }
            + names.map { KeyBinding(stringLiteral: "Ctrl+" + $0) }
    }

    private static let byCommand = Dictionary(
        uniqueKeysWithValues: entries.map { ($0.command, $0) })

    private static let byKey: [CommandMode: [KeyBinding: CommandEntry]] = {
        var table: [CommandMode: [KeyBinding: CommandEntry]] = [:]
        for entry in entries {
            for (mode, keys) in entry.keys {
                for key in keys { table[mode, default: [:]][key] = entry }
            }
        }
        return table
    }()

    package static func entry(of command: Command) -> CommandEntry {
        guard let entry = byCommand[command] else {
            preconditionFailure("CommandTableTests prove that every command has an entry")
        }
        return entry
    }

    /// The command of a key that went down or repeats; nil where the key has none.
    package static func command(for key: KeyEvent, in mode: CommandMode) -> Command? {
        guard key.action != .up, let binding = KeyBinding(key),
            let entry = byKey[mode]?[binding], key.action != .repeated || entry.repeats
        else { return nil }
        return entry.command
    }
}
