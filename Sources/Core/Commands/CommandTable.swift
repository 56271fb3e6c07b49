package import Input
import Localization

/// The table of all commands: keys, menus, help text and man page are made from it.
package enum CommandTable {
    package static let entries: [CommandEntry] = [
        CommandEntry(
            .left, localized("Left"), localized("pan left; at fit, the previous picture"),
            viewer: ["Left", "KP_Left"], grid: ["Left", "KP_Left"],
            onGrid: localized("move the focus left"),
            repeats: true, undo: .right),
        CommandEntry(
            .right, localized("Right"), localized("pan right; at fit, the next picture"),
            viewer: ["Right", "KP_Right"], grid: ["Right", "KP_Right"],
            onGrid: localized("move the focus right"), repeats: true, undo: .left),
        CommandEntry(
            .up, localized("Up"), localized("pan up"), viewer: ["Up", "KP_Up"],
            grid: ["Up", "KP_Up"],
            onGrid: localized("move the focus up"), repeats: true,
            undo: .down),
        CommandEntry(
            .down, localized("Down"), localized("pan down"), viewer: ["Down", "KP_Down"],
            grid: ["Down", "KP_Down"],
            onGrid: localized("move the focus down"),
            repeats: true, undo: .up),
        CommandEntry(
            .next, localized("Next picture"), localized("next picture"),
            viewer: ["space", "Next", "Page_Down", "KP_Next"], repeats: true, undo: .previous,
            gestures: [.viewer: localized("Swipe to the next page")]),
        CommandEntry(
            .previous, localized("Previous picture"), localized("previous picture"),
            viewer: ["BackSpace", "Prior", "Page_Up", "KP_Prior"], repeats: true, undo: .next,
            gestures: [.viewer: localized("Swipe to the previous page")]),
        CommandEntry(
            .pageUp, localized("Page up"), localized("scroll one screen up"),
            grid: ["Prior", "Page_Up", "KP_Prior", "KP_Page_Up"], repeats: true, undo: .pageDown),
        CommandEntry(
            .pageDown, localized("Page down"), localized("scroll one screen down"),
            grid: ["Next", "Page_Down", "KP_Next", "KP_Page_Down"], repeats: true, undo: .pageUp),
        CommandEntry(
            .first, localized("First picture"), localized("first picture"),
            viewer: ["Home", "KP_Home"],
            grid: ["Home", "KP_Home"]),
        CommandEntry(
            .last, localized("Last picture"), localized("last picture"), viewer: ["End", "KP_End"],
            grid: ["End", "KP_End"]),
        CommandEntry(
            .open, localized("Open"), localized("open the picture"), grid: ["Return", "KP_Enter"],
            undo: .leave,
            gestures: [.grid: localized("Tap")]),
        CommandEntry(
            .select, localized("Select"), localized("select or deselect the picture"),
            grid: ["Ctrl+space"],
            undo: .select, gestures: [.grid: localized("Long press")]),
        CommandEntry(
            .selectAll, localized("Select all"), localized("select all pictures"), grid: ["Ctrl+a"]),
        CommandEntry(
            .zoomIn, localized("Zoom in"), localized("zoom in"),
            viewer: zoomKeys(["plus", "equal", "KP_Add"]),
            grid: zoomKeys(["plus", "equal", "KP_Add"]),
            onGrid: localized("larger pictures, fewer columns"),
            repeats: true,
            undo: .zoomOut,
            gestures: [
                .viewer: localized("Spread two fingers, double tap"),
                .grid: localized("Spread two fingers"),
            ]),
        CommandEntry(
            .zoomOut, localized("Zoom out"), localized("zoom out"),
            viewer: zoomKeys(["minus", "KP_Subtract"]), grid: zoomKeys(["minus", "KP_Subtract"]),
            onGrid: localized("smaller pictures, more columns"),
            repeats: true, undo: .zoomIn,
            gestures: [
                .viewer: localized("Pinch"), .grid: localized("Pinch"),
            ]),
        CommandEntry(
            .fit, localized("Fit to window"), localized("zoom to fit"),
            viewer: zoomKeys(["0", "KP_0"])),
        CommandEntry(
            .defaultColumns, localized("Default columns"), localized("default number of columns"),
            grid: zoomKeys(["0", "KP_0"])),
        CommandEntry(
            .oneToOne, localized("Actual size"),
            localized("zoom to one picture pixel per screen pixel"),
            viewer: ["1", "KP_1"], undo: .fit),
        CommandEntry(
            .fill, localized("Fill the window"), localized("zoom to fill"), viewer: ["2", "KP_2"],
            undo: .fit),
        CommandEntry(
            .keepZoom, localized("Keep zoom"),
            localized("show the next picture at the same zoom and place, or at fit again"),
            viewer: ["k"],
            undo: .keepZoom),
        CommandEntry(
            .light, localized("Brighter than white"),
            localized("show HDR pictures brighter than white, or not"),
            viewer: ["l"],
            undo: .light),
        CommandEntry(
            .rotateClockwise, localized("Rotate right"), localized("rotate clockwise"),
            viewer: ["r"], repeats: true,
            undo: .rotateAnticlockwise, gestures: [.viewer: localized("Twist two fingers")]),
        CommandEntry(
            .rotateAnticlockwise, localized("Rotate left"), localized("rotate anticlockwise"),
            viewer: ["R"],
            repeats: true, undo: .rotateClockwise),
        CommandEntry(
            .playPause, localized("Pause"), localized("pause or play the animation"), viewer: ["p"],
            condition: .animation, undo: .playPause),
        CommandEntry(
            .nextFrame, localized("Next frame"), localized("next frame of the animation"),
            viewer: ["period"],
            repeats: true, condition: .animation),
        CommandEntry(
            .information, localized("Information"), localized("show or hide the information panel"),
            viewer: ["i"],
            undo: .information),
        CommandEntry(
            .checkerboard, localized("Checkerboard"),
            localized("show or hide a checkerboard behind transparent areas"), viewer: ["b"],
            undo: .checkerboard),
        CommandEntry(
            .openFiles, localized("Open…"), localized("choose other pictures to show"),
            viewer: ["Ctrl+o"],
            grid: ["Ctrl+o"]),
        CommandEntry(
            .openFolder, localized("Open folder…"), localized("choose another folder to show"),
            viewer: ["Ctrl+O"],
            grid: ["Ctrl+O"]),
        CommandEntry(
            .newWindow, localized("New window"), localized("show the same in another window"),
            viewer: ["Ctrl+n"],
            grid: ["Ctrl+n"]),
        CommandEntry(
            .fullscreen, localized("Fullscreen"), localized("enter or leave fullscreen"),
            viewer: ["f", "F11"],
            grid: ["f", "F11"], undo: .fullscreen),
        CommandEntry(
            .help, localized("Help"), localized("show or hide the keys and gestures"),
            viewer: ["question", "F1"],
            grid: ["question", "F1"], undo: .help),
        CommandEntry(
            .settings, localized("Settings…"), localized("show or hide the settings"),
            viewer: ["Ctrl+comma"], grid: ["Ctrl+comma"], undo: .settings),
        CommandEntry(
            .focusNext, localized("Next button"), localized("move the focus to the next button"),
            viewer: ["Tab"],
            grid: ["Tab"], repeats: true, undo: .focusPrevious),
        CommandEntry(
            .focusPrevious, localized("Previous button"),
            localized("move the focus to the previous button"),
            viewer: ["ISO_Left_Tab"], grid: ["ISO_Left_Tab"], repeats: true, undo: .focusNext),
        CommandEntry(
            .chrome, localized("Bars"), localized("show or hide the bars"),
            viewer: ["Return", "KP_Enter"], undo: .chrome,
            gestures: [.viewer: localized("Tap")]),
        CommandEntry(
            .menu, localized("Menu"), localized("show or hide the menu"), viewer: ["Menu"],
            grid: ["Menu"], undo: .menu),
        CommandEntry(
            .grid, localized("Grid"), localized("go to the grid of all pictures"), viewer: ["g"],
            undo: .open,
            gestures: [.viewer: localized("Throw the picture up or down")]),
        CommandEntry(
            .slideshow, localized("Slideshow"), localized("start or stop a slideshow"),
            viewer: ["s"], grid: ["s"],
            onGrid: localized("start a slideshow"), undo: .slideshow),
        CommandEntry(
            .undo, localized("Undo"), localized("undo the last change of files"),
            viewer: ["Ctrl+z"], grid: ["Ctrl+z"],
            undo: .redo),
        CommandEntry(
            .redo, localized("Redo"), localized("redo the change of files that was undone last"),
            viewer: ["Ctrl+Z", "Ctrl+y"], grid: ["Ctrl+Z", "Ctrl+y"], undo: .undo),
        CommandEntry(
            .delete, localized("Delete"), localized("move the picture to the trash"),
            viewer: ["Delete", "KP_Delete"],
            grid: ["Delete", "KP_Delete"],
            onGrid: localized("move the selected pictures to the trash"),
            undo: .undo),
        CommandEntry(
            .deleteForGood, localized("Delete for good"), localized("delete the picture for good"),
            viewer: ["Shift+Delete"], grid: ["Shift+Delete"],
            onGrid: localized("delete the selected pictures for good")),
        CommandEntry(
            .flipHorizontally, localized("Flip horizontally"), localized("mirror left and right"),
            viewer: ["h"],
            undo: .flipHorizontally),
        CommandEntry(
            .flipVertically, localized("Flip vertically"), localized("mirror top and bottom"),
            viewer: ["v"],
            undo: .flipVertically),
        CommandEntry(
            .crop, localized("Crop and straighten"), localized("crop and straighten the picture"),
            viewer: ["c"],
            undo: .leave),
        CommandEntry(
            .favourite, localized("Favourite"),
            localized("mark the picture as a favourite, or unmark it"),
            viewer: ["m"], grid: ["m"], undo: .favourite),
        CommandEntry(
            .rate, localized("Rate…"), localized("give the picture one to five stars"),
            viewer: ["asterisk"],
            grid: ["asterisk"], undo: .undo),
        CommandEntry(
            .favouritesOnly, localized("Only favourites"),
            localized("show the favourites only, or all pictures"),
            grid: ["F"], undo: .favouritesOnly),
        CommandEntry(
            .parentFolder, localized("Folder above"), localized("show the folder above"),
            grid: ["Alt+Up"], undo: .previousFolder),
        CommandEntry(
            .previousFolder, localized("Previous folder"),
            localized("show the folder that was shown before"), grid: ["Alt+Left"]),
        CommandEntry(
            .find, localized("Find…"),
            localized("find pictures by name, date, size, stars or camera"),
            grid: ["slash", "Ctrl+f"], undo: .leave),
        CommandEntry(
            .rename, localized("Rename…"), localized("rename the picture"), viewer: ["F2"],
            grid: ["F2"], undo: .undo),
        CommandEntry(
            .copyTo, localized("Copy to…"), localized("copy the picture to another folder"),
            viewer: ["C"], grid: ["C"],
            onGrid: localized("copy the selected pictures to another folder"), undo: .undo),
        CommandEntry(
            .moveTo, localized("Move to…"), localized("move the picture to another folder"),
            viewer: ["M"], grid: ["M"],
            onGrid: localized("move the selected pictures to another folder"), undo: .undo),
        CommandEntry(
            .copy, localized("Copy"), localized("copy the picture to the clipboard"),
            viewer: ["Ctrl+c", "Ctrl+Insert"],
            grid: ["Ctrl+c", "Ctrl+Insert"],
            onGrid: localized("copy the selected pictures to the clipboard")),
        CommandEntry(
            .paste, localized("Paste"),
            localized("open what the clipboard has, or save it into the folder"),
            viewer: ["Ctrl+v"], grid: ["Ctrl+v"]),
        CommandEntry(
            .openWith, localized("Open with…"), localized("open the picture with another program"),
            viewer: ["o"],
            grid: ["o"]),
        CommandEntry(
            .showInFiles, localized("Show in files"),
            localized("show the file in the file manager"), viewer: ["e"],
            grid: ["e"]),
        CommandEntry(
            .share, localized("Send…"), localized("send the picture by mail"), viewer: ["Ctrl+m"],
            grid: ["Ctrl+m"]),
        CommandEntry(
            .print, localized("Print…"), localized("print the picture"), viewer: ["Ctrl+p"],
            grid: ["Ctrl+p"]),
        CommandEntry(
            .setBackground, localized("Set as background"),
            localized("make the picture the background of the desktop"),
            viewer: ["w"], grid: ["w"]),
        CommandEntry(
            .runCommand, localized("Run…"),
            localized("run a command of the settings file on the picture"),
            viewer: ["colon"], grid: ["colon"]),
        CommandEntry(
            .leave, localized("Close"),
            localized("close the menu or the panel, or go one level up"),
            viewer: ["Escape"], grid: ["Escape", "q", "Ctrl+q", "Ctrl+w"],
            onGrid: localized("clear the selection, or quit")),
        CommandEntry(
            .quit, localized("Quit"), localized("quit"), viewer: ["q", "Ctrl+q", "Ctrl+w"]),
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

    /// The command that has a key by default; nil for none.
    static func command(of key: KeyBinding, in mode: CommandMode) -> Command? {
        byKey[mode]?[key]?.command
    }

    private static func entry(of key: KeyBinding, in mode: CommandMode) -> CommandEntry? {
        byKey[mode]?[key] ?? byKey[mode]?[key.withoutShift]
    }

    /// The command of a key that went down or repeats, by default; nil where the key has none.
    package static func command(for key: KeyEvent, in mode: CommandMode) -> Command? {
        guard key.action != .up, let binding = KeyBinding(key),
            let entry = entry(of: binding, in: mode)
                ?? KeyBinding(latin: key).flatMap({ entry(of: $0, in: mode) }),
            key.action != .repeated || entry.repeats
        else { return nil }
        return entry.command
    }
}
