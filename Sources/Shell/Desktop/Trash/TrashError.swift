import Localization

/// Why a file could not be moved to the trash, or the text about it not changed.
package enum TrashError: Error, Hashable, CustomStringConvertible {
    /// There is no trash for the file; the text says why.
    case noTrash(String)
    /// A message for a person.
    case failed(String)

    package var description: String {
        switch self {
        case .noTrash(let reason): localized("there is no trash: \(reason)")
        case .failed(let message): message
        }
    }
}
