import Browser
import DecodeClient
import Folders
import Motion
import Viewer

/// Why no slideshow may play.
enum Suspension {
    /// The screen of a kiosk is off.
    case dark
    /// No window shows the pictures, because the output has gone.
    case rest
}

/// The slideshow of a session beside its pictures: order, texts, the place of the last run, and why the
/// slideshow rests.
final class SessionSlideshow {
    /// The place in the album that a later run resumes.
    let recall: SlideshowRecall
    let sequence: SlideSequence
    let captions: SlideCaptions
    private var clock: SlideClock
    private let album: Album
    /// Whether the picture that the last run has shown is still to be found.
    var resumesPlace = false
    /// Whether a slideshow has begun without visitors.
    var hasAttracted = false
    /// Why no slideshow may play now, and for each reason whether one plays when the reason has gone.
    var suspensions: [Suspension: Bool] = [:]

    /// `date` gives the date of a picture by its id, as text.
    init(
        _ album: Album, _ options: Options, _ environment: DecoderEnvironment, on disk: DiskWork,
        date: @escaping (Int) -> String?
    ) {
        self.album = album
        recall = SlideshowRecall(
            album, in: options.keptStateFolder, on: disk, environment.sources,
            now: environment.clock)
        sequence = SlideSequence(album, environment.sources)
        captions = SlideCaptions(album, environment, date: date)
        clock = SlideClock(isReproducible: options.headless.isReproducible)
    }

    /// Whether the order or the texts are being read.
    var isBusy: Bool { captions.isBusy || sequence.isBusy }

    /// When the time over the pictures changes; nil while no time is shown.
    var deadline: Moment? { clock.deadline }

    /// Whether the album is listed and the place of the last run is known, or that there is none.
    var hasReadPlace: Bool { album.count > 0 && album.isComplete && !recall.isReading }

    /// Follows a change of the listing or of the order.
    func listingChanged(for browser: inout BrowserModel) {
        recall.listingChanged(for: &browser)
        sequence.listingChanged(browser.viewer.settings.slideshow.order)
    }

    /// Notes the place, and updates the texts over the pictures.
    func update(_ browser: inout BrowserModel, at moment: Moment) {
        recall.follow(browser, at: moment)
        captions.update(&browser)
        clock.update(&browser, at: moment)
    }
}
