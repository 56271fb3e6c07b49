import Browser
import Desktop
import Input
import Interface
import Motion
import SceneModel

/// The libraries that the first picture does not need: they are opened after the picture, so that the
/// decoder has all processors for it.
final class DeferredLibraries {
    private enum Stage {
        case awaitsPicture, showsPreview, open
    }

    private unowned let run: WaylandRun
    private var stage = Stage.awaitsPicture
    private var latestOpening: Moment?
    /// The styles whose fonts were looked for last.
    private var preparedStyles: [TextStyle] = []
    private var hasFonts = false

    /// When the libraries are opened even if no picture has come, in milliseconds after the start: well
    /// before the first message about the wait, which would open them on the input thread.
    private static let longestWaitForPicture = 1000.0
    /// When they are opened at the latest after the preview of a picture, in milliseconds: opening them
    /// takes two processors from the decoder for as long as two frames.
    private static let longestWaitForWhole = 300.0

    init(_ run: WaylandRun) { self.run = run }

    var areOpen: Bool { stage == .open }

    /// Whether pointers are held back until the fonts are there.
    var holdPointers: Bool { run.waitsForThreads && !hasFonts }

    func start(at moment: Moment) {
        latestOpening = moment.advanced(byMilliseconds: Self.longestWaitForPicture)
    }

    /// When the libraries are opened even if nothing happens; nil once they are open.
    var due: Moment? { areOpen ? nil : latestOpening }

    /// Opens the libraries, once the picture is whole or the wait has been long.
    func pictureShown(isWhole: Bool) {
        if isWhole { return open() }
        guard stage == .awaitsPicture else { return }
        stage = .showsPreview
        let due = run.clock().advanced(byMilliseconds: Self.longestWaitForWhole)
        latestOpening = [latestOpening, due].compactMap(\.self).min()
    }

    /// Opens the libraries for input, which may show texts and may be held back until they are there.
    func prepare(for input: InputEvent) {
        // The pointer may lie where the window appears.
        if case .pointer(.move) = input { return }
        if stage == .showsPreview { open() }
    }

    func open() {
        guard !areOpen else { return }
        stage = .open
        prepareFonts()
        run.desktop.services?.followSettings()
        run.desktop.services?.followAccessibility()
    }

    /// Looks for the fonts of the interface, again when the desktop has another size of text.
    func prepareFonts() {
        let styles = run.session.browser.layout.theme.textStyles
        guard areOpen, styles != preparedStyles else { return }
        preparedStyles = styles
        run.session.composer.prepareText(styles, by: run.backgroundJobs) {
            [unowned self] hasSubstituted in
            if hasSubstituted { relayout() }
            guard styles == preparedStyles else { return }
            hasFonts = true
            for window in run.windows { window.deliverHeldPointers(at: run.clock()) }
        }
    }

    /// Lays out and paints texts anew that were in plain letters.
    private func relayout() {
        for window in run.windows {
            window.session.applyLooks()
            window.frames.repaint()
        }
    }
}
