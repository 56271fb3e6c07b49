package import Folders
package import ImageTypes
import Localization
import Threads

/// What the desktop does with files. No method waits; each calls `onEnd` once, by `handleReadable`, unless
/// the request is cancelled.
///
/// `token` is an activation token for the window of the other program, nil without one; `parent` identifies
/// the window above which dialogs appear, as for `openFiles`.
extension DesktopServices {
    /// Finds the applications that open files of a MIME type.
    @discardableResult
    package func applications(
        for type: String, onEnd: @escaping (ApplicationsAnswer) -> Void
    ) -> Request {
        let (request, mailbox) = (add(.applications(onEnd)), mailbox)
        if FlatpakSandbox.isActive {
            mailbox.post(.applications(request.number, .desktopAsks))
            return request
        }
        work(request) {
            let answer = InstalledApplication.all(for: type)
                .map { ApplicationsAnswer.applications($0) }
            mailbox.post(
                .applications(
                    request.number,
                    answer ?? .failed(localized("GIO (libgio-2.0) is not installed"))))
        }
        return request
    }

    /// Opens files with an application, by its `InstalledApplication.identifier`.
    ///
    /// The answer comes when the application has run for a second, or has ended before.
    @discardableResult
    package func launch(
        _ identifier: String, _ files: [FilePath], token: String?,
        onEnd: @escaping (DesktopAnswer) -> Void
    ) -> Request {
        let request = add(.answer(onEnd))
        launch(identifier, files, token, request)
        return request
    }

    private func launch(
        _ identifier: String, _ files: [FilePath], _ token: String?, _ request: Request
    ) {
        let mailbox = mailbox
        let launch = ApplicationLaunch(identifier: identifier, files: files, token: token)
        work(request) {
            switch launch.run() {
            case .answer(let answer): mailbox.post(.answer(request.number, answer))
            case .needsBus:
                let task = DesktopTask.activate(identifier, files, token: token)
                mailbox.post(.mustBegin(request.number, task))
            }
        }
    }

    /// Lets the desktop ask which application opens a file, where `applications` answers `desktopAsks`.
    @discardableResult
    package func openWithDesktop(
        _ file: FilePath, token: String?, parent: String?,
        onEnd: @escaping (DesktopAnswer) -> Void
    ) -> Request { begin(.open(file, token: token, parent: parent ?? ""), onEnd) }

    /// Shows a place or a web page in the person's program for such addresses.
    @discardableResult
    package func open(
        _ address: Address, token: String?, parent: String?,
        onEnd: @escaping (DesktopAnswer) -> Void
    ) -> Request { begin(.openAddress(address, token: token, parent: parent ?? ""), onEnd) }

    /// Shows files in the file manager, or their folder where that cannot show files.
    @discardableResult
    package func showInFiles(
        _ files: [FilePath], token: String?, onEnd: @escaping (DesktopAnswer) -> Void
    ) -> Request { begin(.show(files, token: token), onEnd) }

    /// Makes a picture file the background of the desktop and of its lock screen.
    @discardableResult
    package func setBackground(
        _ file: FilePath, parent: String?, onEnd: @escaping (DesktopAnswer) -> Void
    ) -> Request { begin(.background(file, parent: parent ?? ""), onEnd) }

    /// Begins a mail with files.
    @discardableResult
    package func compose(
        _ files: [FilePath], subject: String, token: String?, parent: String?,
        onEnd: @escaping (DesktopAnswer) -> Void
    ) -> Request {
        begin(.email(files, subject: subject, token: token, parent: parent ?? ""), onEnd)
    }

    /// Prints a picture, as large as the chosen paper lets it be.
    @discardableResult
    package func print(
        _ picture: Bitmap, title: String, parent: String?,
        onEnd: @escaping (DesktopAnswer) -> Void
    ) -> Request { begin(.print(picture, title: title, parent: parent ?? ""), onEnd) }

    // MARK: Threads

    private func begin(
        _ task: DesktopTask, _ onEnd: @escaping (DesktopAnswer) -> Void
    ) -> Request {
        let request = add(.answer(onEnd))
        send(.begin(request.number, task))
        return request
    }

    private func work(_ request: Request, _ body: @escaping @Sendable () -> Void) {
        guard !Thread.start(body) else { return }
        let message = localized("no thread can be started")
        mailbox.post(.failed(request.number, message))
    }

    /// Opens a folder with the default application for folders.
    func openFolder(_ folder: FilePath, _ token: String?, _ number: Int) {
        let (request, mailbox) = (Request(number: number), mailbox)
        work(request) {
            guard let manager = InstalledApplication.all(for: "inode/directory")?.first else {
                return mailbox.post(.failed(number, localized("the desktop has no file manager")))
            }
            let launch = ApplicationLaunch(
                identifier: manager.identifier, files: [folder], token: token)
            switch launch.run() {
            case .answer(let answer): mailbox.post(.answer(number, answer))
            case .needsBus:
                mailbox.post(
                    .mustBegin(number, .activate(manager.identifier, [folder], token: token)))
            }
        }
    }
}
