import Browser
import Edits
import FileChanges
import Folders
import ImageWire
import Interface
import Localization
import Motion

/// Favourites and ratings of the pictures.
extension Session {
    /// Shows the marks that were read.
    func showMarks() { browser.setMarks(marks.byIndex) }

    /// Reads the marks of new pictures; a kiosk has nobody who marks.
    func readMarks() {
        if kiosk == nil, hasShownPicture { marks.read() }
    }

    /// Marks the pictures as favourites, or unmarks them if all of them are.
    func toggleFavourite() {
        let ids = targets
        let isFavourite = !ids.allSatisfy { marks.mark(of: $0).isFavourite }
        mark(
            ids,
            { isFavourite ? localized("Favourite \($0)") : localized("No favourite \($0)") },
            done: {
                isFavourite
                    ? localized("\($0) marked as favourite")
                    : localized("\($0) no favourite any more")
            }
        ) { PictureMark(isFavourite: isFavourite, rating: $0.rating) }
    }

    func askForRating() {
        promptTargets = targetPaths
        var prompt = Prompt(.rate, localized("Rate \(ChangeTexts.subject(promptTargets))"))
        let ratings = Set(targets.map { marks.mark(of: $0).rating })
        prompt.rating = ratings.count == 1 ? ratings.first ?? 0 : 0
        browser.setPrompt(prompt, at: now())
    }

    /// Gives the pictures 0…5 stars.
    func rate(_ stars: Int) {
        mark(
            targets, { localized("Rate \($0)") },
            done: {
                stars == 0
                    ? localized("\($0) without stars")
                    : localized(
                        "\($0) rated \(stars) star", many: "\($0) rated \(stars) stars",
                        count: stars)
            }
        ) {
            PictureMark(isFavourite: $0.isFavourite, rating: stars)
        }
    }

    private func mark(
        _ ids: [Int], _ title: (String) -> String, done: @escaping (String) -> String,
        _ change: (PictureMark) -> PictureMark
    ) {
        var wanted: [[UInt8]: (id: Int, mark: PictureMark)] = [:]
        var actions: [FileAction] = []
        for id in ids {
            guard let path = album.path(id)?.absolute else { continue }
            let mark = change(marks.mark(of: id))
            guard mark != marks.mark(of: id) else { continue }
            wanted[path] = (id, mark)
            actions.append(.mark(path: path, mark))
        }
        guard !actions.isEmpty else { return }
        perform(title(ChangeTexts.subject(actions.map(\.path))), actions, done: done) {
            [weak self] result in
            guard let self else { return false }
            for (action, _) in result.done {
                if let (id, mark) = wanted[action.path] { marks.set(mark, of: id) }
            }
            showMarks()
            return false
        }
    }

    /// Lists the favourites only, or all pictures again.
    func toggleFavouritesOnly() {
        let isOn = !album.options.favouritesOnly
        if isOn, !marks.marks.values.contains(where: \.isFavourite) {
            return browser.show(Toast(localized("there are no favourites here")), at: now())
        }
        album.showFavouritesOnly(isOn)
        updateFileFacts()
    }
}
