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
            viewer: ["space", "Next", "Page_Down", "KP_Next"], repeats: true, undo: .previous,
            gestures: [.viewer: "Swipe to the next page"]),
        CommandEntry(
            .previous, "Previous picture", "previous picture",
            viewer: ["BackSpace", "Prior", "Page_Up", "KP_Prior"], repeats: true, undo: .next,
            gestures: [.viewer: "Swipe to the previous page"]),
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
            .open, "Open", "open the picture", grid: ["Return", "KP_Enter"], undo: .leave,
            gestures: [.grid: "Tap"]),
        CommandEntry(
            .select, "Select", "select or deselect the picture", grid: ["Ctrl+space"],
            undo: .select, gestures: [.grid: "Long press"]),
        CommandEntry(.selectAll, "Select all", "select all pictures", grid: ["Ctrl+a"]),
        CommandEntry(
            .zoomIn, "Zoom in", "zoom in",
            viewer: zoomKeys(["plus", "equal", "KP_Add"]),
            grid: zoomKeys(["plus", "equal", "KP_Add"]), onGrid: "larger pictures, fewer columns",
            repeats: true,
            undo: .zoomOut,
            gestures: [.viewer: "Spread two fingers, double tap", .grid: "Spread two fingers"]),
        CommandEntry(
            .zoomOut, "Zoom out", "zoom out",
            viewer: zoomKeys(["minus", "KP_Subtract"]), grid: zoomKeys(["minus", "KP_Subtract"]),
            onGrid: "smaller pictures, more columns",
            repeats: true, undo: .zoomIn,
            gestures: [.viewer: "Pinch, tap with two fingers", .grid: "Pinch"]),
        CommandEntry(.fit, "Fit to window", "zoom to fit", viewer: zoomKeys(["0", "KP_0"])),
        CommandEntry(
            .defaultColumns, "Default columns", "default number of columns",
            grid: zoomKeys(["0", "KP_0"])),
        CommandEntry(
            .oneToOne, "Actual size", "zoom to one picture pixel per screen pixel",
            viewer: ["1", "KP_1"], undo: .fit),
        CommandEntry(.fill, "Fill the window", "zoom to fill", viewer: ["2", "KP_2"], undo: .fit),
        CommandEntry(
            .keepZoom, "Keep zoom",
            "show the next picture at the same zoom and place, or at fit again", viewer: ["k"],
            undo: .keepZoom),
        CommandEntry(
            .rotateClockwise, "Rotate right", "rotate clockwise", viewer: ["r"], repeats: true,
            undo: .rotateAnticlockwise, gestures: [.viewer: "Twist two fingers"]),
        CommandEntry(
            .rotateAnticlockwise, "Rotate left", "rotate anticlockwise", viewer: ["R"],
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
            .openFiles, "Open…", "choose other pictures to show", viewer: ["Ctrl+o"],
            grid: ["Ctrl+o"]),
        CommandEntry(
            .openFolder, "Open folder…", "choose another folder to show", viewer: ["Ctrl+O"],
            grid: ["Ctrl+O"]),
        CommandEntry(
            .fullscreen, "Fullscreen", "enter or leave fullscreen", viewer: ["f", "F11"],
            grid: ["f", "F11"], undo: .fullscreen),
        CommandEntry(
            .help, "Help", "show or hide the keys and gestures", viewer: ["question", "F1"],
            grid: ["question", "F1"], undo: .help),
        CommandEntry(
            .focusNext, "Next button", "move the focus to the next button", viewer: ["Tab"],
            grid: ["Tab"], repeats: true, undo: .focusPrevious),
        CommandEntry(
            .focusPrevious, "Previous button", "move the focus to the previous button",
            viewer: ["ISO_Left_Tab"], grid: ["ISO_Left_Tab"], repeats: true, undo: .focusNext),
        CommandEntry(
            .chrome, "Bars", "show or hide the bars", viewer: ["Return", "KP_Enter"], undo: .chrome,
            gestures: [.viewer: "Tap"]),
        CommandEntry(
            .menu, "Menu", "show or hide the menu", viewer: ["Menu"], undo: .menu,
            gestures: [.viewer: "Long press"]),
        CommandEntry(
            .grid, "Grid", "go to the grid of all pictures", viewer: ["g"], undo: .open,
            gestures: [.viewer: "Throw the picture up or down"]),
        CommandEntry(
            .slideshow, "Slideshow", "start or stop a slideshow", viewer: ["s"], grid: ["s"],
            onGrid: "start a slideshow", undo: .slideshow),
        CommandEntry(
            .undo, "Undo", "undo the last change of files", viewer: ["Ctrl+z"], grid: ["Ctrl+z"],
            undo: .redo),
        CommandEntry(
            .redo, "Redo", "redo the change of files that was undone last",
            viewer: ["Ctrl+Z", "Ctrl+y"], grid: ["Ctrl+Z", "Ctrl+y"], undo: .undo),
        CommandEntry(
            .delete, "Delete", "move the picture to the trash", viewer: ["Delete", "KP_Delete"],
            grid: ["Delete", "KP_Delete"], onGrid: "move the selected pictures to the trash",
            undo: .undo),
        CommandEntry(
            .deleteForGood, "Delete for good", "delete the picture for good",
            viewer: ["Shift+Delete"], grid: ["Shift+Delete"],
            onGrid: "delete the selected pictures for good"),
        CommandEntry(
            .flipHorizontally, "Flip horizontally", "mirror left and right", viewer: ["h"],
            undo: .flipHorizontally),
        CommandEntry(
            .flipVertically, "Flip vertically", "mirror top and bottom", viewer: ["v"],
            undo: .flipVertically),
        CommandEntry(
            .crop, "Crop and straighten", "crop and straighten the picture", viewer: ["c"],
            undo: .leave),
        CommandEntry(
            .favourite, "Favourite", "mark the picture as a favourite, or unmark it",
            viewer: ["m"], grid: ["m"], undo: .favourite),
        CommandEntry(
            .rate, "Rate…", "give the picture one to five stars", viewer: ["asterisk"],
            grid: ["asterisk"], undo: .undo),
        CommandEntry(
            .favouritesOnly, "Only favourites", "show the favourites only, or all pictures",
            grid: ["F"], undo: .favouritesOnly),
        CommandEntry(
            .rename, "Rename…", "rename the picture", viewer: ["F2"], grid: ["F2"], undo: .undo),
        CommandEntry(
            .copyTo, "Copy to…", "copy the picture to another folder", viewer: ["C"], grid: ["C"],
            onGrid: "copy the selected pictures to another folder", undo: .undo),
        CommandEntry(
            .moveTo, "Move to…", "move the picture to another folder", viewer: ["M"], grid: ["M"],
            onGrid: "move the selected pictures to another folder", undo: .undo),
        CommandEntry(
            .copy, "Copy", "copy the picture to the clipboard", viewer: ["Ctrl+c", "Ctrl+Insert"],
            grid: ["Ctrl+c", "Ctrl+Insert"], onGrid: "copy the selected pictures to the clipboard"),
        CommandEntry(
            .paste, "Paste", "open what the clipboard has, or save it into the folder",
            viewer: ["Ctrl+v"], grid: ["Ctrl+v"]),
        CommandEntry(
            .openWith, "Open with…", "open the picture with another program", viewer: ["o"],
            grid: ["o"]),
        CommandEntry(
            .showInFiles, "Show in files", "show the file in the file manager", viewer: ["e"],
            grid: ["e"]),
        CommandEntry(
            .share, "Send…", "send the picture by mail", viewer: ["Ctrl+m"], grid: ["Ctrl+m"]),
        CommandEntry(
            .print, "Print…", "print the picture", viewer: ["Ctrl+p"], grid: ["Ctrl+p"]),
        CommandEntry(
            .setBackground, "Set as background", "make the picture the background of the desktop",
            viewer: ["w"], grid: ["w"]),
        CommandEntry(
            .runCommand, "Run…", "run a command of the settings file on the picture",
            viewer: ["colon"], grid: ["colon"]),
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
            let entry = byKey[mode]?[binding] ?? byKey[mode]?[binding.withoutShift],
            key.action != .repeated || entry.repeats
        else { return nil }
        return entry.command
    }
}
