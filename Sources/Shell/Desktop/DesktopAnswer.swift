import Folders

/// What came of a request to the desktop.
package enum DesktopAnswer: Hashable, Sendable {
    case done
    /// The person has changed their mind.
    case cancelled
    /// A message for the person.
    case failed(String)
}

/// The applications of the desktop, or why they are not known.
package enum ApplicationsAnswer: Hashable, Sendable {
    /// The default application first; it may be empty.
    case applications([InstalledApplication])
    /// Inside a sandbox, where the desktop itself asks which application opens the file.
    case desktopAsks
    /// A message for the person.
    case failed(String)
}

/// Whether this program runs in a sandbox of Flatpak, from where other programs cannot be started.
enum FlatpakSandbox {
    static let isActive = FileStatus.withoutLinks(FilePath("/.flatpak-info")) != nil
}
