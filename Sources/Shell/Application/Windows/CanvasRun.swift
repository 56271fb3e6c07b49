import Browser
import Geometry
import Input
import Kiosk
import SceneModel
import Motion
import Pacing
import WaylandClient

/// One session on several outputs of a kiosk: the window on each shows its part of the canvas.
///
/// All windows show the same moment: a frame begins when the compositor is ready for the next frame of
/// every window, without those that it has not answered for long, since their screens may be off.
final class CanvasRun {
    private unowned let run: WaylandRun
    private let settings: KioskCanvas
    /// All have the same session.
    private(set) var members: [WindowController] = []
    /// The logical sizes of the outputs that have been there, by their names.
    private var sizes: [String: Size] = [:]
    private var layout: KioskCanvas.Layout?

    /// How long a window may keep the others waiting, in milliseconds.
    private static let longestWait = 100.0

    init(_ settings: KioskCanvas, of run: WaylandRun) {
        (self.settings, self.run) = (settings, run)
    }

    func add(_ window: WindowController) {
        members.append(window)
        window.canvas = self
    }

    /// The window that acts for the session where one of them must.
    var leader: WindowController? { members.first { $0.window != nil } }

    /// Where the part of a window is on the canvas.
    func part(of window: WindowController) -> Rect? { window.place.flatMap { layout?.parts[$0] } }

    /// Lays out the outputs anew, because the size or the scale of a window has changed.
    func arrange() {
        let states = members.compactMap { member in
            member.window?.state.map { (member, $0) }
        }
        for (member, state) in states {
            if let place = member.place { sizes[place] = state.size }
        }
        layout = settings.layout(of: sizes)
        guard let layout, let leader else { return }
        leader.resizeSession(to: layout.size, scale: states.map(\.1.scale).max() ?? 1)
        invalidate()
    }

    /// An event of a window, at its place on the canvas.
    func asOnCanvas(_ event: InputEvent, of window: WindowController) -> InputEvent {
        guard let part = part(of: window) else { return event }
        return event.translated(by: Vector(dx: part.x, dy: part.y))
    }

    func invalidate() { for member in members { member.frames.invalidate() } }

    /// Paints the next frame if it is due; otherwise returns when it will be due, or nil.
    func paintIfDue() -> Moment? {
        let now = run.clock()
        var ready: [WindowController] = []
        for member in members where member.window?.state != nil && part(of: member) != nil {
            guard let since = member.window?.frameAwaitedSince else {
                ready.append(member)
                continue
            }
            // The frame callback itself ends the wait, too.
            let end = since.advanced(byMilliseconds: Self.longestWait)
            if now < end { return end }
        }
        guard let session = ready.first?.session else { return nil }
        if session.isAnimating(at: now) || ready.contains(where: { $0.frames.showsMotion }) {
            invalidate()
        }
        let starts = ready.compactMap { member in
            member.frames.start(hasContent: session.hasContent, at: now).map { (member, $0) }
        }
        guard let start = starts.map(\.1).max() else { return nil }
        guard start <= now else { return start }
        paint(starts.map(\.0), start: start, at: FramePacing.moment(of: start, at: now))
        return nil
    }

    private func paint(_ windows: [WindowController], start: Moment, at planned: Moment) {
        guard let first = windows.first else { return }
        let moment = max(planned, members.map(\.latest).max() ?? planned)
        guard let frame = first.nextFrame(at: moment) else { return }
        let isAnimating = first.session.isAnimating(at: moment)
        for window in windows {
            guard let part = part(of: window), let scale = window.window?.state?.scale else {
                continue
            }
            var frame = frame
            frame.scene = frame.scene.part(part, scale: scale)
            window.show(frame, isAnimating: isAnimating, start: start, at: moment)
        }
    }
}
