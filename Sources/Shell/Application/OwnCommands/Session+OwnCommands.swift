import Browser
import Commands
import Folders
import Input
import Interface
import Localization
import Motion
import SceneModel

/// Commands of a person's own, from the settings file.
extension Session {
    /// A success after this time is no news, in seconds: the person has closed a program.
    private static let newsTime = 30.0
    /// Progress is shown after this time, in seconds.
    private static let quietTime = 0.5

    /// Asks which command is run on the pictures.
    func askForOwnCommand() {
        let entries = options.values.commands.entries
        guard !entries.isEmpty else {
            return notify(localized("the settings file names no commands"))
        }
        let paths = targetPaths
        var prompt = Prompt(.runCommand, localized("Run on \(ChangeTexts.subject(paths))"))
        prompt.choices = entries.map { entry in
            Prompt.Choice(
                entry.name.isolated, detail: options.values.commands.keyLabel(of: entry.name) ?? "",
                icon: .run)
        }
        // The settings may change before the answer, so the entries that were offered count.
        ask(prompt) { [unowned self] in
            if case .choice(let index) = $0, entries.indices.contains(index) {
                run(entries[index], on: paths)
            }
        }
    }

    /// Runs the command of a key; returns false if the key has none, or is for a prompt, the page of
    /// settings or a text.
    func runOwnCommand(for key: KeyEvent, at moment: Moment) -> Bool {
        guard browser.policy.allows(.runCommand), !browser.isModal,
            browser.textInput(at: moment) == nil,
            let entry = options.values.commands.command(for: key)
        else { return false }
        if targets.isEmpty {
            browser.show(Toast(localized("choose a picture first")), at: moment)
        } else {
            run(entry, on: targetPaths)
        }
        return true
    }

    private func run(_ entry: OwnCommandSettings.Entry, on paths: [[UInt8]]) {
        finishTurns { [weak self] in
            guard let self else { return }
            let start = now()
            changes.ownCommands.latest = changes.ownCommands.run(entry, paths.map { FilePath($0) })
            {
                [weak self] report in
                guard let self, now().seconds(since: start) >= Self.quietTime else { return }
                showProgress(
                    .init(title: entry.name.isolated, done: report.done, all: report.count))
            } onEnd: { [weak self] report in
                guard let self else { return }
                changes.ownCommands.latest = nil
                if !changes.files.isBusy { showProgress(nil) }
                if let message = report.message {
                    notify(message)
                } else if now().seconds(since: start) < Self.newsTime {
                    let name = entry.name.shortName.isolated
                    browser.show(Toast(localized("\(name): done")), at: now())
                }
                refreshAlbum()
            }
        }
    }
}
