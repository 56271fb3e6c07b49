import Browser
import Folders
import Geometry
import Grid
import Interface
import Localization
import Motion

/// A folder that was shown, and the place of the grid, by the paths of pictures: ids are those of one listing.
struct PlaceInFolder {
    var paths: [FilePath]
    var place: GridModel.Place
    /// The pictures that the place refers to, and that had the focus.
    var anchor: FilePath?
    var focus: FilePath?
}

/// Folders as cells, and the ways between them.
extension Session {
    /// Tells the browser about the folders before the pictures, and above.
    func showFolders() {
        let shown = kiosk == nil && !album.options.favouritesOnly ? album.subfolders.count : 0
        browser.setFolders(
            shown, above: foldersAbove.map(\.displayName), canGoBack: !opening.history.isEmpty,
            at: now())
    }

    /// The folders above the only one that is shown, the nearest last; none for files.
    private var foldersAbove: [FilePath] {
        guard kiosk == nil, album.hasFolder, album.paths.count == 1, let path = album.paths.first
        else { return [] }
        var above: [FilePath] = []
        var folder = FilePath(path.absolute)
        while above.count < Self.mostAbove, let next = folder.folderAbove {
            above.insert(next, at: 0)
            folder = next
        }
        return above
    }

    private static let mostAbove = 8

    /// Shows another folder.
    func go(_ step: FolderStep, at moment: Moment) {
        switch step {
        case .into(let index):
            guard album.subfolders.indices.contains(index) else { return }
            let cover = browser.coverRect(ofFolder: index, at: moment)
            open(folder: album.subfolders[index].path, cover.map { .opening(from: $0) })
        case .up(let levels):
            let above = foldersAbove
            guard levels >= 1, levels <= above.count else { return }
            let place = above.count - levels
            let left = levels == 1 ? album.paths.first : above[place + 1]
            open(folder: above[place], left.map { .closing($0) })
        case .back:
            guard let last = opening.history.popLast() else { return }
            opening.returning = last
            opening.flight = album.paths.first.map { .closing($0) }
            replace(with: last.paths)
        }
    }

    private func open(folder: FilePath, _ flight: AlbumOpening.Flight?) {
        opening.flight = flight
        opening.history.append(placeInFolder)
        opening.returning = nil
        replace(with: [folder])
    }

    private func replace(with paths: [FilePath]) {
        opening.mode = .grid
        slideshow.resumesPlace = false
        pictures.covers.forget()
        album.replace(with: paths, isRecursive: options.values.collection.isRecursive)
        expectListing()
    }

    private var placeInFolder: PlaceInFolder {
        let place = browser.gridPlace
        func path(_ index: Int?) -> FilePath? {
            index.flatMap { $0 < album.count ? album.listing.path(at: $0) : nil }
        }
        return PlaceInFolder(
            paths: album.paths, place: place, anchor: path(place.index), focus: path(place.focus))
    }

    /// Shows the place of the folder that was left before.
    func showPlaceBefore() {
        guard var before = opening.returning else { return }
        opening.returning = nil
        func index(_ path: FilePath?) -> Int? {
            path.flatMap { album.id(of: $0) }.flatMap { album.listing.index(of: $0) }
        }
        if before.anchor != nil {
            guard let anchor = index(before.anchor) else { return }
            before.place.index = anchor
        }
        before.place.focus = index(before.focus)
        browser.show(before.place)
    }

    /// Begins the flight of the folder that was entered or left.
    func beginFolderFlight(at moment: Moment) {
        guard let flight = opening.flight else { return }
        opening.flight = nil
        switch flight {
        case .opening(let cover): browser.openFolder(from: cover, at: moment)
        case .closing(let path):
            let folder = album.subfolders.firstIndex { $0.path.absolute == path.absolute }
            if let folder { browser.closeFolder(into: folder, at: moment) }
        }
    }

    // MARK: Tiles

    /// What a tile shows.
    func folderContent(_ index: Int) -> FolderContent {
        guard album.subfolders.indices.contains(index) else { return FolderContent() }
        let folder = album.subfolders[index]
        var content = FolderContent(name: folder.title)
        guard let summary = pictures.covers.summary(of: folder.path) else { return content }
        content.isUnreadable = summary.problem != nil
        content.detail = summary.problem ?? Self.detail(of: summary)
        content.covers = pictures.covers.numbers(of: folder.path).map {
            pictures.cells.content(cover: $0)
        }
        return content
    }

    private static func detail(of summary: FolderCovers.Summary) -> String {
        let pictures = localized(
            "\(summary.pictures) picture", many: "\(summary.pictures) pictures",
            count: summary.pictures)
        guard summary.folders > 0 else { return pictures }
        let folders = localized(
            "\(summary.folders) folder", many: "\(summary.folders) folders",
            count: summary.folders)
        return summary.pictures > 0 ? "\(pictures) · \(folders)" : folders
    }

    /// Reads the visible folders; returns the numbers of the pictures on their covers.
    func requestCovers(of grid: GridFrame) -> [Int] {
        let folders = grid.folders.map(\.index).filter { $0 < album.subfolders.count }
            .map { album.subfolders[$0].path }
        pictures.covers.want(folders)
        return folders.flatMap { pictures.covers.numbers(of: $0) }
    }
}
