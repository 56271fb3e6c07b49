/// Whether only the user and the administrator can change a file, such as one with settings.
package enum FileTrust: Hashable, Sendable {
    case trusted
    /// A group, or everybody, may write to the file.
    case writable
    /// The file belongs to another user than the one who runs the program.
    case foreign(owner: UInt32)

    /// By the numbers of the file's owner and of the user who runs the program, and the file's mode.
    package init(owner: UInt32, mode: UInt32, user: UInt32) {
        // The owner of a file may change its mode, so that the owner comes first.
        if owner != user, owner != 0 {
            self = .foreign(owner: owner)
        } else {
            self = mode & 0o022 == 0 ? .trusted : .writable
        }
    }
}
