/// Why a file could not be moved to the trash, or out of it.
package enum TrashError: Error, Hashable, CustomStringConvertible {
    /// There is no trash for the file; the text says why.
    case noTrash(String)
    /// A file of the name is there already; nothing was changed.
    case nameExists
    /// A message for a person.
    case failed(String)

    package var description: String {
        switch self {
        case .noTrash(let reason): "there is no trash: \(reason)"
        case .nameExists: "there is a file of that name already"
        case .failed(let message): message
        }
    }
}
