import Browser
import Commands
import Desktop
import Folders
import Glibc
import Motion
import Settings
import Thumbnails
import Viewer

/// The slideshow as a media player of the desktop, from the first slideshow of the run on.
///
/// Media keys are input of whoever is at the screen, so what they may do in a kiosk is what visitors
/// may do, and they do nothing while the viewer is locked or dark.
final class MediaControls {
    private unowned let run: WaylandRun
    private let desktop: DesktopServices
    /// What the desktop knows; nil before the first slideshow.
    private var shown: Shown?

    /// All that the state of the player is made of, cheap to compare.
    private struct Shown: Equatable {
        var picture: Int?
        var index: Int
        var count: Int
        var showsGrid: Bool
        var isPlaying: Bool
        var isUsable: Bool
        var settings: SlideshowSettings
    }

    private var session: Session { run.session }

    init(_ run: WaylandRun, _ desktop: DesktopServices) {
        (self.run, self.desktop) = (run, desktop)
        desktop.onMediaCommand = { [unowned self] in perform($0) }
    }

    /// Tells the desktop what has changed; to be called in each turn of the loop.
    func update() {
        guard run.options.values.offersMediaControls, shown != nil || session.playsSlideshow
        else { return }
        let now = current
        guard now != shown else { return }
        shown = now
        desktop.play(state(of: now))
    }

    private var current: Shown {
        let (index, count) = (session.browser.viewer.index, session.album.count)
        return Shown(
            picture: index < count ? session.album.id(index) : nil, index: index, count: count,
            showsGrid: session.browser.mode == .grid, isPlaying: session.playsSlideshow,
            isUsable: isUsable, settings: session.browser.viewer.settings.slideshow)
    }

    /// Whether input counts now.
    private var isUsable: Bool { !run.isLocked && session.screenIsOn != false }

    private func state(of shown: Shown) -> MediaPlayerState {
        var state = MediaPlayerState()
        state.status = shown.isPlaying ? .playing : shown.showsGrid ? .stopped : .paused
        state.isShuffled = shown.settings.order == .shuffle
        state.canTurn = shown.isUsable && shown.count > 1 && allows(.next) && allows(.previous)
        state.canPlay = shown.isUsable && shown.count > 0 && allows(.slideshow)
        state.canQuit = session.browser.policy.allowsLeaving
        guard let number = shown.picture, !shown.showsGrid else { return state }
        let path = session.album.listing.path(at: shown.index)
        let places = ThumbnailPlaces.of(path.bytes, cache: cacheFolder)
        state.track = MediaPlayerState.Track(
            number: number, title: session.album.title(shown.index), uri: places.uri,
            thumbnails: places.files.map { FilePath($0) }, seconds: shown.settings.interval)
        return state
    }

    private func allows(_ command: Command) -> Bool { session.browser.policy.allows(command) }

    private var cacheFolder: [UInt8] {
        if let value = getenv("XDG_CACHE_HOME"), value.pointee == CChar(UInt8(ascii: "/")) {
            return Array(String(cString: value).utf8)
        }
        return getenv("HOME").map { Array((String(cString: $0) + "/.cache").utf8) } ?? []
    }

    // MARK: Commands

    private func perform(_ command: MediaCommand) {
        guard shown != nil else { return }
        let state = state(of: current)
        let now = run.first.passingTime()
        switch command {
        case .play where state.canPlay: session.setSlideshow(true, at: now)
        case .pause where state.canPlay, .stop where state.canPlay:
            session.setSlideshow(false, at: now)
        case .playPause where state.canPlay:
            session.setSlideshow(!session.playsSlideshow, at: now)
        case .next where state.canTurn: turn(.next, .right, at: now)
        case .previous where state.canTurn: turn(.previous, .left, at: now)
        case .shuffle(let isOn) where state.canPlay: shuffle(isOn, at: now)
        case .quit where state.canQuit: run.end()
        case .play, .pause, .stop, .playPause, .next, .previous, .shuffle, .quit: return
        }
        run.invalidate()
    }

    /// On the grid the focus moves.
    private func turn(_ command: Command, _ onGrid: Command, at now: Moment) {
        session.perform(session.browser.mode == .grid ? onGrid : command, at: now)
    }

    private func shuffle(_ isOn: Bool, at now: Moment) {
        let order = isOn ? SlideshowSettings.Order.shuffle : .listing
        let setting = Setting("slideshow.order", written: order.rawValue)
        var options = run.options
        guard (try? options.values.set(setting)) != nil else { return }
        options.settingSources.override(setting)
        run.apply(options)
    }
}
