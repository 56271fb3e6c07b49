import Browser
import Folders
import Kiosk
import Localization
import Motion

/// Media that visitors of a kiosk plug in.
extension Session {
    /// Offers media from now on that are mounted below the folders of `kiosk.media`.
    ///
    /// No symbolic link on a medium is followed, and no thumbnail of a picture on a medium is stored.
    func watchMedia(at moment: Moment) {
        let folders = options.values.kiosk.media
        guard !folders.isEmpty else { return }
        album.distrust(folders.map { Array($0.utf8) })
        media = MediaWatcher(folders, sources) { [unowned self] in
            setMedia($0, at: now())
        }
        guard let media else {
            return Diagnostics.error(
                localized("no medium is offered: the table of mounts cannot be read"))
        }
        // Media from before the start belong to no visitor.
        kiosk?.setMedia(Self.names(media.points), offersNew: false, at: moment)
    }

    private func setMedia(_ points: [[UInt8]], at moment: Moment) {
        kiosk?.setMedia(Self.names(points), offersNew: true, at: moment)
        advanceKiosk(to: moment)
    }

    /// The folders of media whose names are texts.
    private static func names(_ points: [[UInt8]]) -> [String] {
        points.compactMap { String(validating: $0, as: UTF8.self) }
    }

    /// Shows all pictures of a medium on the grid.
    func showMedium(_ folder: String) {
        browser.stopSlideshow()
        slideshow.recall.opensForeignAlbum = true
        open([FilePath(Array(folder.utf8))], in: .grid, isRecursive: true)
    }

    /// Shows the pictures of the kiosk, those of a folder of the schedule or those that were given.
    func showOwnPictures(_ folder: String?) {
        opening.startsSlideshow = options.start.playsSlideshow
        slideshow.recall.opensForeignAlbum = false
        open(
            folder.map { [FilePath($0)] } ?? options.paths, in: playsSlideshow ? .viewer : nil,
            keepsPictures: true)
        slideshow.resumesPlace = playsSlideshow || opening.startsSlideshow
    }
}
