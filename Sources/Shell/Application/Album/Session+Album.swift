import Browser
import Commands
import Desktop
import EventLoop
import Folders
import Gestures
import ImageService
import Interface
import Localization
import Motion
import SceneModel
import SystemCalls
import Viewer

/// The album of a session: its listing, and others that are opened instead.
extension Session {
    // MARK: Listing

    /// Tells the browser about the listing.
    func showListing() {
        let state: GridFacts.State =
            if album.isEmpty { .nothing } else if !album.isComplete {
                .reading
            } else if let problem = album.problem, album.count == 0 {
                .failed(problem, isFolder: album.hasFolder && album.paths.count == 1)
            } else { .complete }
        browser.setListing(
            name: album.name ?? localized("Pictures"), total: album.listing.total, state: state)
        showFolders()
        browser.setOrder(album.options.order.key.choice, isReversed: album.options.order.isReversed)
    }

    // MARK: Opening

    func openFiles(_ kind: FileKind) {
        guard let window else { return openFolderHere() }
        window.openFiles(kind)
    }

    /// Opens a folder of our own chooser; its grid shows the files.
    private func openFolderHere() {
        folderChooser.begin(
            .init(
                title: localized("Open folder"), confirm: localized("Open"), writes: false,
                start: albumFolder.map { FilePath($0) }
            ) { [weak self] in self?.open([$0], in: .grid) })
    }

    /// Opens what was chosen in the desktop's file chooser instead of the album.
    func open(_ choice: FileChoice, _ kind: FileKind) {
        switch choice {
        case .chosen(let paths, let refused):
            for uri in refused { notify(LocalFileURI.refusal(of: uri)) }
            if !paths.isEmpty { open(paths, in: kind == .folder ? .grid : .viewer) }
        case .cancelled: break
        case .failed(let reason): notify(reason)
        case .unavailable: openFolderHere()
        }
    }

    /// Opens other files and folders instead of the album, which stays until they are read; without a
    /// mode, folders begin with the grid.
    ///
    /// `isRecursive` comes from the settings unless given. With `keepsPictures` the album stays until
    /// there are other pictures.
    func open(
        _ paths: [FilePath], in mode: BrowserModel.Mode?, isRecursive: Bool? = nil,
        keepsPictures: Bool = false
    ) {
        opening.mode = mode
        opening.history = []
        opening.flight = nil
        slideshow.resumesPlace = false
        album.replace(
            with: paths, isRecursive: isRecursive ?? options.values.collection.isRecursive,
            keepsPictures: keepsPictures)
        expectListing()
    }

    /// Opens a picture in memory instead of the album; the descriptor is sealed against every change.
    func open(pasted picture: OwnedDescriptor) {
        opening.mode = .viewer
        opening.history = []
        opening.flight = nil
        slideshow.resumesPlace = false
        album.replace(with: picture)
        expectListing()
    }

    func expectListing() {
        opening.expectListing(at: now())
        if let source = opening.source { sources.setDescriptor(album.pollDescriptor, of: source) }
    }

    /// Tells the user that something failed: on standard error, and in the viewer.
    func notify(_ message: String) {
        Diagnostics.error(message)
        browser.show(Toast(message), at: now())
    }

    /// Begins anew with another album, at its first picture.
    func showNewAlbum(with index: Int = 0) -> [ViewerEffect] {
        let mode =
            album.count == 0
            ? .grid : opening.mode ?? options.start.firstMode(hasFolder: album.hasFolder)
        // Fingers that are down belong to the album before, so the interaction is new, too.
        let former = browser
        interaction = Interaction(
            options.browser(
                of: album.listing, mode, former.viewer.viewport, TextMeasurement(composer.text),
                index: index))
        pictures.provider.forgetRequests()
        slideshow.recall.open(for: &browser)
        // A message may say that a part of the choice was refused.
        browser.receiveMessages(from: former, at: now())
        browser.receivePrompt(from: former)
        updateFileFacts()
        // The first listing of an album that was slow to answer replaces an empty one.
        if former.playsSlideshow || opening.startsSlideshow, mode == .viewer || album.count == 0 {
            startSlideshow(at: now())
        }
        opening.startsSlideshow = false
        applyLooks()
        return [.want] + attractWithNewAlbum()
    }

    /// Removes the thumbnails on the disk of pictures that are gone: a folder whose files come and go would
    /// fill the disk of a kiosk with them.
    ///
    /// Pictures of a stick that a person pulls out of a computer are not gone, and a desktop cleans up its
    /// cache by itself. A kiosk keeps the pictures of a folder that has vanished in its listing.
    private func removeThumbnails(of change: ListingChange) {
        guard options.isKiosk, !change.isReplacement, !album.options.favouritesOnly else { return }
        pictures.cells.removeStored(change.gone.map(\.absolute), on: disk)
    }

    // MARK: Pictures that come

    /// Shows a picture that a change of files has brought, once the picture is listed.
    func reveal(_ path: FilePath, of original: (id: Int, message: String)? = nil) {
        opening.awaited = AlbumOpening.AwaitedPicture(path: path, original: original)
    }

    private func revealAwaited(at moment: Moment) {
        guard var awaited = opening.awaited else { return }
        awaited.updates -= 1
        opening.awaited = awaited.updates > 0 ? awaited : nil
        guard let id = album.id(of: awaited.path) else { return }
        opening.awaited = nil
        guard let original = awaited.original else { return present(id, at: moment) }
        guard browser.viewer.count > 0, album.id(browser.viewer.index) == original.id else {
            return
        }
        present(id, at: moment)
        browser.show(
            Toast(original.message, undo: .undo, original: original.id), at: moment)
    }

    /// Shows the picture with this id, if it is listed.
    func present(_ id: Int, at moment: Moment) {
        guard let index = album.listing.index(of: id) else { return }
        var effects: [ViewerEffect] = []
        browser.present(index, at: moment, effects: &effects)
        perform(effects, at: moment)
    }

    func applyListingChange(at moment: Moment) {
        guard let change = pictures.listing.fetchChange() else { return }
        if !album.hasStalled { opening.message = nil }
        let changed = change.changed
        removeThumbnails(of: change)
        pictures.forget(changed)
        changes.marks.forget(changed)
        let effects =
            change.isReplacement
            ? showNewAlbum() : pictures.listing.apply(change, to: &browser, at: moment)
        showListing()
        if change.isReplacement {
            showPlaceBefore()
            beginFolderFlight(at: moment)
        }
        orderSlides()
        resumePlace(at: moment)
        // A change that only adds dates is no reason to retry failed thumbnails.
        if !change.keepsPictures { pictures.cells.retry() }
        perform(effects, at: moment)
        revealAwaited(at: moment)
        pictures.listing.requestDates()
        showMarks()
        readMarks()
        changes.turns.noteListing()
    }
}
