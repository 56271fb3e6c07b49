import Browser
import Commands
import Desktop
import Folders
import ImageService
import ImageTypes
import Interface
import Localization
import Motion
import SceneModel

/// The desktop as a session uses it: its services, and the window that asks.
struct DesktopAccess {
    let services: DesktopServices
    /// Identifies the window above which dialogs appear; nil if the compositor does not tell.
    let parent: String?
    /// Asks for an activation token, and calls its argument with the token, or nil.
    let requestToken: (_ onEnd: @escaping (String?) -> Void) -> Void
}

/// What other programs do with the pictures.
extension Session {
    /// Performs a command for the desktop on the pictures, after the turns that are not written yet.
    func performOnDesktop(_ command: Command) {
        let (ids, paths) = (targets, targetPaths.map { FilePath($0) })
        guard let desktop = window?.desktopAccess() else {
            return notify(localized("there are no services of a desktop"))
        }
        finishTurns { [weak self] in self?.perform(command, ids, paths, desktop) }
    }

    private func perform(
        _ command: Command, _ ids: [Int], _ paths: [FilePath], _ desktop: DesktopAccess
    ) {
        let services = desktop.services
        switch command {
        case .openWith: findApplications(for: paths, desktop)
        case .showInFiles:
            desktop.requestToken { [weak self] token in
                services.showInFiles(paths, token: token) { self?.tell($0) }
            }
        case .share:
            let subject = ChangeTexts.subject(paths.map(\.bytes))
            desktop.requestToken { [weak self] token in
                services.compose(paths, subject: subject, token: token, parent: desktop.parent) {
                    self?.tell($0)
                }
            }
        case .setBackground:
            services.setBackground(paths[0], parent: desktop.parent) { [weak self] in
                self?.tell($0, done: localized("the desktop has a new background"))
            }
        case .print:
            changes.turns.whenListed(ids[0]) { [weak self] in self?.print(ids[0], desktop) }
        default: break
        }
    }

    /// Tells the person what came of a request.
    func tell(_ answer: DesktopAnswer, done: String? = nil) {
        switch answer {
        case .done: if let done { browser.show(Toast(done), at: now()) }
        case .cancelled: break
        case .failed(let reason): notify(reason)
        }
    }

    // MARK: Open with

    private func findApplications(for paths: [FilePath], _ desktop: DesktopAccess) {
        let type = PictureFormat.mimeType(ofName: paths[0].name) ?? "image/png"
        desktop.services.applications(for: type) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .applications([]) where paths.count == 1: openWithDesktop(paths[0], desktop)
            case .applications([]):
                notify(localized("no other program is installed that opens such pictures"))
            case .applications(let applications): offer(applications, for: paths)
            case .desktopAsks: openWithDesktop(paths[0], desktop)
            case .failed(let reason): notify(reason)
            }
        }
    }

    private func offer(_ applications: [InstalledApplication], for paths: [FilePath]) {
        // The answer may come late: what is open has priority.
        guard !browser.isModal else { return }
        let subject = ChangeTexts.subject(paths.map(\.bytes))
        var prompt = Prompt(.openWith, localized("Open \(subject) with"))
        prompt.choices = applications.map { Prompt.Choice($0.name.isolated, icon: .openWith) }
        // The desktop's own list opens one file.
        if paths.count == 1 {
            prompt.choices.append(Prompt.Choice(localized("Other…"), icon: .openWith))
        }
        ask(prompt) { [unowned self] in
            guard case .choice(let index) = $0, let desktop = window?.desktopAccess() else {
                return
            }
            if applications.indices.contains(index) {
                launch(applications[index], paths, desktop)
            } else {
                openWithDesktop(paths[0], desktop)
            }
        }
    }

    private func openWithDesktop(_ file: FilePath, _ desktop: DesktopAccess) {
        desktop.requestToken { [weak self] token in
            desktop.services.openWithDesktop(file, token: token, parent: desktop.parent) {
                self?.tell($0)
            }
        }
    }

    private func launch(
        _ application: InstalledApplication, _ paths: [FilePath], _ desktop: DesktopAccess
    ) {
        desktop.requestToken { [weak self] token in
            desktop.services.launch(application.identifier, paths, token: token) {
                self?.tell($0)
            }
        }
    }

    // MARK: Print

    private func print(_ id: Int, _ desktop: DesktopAccess) {
        let title = album.path(id)?.displayName ?? ""
        pictures.provider.withWhole(id) { [weak self] bitmap in
            guard let bitmap else {
                self?.notify(localized("open the picture to print it"))
                return
            }
            desktop.services.print(bitmap, title: title, parent: desktop.parent) {
                self?.tell($0)
            }
        }
    }
}

extension PictureFormat {
    /// The MIME type of files with a name; nil for a name of no format.
    static func mimeType(ofName name: [UInt8]) -> String? {
        let text = String(decoding: name, as: UTF8.self)
        guard let dot = text.lastIndex(of: ".") else { return nil }
        let fileExtension = text[text.index(after: dot)...].lowercased()
        return all.first { $0.extensions.contains(fileExtension) }?.mimeTypes.first
    }
}
