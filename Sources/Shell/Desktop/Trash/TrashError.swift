/// Why a file could not be moved to the trash, or the text about it not changed.
package enum TrashError: Error, Hashable {
    /// The trash does not take the file; the text says why.
    case noTrash(String)
    /// The system refused with this error number.
    case system(Int32)
    /// A message for a person.
    case failed(String)
}
