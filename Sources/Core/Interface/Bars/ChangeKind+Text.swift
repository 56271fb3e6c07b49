package import Edits
import Localization

extension ChangeKind {
    /// What undo takes back, as in "Undo deletion".
    package var noun: String {
        // Translators: these nouns stand in "Undo deletion", "Redo deletion" and "Undone: deletion".
        switch self {
        case .deletion: localized("deletion")
        case .move: localized("move")
        case .copying: localized("copying")
        case .renaming: localized("renaming")
        case .turn: localized("turn")
        case .crop: localized("crop")
        case .favourite: localized("favourite mark")
        case .rating: localized("rating")
        }
    }
}
