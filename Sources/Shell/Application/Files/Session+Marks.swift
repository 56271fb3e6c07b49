import Browser
import Edits
import FileChanges
import Folders
import ImageWire
import Interface
import Localization
import Motion
import Search

/// Favourites and ratings of the pictures.
extension Session {
    /// Shows the marks that were read; the question for stars may have waited even for unchanged marks.
    func showReadMarks(mayDiffer: Bool) {
        if mayDiffer { showMarks() } else { updateRatingPrompt() }
        if mayDiffer, album.search?.query.needsMarks == true { searchAgain(at: now()) }
    }

    /// Shows the marks that are known.
    func showMarks() {
        browser.setMarks(changes.marks.byIndex)
        pictures.information.updateMarks()
        updateRatingPrompt()
    }

    /// Reads the marks of new pictures, except in a kiosk, where nobody marks.
    func readMarks() {
        if kiosk == nil, hasShownPicture { changes.marks.read() }
    }

    /// Marks the pictures as favourites, or unmarks them if all of them are.
    func toggleFavourite() {
        let ids = targets
        let isFavourite = !ids.allSatisfy { changes.marks.mark(of: $0)?.isFavourite == true }
        mark(
            ids, .favourite(isFavourite),
            { isFavourite ? localized("Favourite \($0)") : localized("No favourite \($0)") },
            done: {
                isFavourite
                    ? localized("\($0) marked as favourite")
                    : localized("\($0) no favourite any more")
            })
    }

    func askForRating() {
        let ids = targets
        var prompt = Prompt(.rate, localized("Rate \(ChangeTexts.subject(targetPaths))"))
        question.ratedPictures = ids
        prompt.rating = rating(of: ids)
        changes.marks.readStarsNow(of: ids)
        ask(prompt) { [unowned self] in
            if case .choice(let stars) = $0 { rate(ids, stars) }
        }
    }

    /// The stars that all of these pictures have; nil while the stars are unknown, or if they differ:
    /// then a key that confirms the question changes nothing.
    private func rating(of ids: [Int]) -> Int? {
        guard let id = ids.first, let stars = changes.marks.stars(of: id) else { return nil }
        return ids.allSatisfy { changes.marks.stars(of: $0) == stars } ? stars : nil
    }

    /// Shows stars that have become known since the question for them.
    private func updateRatingPrompt() {
        guard var prompt = browser.prompt, prompt.purpose == .rate,
            case let stars = rating(of: question.ratedPictures), prompt.rating != stars
        else { return }
        prompt.rating = stars
        browser.setPrompt(prompt, at: now())
    }

    /// Gives pictures 0…5 stars.
    private func rate(_ ids: [Int], _ stars: Int) {
        mark(
            ids, .rating(stars), { localized("Rate \($0)") },
            done: {
                stars == 0
                    ? localized("\($0) without stars")
                    : localized(
                        "\($0) rated \(stars) star", many: "\($0) rated \(stars) stars",
                        count: stars)
            })
    }

    private func mark(
        _ ids: [Int], _ change: MarkChange, _ title: (String) -> String,
        done: @escaping (String) -> String
    ) {
        var marked: [[UInt8]: Int] = [:]
        var actions: [FileAction] = []
        for id in ids {
            guard let path = album.path(id)?.absolute else { continue }
            if changes.marks.has(change, id) { continue }
            marked[path] = id
            actions.append(.mark(path: path, change))
        }
        guard !actions.isEmpty else { return }
        let kind: ChangeKind = if case .favourite = change { .favourite } else { .rating }
        perform(title(ChangeTexts.subject(actions.map(\.path))), kind, actions, done: done) {
            [weak self] result in
            guard let self else { return false }
            for (action, _) in result.done {
                if let id = marked[action.path] { changes.marks.apply(change, to: id) }
            }
            showMarks()
            return false
        }
    }

    /// Lists the favourites only, or all pictures again.
    func toggleFavouritesOnly() {
        let isOn = !album.options.favouritesOnly
        if isOn, !changes.marks.hasFavourites {
            return browser.show(Toast(localized("there are no favourites here")), at: now())
        }
        album.showFavouritesOnly(isOn)
        updateFileFacts()
    }
}
