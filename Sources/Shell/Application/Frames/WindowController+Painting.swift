import Browser
import EventLoop
import Localization
import Motion
import SceneModel
import WaylandClient

/// The frames of a window.
extension WindowController {
    /// Paints the next frame if it is due; otherwise returns when it will be due, or nil.
    ///
    /// A canvas paints its windows by itself.
    func paintIfDue() -> Moment? {
        guard canvas == nil, let window, window.state != nil, !window.isFrameCallbackPending else {
            return nil
        }
        let now = run.clock()
        if session.isAnimating(at: now) || frames.showsMotion { frames.invalidate() }
        guard let start = frames.start(hasContent: session.hasContent, at: now) else { return nil }
        guard start <= now || frames.hasLastInput(before: start) else { return start }
        guard !awaitsMemory(of: window) else { return nil }
        let moment = max(FramePacing.moment(of: start, at: now), latest)
        if let frame = nextFrame(at: moment) {
            show(
                frame, isAnimating: session.isAnimating(at: moment), start: min(start, now),
                at: moment)
        }
        return nil
    }

    private func writeInterface(at moment: Moment) {
        guard interfaceLog?.write(session.interface(at: moment)) == false else { return }
        Diagnostics.error(localized("the interface cannot be written any more"))
        interfaceLog = nil
    }

    /// The frame of the session at a moment, ready to be painted; nil after the end.
    func nextFrame(at moment: Moment) -> BrowserFrame? {
        session.advance(to: moment)
        guard !session.hasEnded else { return nil }
        // Before the trace: a reader of a line of the trace finds the interface of that frame.
        writeInterface(at: moment)
        var frame = session.frame(at: moment)
        session.prepareToPaint(&frame, at: moment)
        return frame
    }

    /// Paints a frame, unless it is on the surface already; `isAnimating` as in `FramePacing.plan`.
    func show(_ frame: BrowserFrame, isAnimating: Bool, start: Moment, at moment: Moment) {
        guard let window else { return }
        do throws(FrameError) {
            let plan = frames.plan(frame, isAnimating: isAnimating, start: start, at: moment) {
                session.composer.detail(of: $0)
            }
            frames.begin(plan)
            guard !plan.isShown else {
                frames.keep(plan, path: session.path(at:))
                // The picture may have been on the surface before it was known to be whole.
                notePicture()
                return
            }
            let buffer = try window.acquireFrame(
                resolution: plan.bufferResolution, isPreview: plan.isPreview,
                headroom: headroom(for: plan.frame.scene))
            guard let buffer else { return }
            releaseUnusedLayers(at: moment)
            let refresh = window.assumedRefresh
            let frame = frames.paint(plan, session, into: buffer, refresh: refresh)
            let isFirst = !window.isMapped
            keepMemory(at: moment)
            if isAnimating, memory.lacksGivenBackMemory { prepareMotion() }
            let commit = window.commit(
                buffer, damage: frame.damage, isOpaque: plan.frame.scene.backdrop >= 1,
                requestFrameCallback: true)
            frames.committed(
                frame, commit, refresh: refresh, path: session.path(at:))
            if canvas == nil, frame.isExact, !isAnimating, let shown = window.shownFrame {
                session.composer.noteShown(frame.plan.frame.scene, in: shown)
            }
            if isFirst { memory.lacksSecondFrame = true }
            notePicture()
            session.prefaultPictures()
            Diagnostics.debug("frame \(commit) painted in \(frame.paintTime) ms")
            if title != session.title {
                title = session.title
                window.setTitle(title)
            }
        } catch {
            run.fail(RunFailure(localized("cannot allocate memory for a frame: \(error)")))
        }
    }

    private func notePicture() {
        if session.hasShownPicture {
            run.libraries.pictureShown(isWhole: session.showsWholePicture)
        }
    }
}
