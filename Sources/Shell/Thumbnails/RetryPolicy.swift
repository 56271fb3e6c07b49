/// When a thumbnail that could not be made is tried again.
enum RetryPolicy: Sendable {
    /// Never: the unchanged file will fail again.
    case never
    /// After a change in the folder: the file could not be opened.
    case afterFolderChange
    /// After a change in the folder, and after a pause: the system or the decoder failed, and the
    /// picture may be good.
    case afterPause
}
