import Browser
import Desktop
import EventLoop
import Folders
import Localization
import Motion
import SceneModel
import SystemCalls
import WaylandClient

/// What the desktop asks by D-Bus (`--dbus-service`).
extension DesktopServices {
    /// How long the first call may take, in milliseconds: the bus starts the program for this call.
    private static let patience = 10_000.0

    /// Waits for the first call of the desktop, which others may follow at once; empty if none comes, or
    /// another instance is called.
    func firstCalls() -> [ApplicationCall] {
        var calls: [ApplicationCall] = []
        var isOver = false
        onApplicationCall = { calls.append($0) }
        onApplicationTaken = { isOver = true }
        let end = MonotonicClock.now().advanced(byMilliseconds: Self.patience)
        while calls.isEmpty, !isOver {
            let left = end.seconds(since: MonotonicClock.now()) * 1000
            guard left > 0 else { break }
            waitUntilReady(pollDescriptor, milliseconds: Int32(left.rounded(.up)))
            handleReadable()
        }
        return calls
    }
}

extension Options {
    /// Adds what a call of the desktop before the start wants; later files replace earlier ones, as they do
    /// while the viewer runs.
    mutating func start(with call: ApplicationCall) {
        if !call.paths.isEmpty { paths = call.paths }
        desktop.refusedFiles += call.refused
        desktop.activationToken = call.token ?? desktop.activationToken
        switch call.action {
        case .slideshow: (isFullscreen, start.playsSlideshow) = (true, true)
        case .grid: start.mode = .grid
        case .fullscreen: isFullscreen = true
        case nil: break
        }
    }
}

extension WaylandRun {
    /// Follows later calls of the desktop.
    func followCalls(_ desktop: DesktopServices) {
        guard options.desktop.isService else { return }
        desktop.onApplicationCall = { [unowned self] in perform($0) }
        // Whoever is called instead shows what comes next; this window stays.
        desktop.onApplicationTaken = {}
        session.tellRefused(options.desktop.refusedFiles)
    }

    private func perform(_ call: ApplicationCall) {
        guard !isLocked else { return }
        session.tellRefused(call.refused)
        if !call.paths.isEmpty { session.open(call.paths, in: nil) }
        switch call.action {
        case .grid: openPictures(in: .grid)
        case .slideshow:
            openPictures(in: .viewer)
            session.opening.startsSlideshow = true
            first.window?.setFullscreen(true)
        case .fullscreen: first.window?.setFullscreen(true)
        case nil: break
        }
        if let token = call.token { first.window?.activate(token: token) }
        invalidate()
    }

    private func openPictures(in mode: BrowserModel.Mode) {
        if let folder = UserFolders.pictures(isFolder: { _ in true }) {
            session.open([folder], in: mode)
        }
    }
}

extension Session {
    /// The first files that are no files of this computer get a message each.
    fileprivate func tellRefused(_ files: [String]) {
        for file in files.prefix(3) { notify(LocalFileURI.refusal(of: file)) }
    }
}
