import EventLoop
import Folders
import Glibc
import Interface
import Localization
import SceneModel
import SystemCalls

/// Lets a person choose a folder where the desktop has no file chooser: by places, subfolders and new folders.
final class FolderChooser {
    /// What the folder is for.
    struct Request {
        /// The title of the sheet.
        var title: String
        /// The text of the button that chooses the shown folder.
        var confirm: String
        /// Whether files are to be written into the folder.
        var writes: Bool
        /// The folder that cannot be chosen, because the files are there; nil for none.
        var source: FilePath?
        /// The folder from which the choice begins; nil for the places.
        var start: FilePath?
        var onChosen: (FilePath) -> Void
    }

    private let jobs: BackgroundJobs
    private let ask: (Prompt, _ onAnswer: @escaping (Prompt.Answer) -> Void) -> Void
    /// The number of the reading whose result is awaited; others have been left.
    private var reading: Int?
    private var lastReading = 0

    /// `ask` shows a prompt, and gives its answer.
    init(
        _ jobs: BackgroundJobs,
        ask: @escaping (Prompt, _ onAnswer: @escaping (Prompt.Answer) -> Void) -> Void
    ) {
        (self.jobs, self.ask) = (jobs, ask)
    }

    var isBusy: Bool { reading != nil }

    func begin(_ request: Request) {
        var prompt = Prompt(.chooseFolder, request.title)
        prompt.text = localized("Reading…")
        if let start = request.start {
            open(start, request, from: prompt)
        } else {
            openPlaces(request, from: prompt)
        }
    }

    // MARK: Reading

    /// Reads on a thread, while `prompt` stays on the screen.
    private func read<Result: Sendable>(
        _ prompt: Prompt, _ work: @escaping @Sendable () -> Result,
        then show: @escaping (Result) -> Void
    ) {
        lastReading += 1
        let number = lastReading
        reading = number
        let starts = jobs.run(work) { [weak self] result in
            guard let self, reading == number else { return }
            reading = nil
            show(result)
        }
        if !starts { reading = nil }
        wait(for: number, prompt)
    }

    /// Keeps a prompt on the screen until the reading of this number ends; only *Cancel* is an answer meanwhile.
    private func wait(for number: Int, _ prompt: Prompt) {
        ask(prompt) { [weak self] answer in
            guard let self, reading == number else { return }
            if answer == .cancelled { reading = nil } else { wait(for: number, prompt) }
        }
    }

    private func open(_ folder: FilePath, _ request: Request, from prompt: Prompt) {
        read(prompt) {
            FolderList(reading: folder)
        } then: { [weak self] in
            self?.show($0, request)
        }
    }

    private func openPlaces(_ request: Request, from prompt: Prompt) {
        read(prompt) {
            FolderPlaces.all()
        } then: { [weak self] in
            self?.show($0, request)
        }
    }

    // MARK: Showing

    /// A row of the sheet.
    private enum Row {
        case folder(FilePath)
        case places, newFolder
    }

    private func show(_ list: FolderList, _ request: Request) {
        var rows: [(Row, Prompt.Choice)] = []
        if let above = list.path.folderAbove {
            let title = localized("Up to “\(above.displayName.isolated)”")
            rows.append((.folder(above), .init(title, icon: .up)))
        }
        rows.append((.places, .init(localized("Places"), icon: .grid)))
        if list.isWritable {
            rows.append((.newFolder, .init(localized("New folder…"), icon: .zoomIn)))
        }
        let ways = rows.count
        rows += list.folders.map { (.folder($0.path), .init($0.title, icon: .open)) }
        var prompt = Prompt(.chooseFolder, request.title)
        prompt.subject = list.path.description
        prompt.firstChoice = list.folders.isEmpty ? nil : ways
        prompt.text = Self.shown(list.path)
        if let problem = list.problem {
            (prompt.text, prompt.isRefused) = ("\(list.path): \(problem)", true)
        } else if request.writes, !list.isWritable {
            prompt.text += " · " + localized("You cannot write to this folder.")
        } else if list.path != request.source {
            prompt.confirm = request.confirm
        }
        ask(prompt, rows, list, request)
    }

    /// The path, with "~" for the home folder.
    private static func shown(_ path: FilePath) -> String {
        let home = getenv("HOME").map { String(cString: $0) } ?? ""
        let text = path.description
        guard home.count > 1, text == home || text.hasPrefix(home + "/") else { return text }
        return "~" + text.dropFirst(home.count)
    }

    private func show(_ places: [FolderPlaces.Place], _ request: Request) {
        var prompt = Prompt(.chooseFolder, request.title)
        prompt.subject = "places"
        let rows = places.map { place -> (Row, Prompt.Choice) in
            (
                .folder(place.path),
                .init(place.title, detail: place.path.description, icon: .open)
            )
        }
        ask(prompt, rows, nil, request)
    }

    private func ask(
        _ prompt: Prompt, _ rows: [(Row, Prompt.Choice)], _ list: FolderList?, _ request: Request
    ) {
        var prompt = prompt
        prompt.choices = rows.map(\.1)
        ask(prompt) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .confirmed: if let list { request.onChosen(list.path) }
            case .choice(let index) where rows.indices.contains(index):
                switch rows[index].0 {
                case .folder(let path): open(path, request, from: prompt)
                case .places: openPlaces(request, from: prompt)
                case .newFolder: if let list { askForName(in: list, request) }
                }
            case .choice, .text, .cancelled: break
            }
        }
    }

    // MARK: New folders

    private func askForName(
        in list: FolderList, _ request: Request, _ name: String = "", refusal: String? = nil
    ) {
        var prompt = Prompt(.newFolder, localized("New folder"))
        (prompt.field, prompt.confirm) = (name, localized("Create"))
        if let refusal { (prompt.text, prompt.isRefused) = (refusal, true) }
        ask(prompt) { [weak self] answer in
            guard let self else { return }
            guard case .text(let name) = answer else { return show(list, request) }
            if let reason = NameRules.refusal(of: name) {
                return askForName(in: list, request, name, refusal: reason)
            }
            let path = list.path.appending(Array(name.utf8))
            read(prompt) {
                Self.make(path)
            } then: { [weak self] problem in
                guard let problem else { return self?.enter(path, list, request) ?? () }
                let isTaken = problem.code == EEXIST
                self?.askForName(
                    in: list, request, name,
                    refusal: isTaken
                        ? localized("There is another file of that name.") : "\(problem)")
            }
        }
    }

    private func enter(_ path: FilePath, _ list: FolderList, _ request: Request) {
        var prompt = Prompt(.chooseFolder, request.title)
        prompt.text = localized("Reading…")
        open(path, request, from: prompt)
    }

    /// Makes a folder, and returns what went wrong; waits for the file system.
    private static func make(_ path: FilePath) -> SystemError? {
        do throws(SystemError) {
            _ = try reporting { path.withCString { mkdir($0, 0o777) } }
            return nil
        } catch { return error }
    }
}
