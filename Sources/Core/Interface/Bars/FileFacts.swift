/// What menus and bars know about work on files, apart from the marks of a picture.
package struct FileFacts: Hashable, Sendable {
    /// What Undo would take back and Redo would do again, such as "deletion"; nil for nothing.
    package var undoTitle: String?
    package var redoTitle: String?
    /// Whether the settings name commands of the user's own.
    package var hasCommands = false
    /// Whether only favourites are listed.
    package var showsFavouritesOnly = false

    package init() {}
}
