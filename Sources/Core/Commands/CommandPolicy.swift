/// Which commands a person may use: all of them, or those that a kiosk allows.
///
/// Buttons, menu items and help rows of other commands are left out, and their keys do nothing.
package struct CommandPolicy: Hashable, Sendable {
    /// Nil if everything is allowed.
    private let allowed: Set<Command>?

    package static let everything = CommandPolicy(allowed: nil)

    /// Looking at pictures: what a kiosk allows by default.
    package static let looking = CommandPolicy([
        .left, .right, .up, .down, .next, .previous, .first, .last, .pageUp, .pageDown, .open,
        .zoomIn, .zoomOut, .fit, .oneToOne, .fill, .defaultColumns, .playPause, .nextFrame, .chrome,
        .grid, .leave, .focusNext, .focusPrevious,
    ])

    private init(allowed: Set<Command>?) { self.allowed = allowed }

    /// Allows these commands and no others.
    package init(_ commands: Set<Command>) { self.init(allowed: commands) }

    package func allows(_ command: Command) -> Bool { allowed?.contains(command) ?? true }

    /// Whether the pictures can be sorted anew by whoever uses the program.
    package var allowsSorting: Bool { allowed == nil }

    /// Whether the program can be ended, and its window changed, by whoever uses it.
    package var allowsLeaving: Bool { allows(.quit) }

    /// The allowed commands in the order of the command table.
    package var commands: [Command] {
        CommandTable.entries.map(\.command).filter(allows)
    }
}
