/// Everything that a person can do in the viewer and on the grid.
///
/// The raw values identify commands outside of the program (documentation, remote control): they
/// never change.
package enum Command: String, Hashable, Sendable, CaseIterable {
    case left, right, up, down
    case next, previous, first, last
    case pageUp = "page-up"
    case pageDown = "page-down"
    case open, select
    case selectAll = "select-all"
    case openFiles = "open-files"
    case openFolder = "open-folder"
    case newWindow = "new-window"
    case zoomIn = "zoom-in"
    case zoomOut = "zoom-out"
    case fit
    case oneToOne = "one-to-one"
    case fill
    case keepZoom = "keep-zoom"
    case defaultColumns = "default-columns"
    case rotateClockwise = "rotate-clockwise"
    case rotateAnticlockwise = "rotate-anticlockwise"
    case playPause = "play-pause"
    case nextFrame = "next-frame"
    case light, checkerboard, fullscreen, chrome, menu, information, help
    case focusNext = "focus-next"
    case focusPrevious = "focus-previous"
    case grid, slideshow, leave, quit
    case undo, redo, delete
    case deleteForGood = "delete-for-good"
    case flipHorizontally = "flip-horizontally"
    case flipVertically = "flip-vertically"
    case crop, favourite, rate, rename
    case favouritesOnly = "favourites-only"
    case find
    case parentFolder = "parent-folder"
    case previousFolder = "previous-folder"
    case copyTo = "copy-to"
    case moveTo = "move-to"
    case openWith = "open-with"
    case showInFiles = "show-in-files"
    case share, print
    case setBackground = "set-background"
    case copy, paste
    case runCommand = "run-command"
    case settings
}

extension Command {
    /// The commands for files: each works on the selection, or on the picture.
    package static let forFiles: Set<Command> = [
        .undo, .redo, .delete, .deleteForGood, .flipHorizontally, .flipVertically, .favourite,
        .rate,
        .rename, .favouritesOnly, .copyTo, .moveTo, .openWith, .showInFiles, .share, .print,
        .setBackground, .copy, .paste, .runCommand,
    ]
}

/// Where a command is available.
package enum CommandMode: Hashable, Sendable, CaseIterable {
    case viewer, grid
}

/// What a picture must be for a command to be available.
package enum CommandCondition: Hashable, Sendable {
    case none
    /// The picture in the viewer is an animation.
    case animation
}

/// One row of the table of commands.
package struct CommandEntry: Hashable, Sendable {
    package let command: Command
    /// Title in menus.
    package let title: String
    /// One sentence for the help text and the man page, without a period.
    private let summary: String
    /// The sentence for the grid where the command does something else there.
    private let gridSummary: String?
    /// The gestures of a finger that do the same, in each mode.
    private let gestures: [CommandMode: String]
    /// Default keys in each mode; the first key is the one that help texts name.
    package let keys: [CommandMode: [KeyBinding]]
    /// Whether a held key repeats the command.
    package let repeats: Bool
    package let condition: CommandCondition
    /// The command that takes the effect back.
    package let undo: Command?

    init(
        _ command: Command, _ title: String, _ summary: String, viewer: [KeyBinding] = [],
        grid: [KeyBinding] = [], onGrid gridSummary: String? = nil, repeats: Bool = false,
        condition: CommandCondition = .none,
        undo: Command? = nil, gestures: [CommandMode: String] = [:]
    ) {
        self.command = command
        self.title = title
        self.summary = summary
        self.gridSummary = gridSummary
        var keys: [CommandMode: [KeyBinding]] = [:]
        if !viewer.isEmpty { keys[.viewer] = viewer }
        if !grid.isEmpty { keys[.grid] = grid }
        self.keys = keys
        self.repeats = repeats
        self.condition = condition
        self.undo = undo
        self.gestures = gestures
    }

    /// Keys as a text shows them: without those of the number pad and the variants of zoom keys, if
    /// there are others.
    static func shown(_ keys: [KeyBinding], atMost limit: Int = 2) -> [String] {
        let main = keys.filter { !$0.name.hasPrefix("KP_") && $0.name != "equal" }
        let keys = main.isEmpty ? keys : main
        let plain = keys.filter { key in
            !key.hasControl || !keys.contains { $0.name == key.name && !$0.hasControl }
        }
        var labels: [String] = []
        for key in plain where !labels.contains(key.label) { labels.append(key.label) }
        return Array(labels.prefix(limit))
    }

    /// The default keys as a help text shows them.
    package func shownKeys(in mode: CommandMode) -> [String] { Self.shown(keys[mode] ?? []) }

    /// The gesture of a finger that always does the same, such as "Swipe left"; nil where there is none.
    package func gesture(in mode: CommandMode) -> String? { gestures[mode] }

    /// The sentence for the help text and the man page.
    package func summary(in mode: CommandMode) -> String {
        mode == .grid ? gridSummary ?? summary : summary
    }
}
