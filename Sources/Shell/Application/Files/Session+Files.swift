import Geometry
import Browser
import Commands
import Edits
import FileChanges
import Folders
import Grid
import ImageWire
import Interface
import Localization
import Motion
import SceneModel
import Viewer

/// Commands for files: each works on the selection, or on the picture.
extension Session {
    /// The ids of the pictures that a command works on, in the order of the listing.
    ///
    /// A picture from standard input has no file.
    var targets: [Int] {
        let indices =
            browser.mode == .viewer
            ? [browser.viewer.index]
            : browser.grid.selection.isEmpty
                ? [browser.grid.focus].compactMap(\.self) : browser.grid.selection.sorted()
        return indices.filter { $0 < album.count }.map { album.id($0) }
            .filter { album.entry($0)?.descriptor == nil }
    }

    /// The absolute paths of the pictures that a command works on.
    var targetPaths: [[UInt8]] { targets.compactMap { album.path($0)?.absolute } }

    func performOnFiles(_ command: Command, at moment: Moment) {
        if command.needsTargets, targets.isEmpty {
            return browser.show(Toast(localized("choose a picture first")), at: moment)
        }
        if command.needsOnePicture, targets.count > 1 {
            return browser.show(Toast(localized("choose one picture only")), at: moment)
        }
        switch command {
        case .undo: reverse(isRedo: false)
        case .redo: reverse(isRedo: true)
        case .delete: delete()
        case .deleteForGood: askToDeleteForGood(targetPaths, reason: nil)
        case .favourite: toggleFavourite()
        case .rate: askForRating()
        case .favouritesOnly: toggleFavouritesOnly()
        case .rename: askForName()
        case .copyTo: askForFolder(.copyTo)
        case .moveTo: askForFolder(.moveTo)
        case .copy: copy(at: moment)
        case .paste: paste(at: moment)
        case .openWith, .showInFiles, .share, .print, .setBackground: performOnDesktop(command)
        case .runCommand: askForOwnCommand()
        case .flipHorizontally: turn(by: .mirrored, at: moment)
        case .flipVertically: turn(by: .mirroredUpsideDown, at: moment)
        default: break
        }
    }

    /// Reads what the first picture does not need: the marks, and what can be undone.
    func prepareFiles() {
        guard kiosk == nil else { return }
        readMarks()
        changes.files.prepare()
    }

    // MARK: Undo and redo

    private func reverse(isRedo: Bool) {
        finishTurns { [unowned self] in
            changes.files.reverse(isRedo: isRedo) { [weak self] result in
                guard let self else { return }
                album.setRemoved([])
                browser.endUndoMessage(at: now())
                switch result {
                case .success(let reversal):
                    browser.show(
                        Toast(
                            ChangeTexts.report(reversal),
                            undo: isRedo && reversal.count > 0 ? .undo : nil), at: now())
                    changes.marks.forget()
                    if !reversal.path.isEmpty { reveal(FilePath(reversal.path)) }
                case .failure(let failure):
                    browser.show(Toast(ChangeTexts.text(of: failure)), at: now())
                }
                refreshAlbum()
            }
        }
    }

    // MARK: Trash

    /// More pictures are deleted after a question: one slip takes a whole selection.
    private static let mostWithoutQuestion = 20

    private func delete() {
        let paths = targetPaths
        guard paths.count > Self.mostWithoutQuestion else { return delete(paths) }
        var prompt = Prompt(
            .delete, localized("Move \(ChangeTexts.subject(paths)) to the trash?"))
        prompt.text = localized("Undo brings them back.")
        prompt.confirm = localized("Delete")
        ask(prompt) { [unowned self] in
            if $0 == .confirmed { delete(paths) }
        }
    }

    private func delete(_ paths: [[UInt8]]) {
        let title = localized("Delete \(ChangeTexts.subject(paths))")
        perform(
            title, .deletion, paths.map { .trash(path: $0) },
            done: { localized("\($0) moved to the trash") }
        ) {
            [unowned self] (result: ChangeClient.Result) -> Bool in
            let refused = result.failures.compactMap { action, failure -> ([UInt8], String)? in
                ChangeTexts.trashReason(failure).map { (action.path, $0) }
            }
            guard let reason = refused.first?.1 else { return false }
            askToDeleteForGood(refused.map(\.0), reason: reason)
            return result.done.isEmpty && refused.count == result.failures.count
        }
    }

