import Edits
import Browser
import Desktop
import FileChanges
import Folders
import Glibc
import ImageTypes
import ImageWire
import Interface
import Localization
import Motion
import SceneModel
import SystemCalls

/// New names and places of files.
extension Session {
    // MARK: Rename

    func askForName() {
        guard let path = targetPaths.first else { return }
        askForName(of: path, namePrompt(FilePath(path).displayName))
    }

    private func askForName(of path: [UInt8], _ prompt: Prompt) {
        ask(prompt) { [unowned self] in
            if case .text(let name) = $0 { rename(path, to: name) }
        }
    }

    private func namePrompt(_ name: String) -> Prompt {
        var prompt = Prompt(.rename, localized("Rename"))
        prompt.field = name
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        prompt.selected = stem.isEmpty ? name.count : stem.count
        prompt.confirm = localized("Rename")
        return prompt
    }

    private func rename(_ path: [UInt8], to name: String) {
        func refuse(_ reason: String) {
            var prompt = namePrompt(name)
            (prompt.text, prompt.isRefused) = (reason, true)
            askForName(of: path, prompt)
        }
        let bytes = Array(name.utf8)
        if let reason = NameRules.refusal(of: name) { return refuse(reason) }
        let target = FileNames.folder(of: path) + bytes
        guard target != path else { return }
        perform(
            localized("Rename \(ChangeTexts.name(of: path))"), .renaming,
            [.move(from: path, to: target, picksName: false)],
            done: { localized("\($0) renamed to \(ChangeTexts.name(of: target))") }
        ) { result in
            switch result.failures.first?.failure {
            case .exists: refuse(localized("There is another file of that name."))
            case .companionOfAnother(let path)?:
                refuse(ChangeTexts.text(of: .companionOfAnother(path: path)))
            default: return false
            }
            return true
        }
    }

    // MARK: Copy and move

    /// Asks for the folder to which the pictures are copied or moved: one that was used lately, or any.
    func askForFolder(_ purpose: Prompt.Purpose) {
        let paths = targetPaths
        let isMove = purpose == .moveTo
        let subject = ChangeTexts.subject(paths)
        var prompt = Prompt(
            purpose,
            isMove ? localized("Move \(subject) to") : localized("Copy \(subject) to"))
        let folders = changes.recentFolders.folders.filter { folder in
            !paths.contains { FileNames.folder(of: $0) == folder }
        }
        prompt.choices =
            folders.map {
                Prompt.Choice(
                    FilePath($0).displayName, detail: FilePath($0).description, icon: .open)
            } + [Prompt.Choice(localized("Other folder…"), icon: .open)]
        if folders.isEmpty { return chooseFolder(for: paths, isMove: isMove) }
        ask(prompt) { [unowned self] in
            guard case .choice(let index) = $0 else { return }
            guard folders.indices.contains(index) else {
                return chooseFolder(for: paths, isMove: isMove)
            }
            send(paths, to: folders[index], isMove: isMove)
        }
    }

    /// Asks for the folder by the desktop's file chooser, or where there is none by our own.
    private func chooseFolder(for paths: [[UInt8]], isMove: Bool) {
        guard let window else { return chooseFolderHere(for: paths, isMove: isMove) }
        window.chooseFolder(isMove ? localized("Move to") : localized("Copy to")) {
            [weak self] choice in
            guard let self else { return }
            switch choice {
            case .chosen(let folders, let refused):
                if let uri = refused.first {
                    let text = LocalFileURI.shown(uri)
                    notify(localized("\(text): not a folder of this computer"))
                }
                if let folder = folders.first {
                    send(
                        paths, to: FilePath(folder.absolute).folderPrefix,
                        isMove: isMove)
                }
            case .cancelled: break
            case .failed(let reason): notify(reason)
            case .unavailable: chooseFolderHere(for: paths, isMove: isMove)
            }
        }
    }

