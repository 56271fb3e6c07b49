/// What a batch of changes of files does, for the menu and the messages of undo and redo.
///
/// The raw values are kept in the journal of changes: texts are made when they are shown, in the language of
/// that time.
package enum ChangeKind: String, Hashable, Sendable, CaseIterable {
    case deletion, move, copying, renaming, turn, crop, favourite, rating
}