    /// Asks before files are removed; `reason` says why the trash cannot have them.
    private func askToDeleteForGood(_ paths: [[UInt8]], reason: String?) {
        var prompt = Prompt(
            .deleteForGood, localized("Delete \(ChangeTexts.subject(paths)) for good?"))
        prompt.text =
            (reason.map { localized("The trash cannot be used: \($0). ") } ?? "")
            + localized("This cannot be undone.")
        prompt.confirm = localized("Delete")
        prompt.isDestructive = true
        ask(prompt) { [unowned self] in
            if $0 == .confirmed { deleteForGood(paths) }
        }
    }

    private func deleteForGood(_ paths: [[UInt8]]) {
        perform(
            localized("Delete for good"), .deletion, paths.map { .remove(path: $0) },
            done: { localized("\($0) deleted for good") },
            canUndo: false)
    }

    /// Whether the user has quit, and all changes are written or the timeout is over.
    func isOver(at moment: Moment) -> Bool { hasEnded && changes.hasSaved(at: moment) }

    // MARK: Batches

    /// Performs actions as one batch, after the turns that are not written yet, and shows what was done.
    ///
    /// `done` makes the message from the changed files, such as "3 pictures". `onEnd` returns whether it
    /// has shown a message of its own.
    func perform(
        _ title: String, _ kind: ChangeKind, _ actions: [FileAction],
        done: @escaping (String) -> String,
        canUndo: Bool = true,
        onEnd: @escaping (ChangeClient.Result) -> Bool = { _ in false }
    ) {
        perform(
            title, kind, actions.map { ChangeClient.Step($0) }, done: done, canUndo: canUndo,
            onEnd: onEnd)
    }

    /// Performs actions with their contents, as the function of the same name does.
    func perform(
        _ title: String, _ kind: ChangeKind, _ steps: [ChangeClient.Step],
        done: @escaping (String) -> String,
        canUndo: Bool = true,
        onEnd: @escaping (ChangeClient.Result) -> Bool = { _ in false }
    ) {
        guard !steps.isEmpty else { return }
        finishTurns { [unowned self] in
            // The system may tell of a file that is gone before the job ends.
            album.setRemoved(steps.filter(\.action.removesPath).map(\.action.path))
            changes.files.perform(title, kind, steps) { [weak self] result in
                guard let self else { return }
                album.setRemoved(result.done.map(\.action.path))
                let isTold = onEnd(result)
                if !isTold {
                    for (action, failure) in result.failures {
                        Diagnostics.error(
                            FilePath(action.path), ChangeTexts.text(of: failure))
                    }
                    browser.show(
                        Toast(
                            ChangeTexts.report(result, done),
                            undo: canUndo && !result.done.isEmpty ? .undo : nil), at: now())
                }
                // A mark changes a sidecar only.
                let isMark = steps.allSatisfy { if case .mark = $0.action { true } else { false } }
                if isMark { readMarks() } else { refreshAlbum() }
            }
        }
    }

    /// Lists the album again: not every file system tells what has changed.
    func refreshAlbum() {
        pictures.covers.refresh()
        window?.invalidate()
        album.rescan()
        readMarks()
    }

    /// Tells the browser what can be undone, and what else concerns files.
    func updateFileFacts() {
        var facts = FileFacts()
        let titles = changes.files.changes
        facts.undoTitle = ChangeTexts.noun(of: titles.undoTitle)
        facts.redoTitle = ChangeTexts.noun(of: titles.redoTitle)
        facts.hasCommands = !options.values.commands.entries.isEmpty
        facts.showsFavouritesOnly = album.options.favouritesOnly
        browser.setFiles(facts)
    }
}

extension Command {
    /// Whether the command cannot work on several pictures.
    fileprivate var needsOnePicture: Bool {
        switch self {
        case .rename, .setBackground, .print: true
        default: false
        }
    }

    /// Whether the command works on pictures that are there.
    fileprivate var needsTargets: Bool {
        switch self {
        case .undo, .redo, .paste, .favouritesOnly: false
        default: true
        }
    }
}