    /// Asks for the folder by our own chooser.
    private func chooseFolderHere(for paths: [[UInt8]], isMove: Bool) {
        let subject = ChangeTexts.subject(paths)
        folderChooser.begin(
            .init(
                title: isMove ? localized("Move \(subject) to") : localized("Copy \(subject) to"),
                confirm: isMove ? localized("Move here") : localized("Copy here"), writes: true,
                source: Self.commonFolder(of: paths), start: albumFolder.map { FilePath($0) }
            ) { [weak self] in self?.send(paths, to: $0.folderPrefix, isMove: isMove) })
    }

    /// The folder of all files; nil where there are several.
    private static func commonFolder(of paths: [[UInt8]]) -> FilePath? {
        let folders = Set(paths.map { FileNames.folder(of: $0) })
        guard folders.count == 1, let folder = folders.first else { return nil }
        return FolderList.path(of: FilePath(folder))
    }

    /// Copies or moves files to a folder, whose path ends with a separator.
    func send(_ paths: [[UInt8]], to folder: [UInt8], isMove: Bool) {
        changes.recentFolders.use(folder)
        let place = ChangeTexts.name(of: folder)
        let actions = Self.actions(paths, to: folder, isMove: isMove)
        let subject = ChangeTexts.subject(paths)
        perform(
            isMove
                ? localized("Move \(subject) to \(place)")
                : localized("Copy \(subject) to \(place)"), isMove ? .move : .copying, actions,
            done: {
                isMove
                    ? localized("\($0) moved to \(place)")
                    : localized("\($0) copied to \(place)")
            })
    }

    /// Moves or copies of files into a folder, whose path ends with a separator.
    private static func actions(
        _ paths: [[UInt8]], to folder: [UInt8], isMove: Bool
    ) -> [FileAction] {
        paths.map { path in
            let target = folder + FileNames.name(of: path)
            return isMove
                ? .move(from: path, to: target, picksName: true)
                : .copy(from: path, to: target, picksName: true)
        }
    }

    // MARK: Import

    /// Copies files of other folders into the folder of the album, or moves them there.
    func importFiles(_ paths: [FilePath], isCut: Bool) {
        guard let folder = albumFolder else {
            return notify(localized("there is no folder to put the files into"))
        }
        let sources = CompanionNames.withoutCompanions(paths.map(\.absolute))
            .filter { FileNames.folder(of: $0) != folder }
        guard !sources.isEmpty else { return notify(localized("the files are here already")) }
        let actions = Self.actions(sources, to: folder, isMove: isCut)
        let subject = ChangeTexts.subject(sources)
        perform(
            isCut ? localized("Move \(subject) here") : localized("Copy \(subject) here"),
            isCut ? .move : .copying, actions,
            done: { isCut ? localized("\($0) moved here") : localized("\($0) copied here") })
    }

    /// Saves a picture that another program has sent in the folder of the album.
    ///
    /// `folder` is given for another folder.
    func importImage(
        _ picture: OwnedDescriptor, _ type: String, into folder: FilePath? = nil
    ) {
        guard let folder = folder?.folderPrefix ?? albumFolder else {
            return notify(localized("there is no folder to put the picture into"))
        }
        let format = PictureFormat.all.first { $0.mimeTypes.contains(type) }
        // Translators: the name of a file, without its extension.
        let stem = localized("Pasted picture")
        let path = folder + Array("\(stem).\(format?.extensions.first ?? "png")".utf8)
        let step = ChangeClient.Step(
            .save(path: path, like: []), contents: dup(picture.descriptor))
        perform(localized("Paste"), .copying, [step], done: { localized("\($0) pasted") })
    }

    /// The folder of the shown picture, or the first folder of the album, with a separator at its end.
    var albumFolder: [UInt8]? {
        if browser.mode == .viewer, let path = targetPaths.first {
            return FileNames.folder(of: path)
        }
        if album.hasFolder, let given = album.paths.first {
            return FilePath(given.absolute).folderPrefix
        }
        return album.count > 0 ? FileNames.folder(of: album.listing.path(at: 0).absolute) : nil
    }
}
