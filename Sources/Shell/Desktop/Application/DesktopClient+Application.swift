import CDesktop
import Folders
import Glibc

/// The program as the one instance that the desktop calls.
extension DesktopClient {
    /// Answers calls of the desktop from now on, if no other instance does.
    func serveApplication(_ bus: Bus) {
        let mailbox = mailbox
        let object = BusObject(call: { method, arguments in
            let call = ApplicationCall(method, arguments, path: Self.path)
            if let call { mailbox.post(.application(call)) }
        })
        guard
            bus.offer(
                object, ApplicationInterface.name, at: ApplicationInterface.path,
                ApplicationInterface.xml)
        else { return post(.applicationTaken) }
        bus.takeName(ApplicationInterface.identifier) { hasName in
            if !hasName { mailbox.post(.applicationTaken) }
        }
    }

    /// The path of a file of this computer, or of a mounted one: gvfs knows those by other schemes.
    ///
    /// GIO drops the host of a `file:` URI, so that the file of another computer would be one of this.
    static func path(_ uri: String) -> FilePath? {
        if let path = LocalFileURI.path(of: uri) { return path }
        guard !uri.lowercased().hasPrefix("file:"), let path = cdesktop_uri_path(uri) else {
            return nil
        }
        defer { free(path) }
        return FilePath(String(cString: path))
    }
}
