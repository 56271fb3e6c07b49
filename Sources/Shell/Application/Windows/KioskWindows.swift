import EventLoop
import Kiosk
import Localization
import Motion
import SceneModel
import WaylandClient

/// What a run knows of the outputs of a kiosk.
private struct OutputWatch {
    /// Whether the windows may not fit the outputs any more.
    var hasChanged = false
    /// Whether an output was there before.
    var hasSeenOutput = false
    /// Deadline for outputs that the compositor has not described yet.
    private(set) var patience: Moment?
    /// The named outputs that were missed last.
    var missing: Set<String> = []

    /// The time until that deadline, in milliseconds.
    private static let longestWait = 1000.0

    mutating func begin(at moment: Moment) {
        patience = moment.advanced(byMilliseconds: Self.longestWait)
        (hasChanged, hasSeenOutput) = (true, false)
    }

    mutating func endPatience() { (patience, hasChanged) = (nil, true) }
}

/// The windows of a kiosk, one on each of its outputs.
final class KioskWindows {
    private unowned let run: WaylandRun
    private let sessionFactory: SessionFactory
    private var outputs = OutputWatch()
    /// The windows that show parts of one picture; nil before the first of their outputs is there.
    private(set) var canvas: CanvasRun?
    /// Whether somebody uses the devices elsewhere, by the numbers of the seats.
    private var presences: [Int: SeatPresence] = [:]
    /// Whether the compositor tells idle times by input alone.
    private var ignoresIdleInhibitors = false

    /// The most windows and places that are remembered.
    private static let mostWindows = 16

    init(_ run: WaylandRun, _ sessionFactory: SessionFactory) {
        (self.run, self.sessionFactory) = (run, sessionFactory)
        _ = run.sources.add(deadline: { [unowned self] in outputs.patience }) { [unowned self] in
            outputs.endPatience()
        }
        followOutputs()
    }

    private var connection: Connection { run.compositor.connection }

    /// Begins to open and close windows as outputs come and go.
    func followOutputs() {
        connection.onOutputs = { [weak self] in self?.outputs.hasChanged = true }
        outputs.begin(at: run.clock())
        followPresence()
    }

    /// Notes that other outputs may show pictures.
    func settingsChanged() { outputs.hasChanged = true }

    // MARK: Presence

    /// Learns when the devices of the kiosk are used elsewhere, where the compositor tells that.
    private func followPresence() {
        presences = [:]
        let ignoresIdleInhibitors = connection.watchIdleness(timeout: SeatPresence.timeout) {
            [weak self] seat, isIdle in self?.note(seat, isIdle: isIdle)
        }
        self.ignoresIdleInhibitors = ignoresIdleInhibitors ?? false
    }

    private func note(_ seat: Int, isIdle: Bool) {
        var presence = presences[seat] ?? SeatPresence()
        presence.ignoresIdleInhibitors = ignoresIdleInhibitors
        if isIdle {
            presence.idled(at: run.clock())
        } else {
            presence.resumed(at: run.clock())
        }
        presences[seat] = presence
    }

    /// Notes that a window has received input of a seat.
    func noticeInput(of seat: Int) { presences[seat]?.received(at: run.clock()) }

    /// When somebody last used the devices elsewhere; nil for never.
    func lastInputElsewhere(at now: Moment) -> Moment? {
        presences.values.compactMap { $0.lastInputElsewhere(at: now) }.max()
    }

    // MARK: Windows

    /// Opens windows on the outputs of a kiosk that have none, and closes those whose output has gone.
    func arrange() throws(ConnectionError) {
        guard outputs.hasChanged else { return }
        let known = connection.outputs.filter(\.isKnown)
        guard known.count == connection.outputs.count || outputs.patience == nil else { return }
        outputs.endPatience()
        outputs.hasChanged = false
        if !known.isEmpty { outputs.hasSeenOutput = true }
        let wanted = run.options.kioskOutputs(of: known.map(\.label)).map { known[$0] }
        for window in run.windows where !isOnOutput(window, of: wanted) { window.close() }
        if !outputs.hasSeenOutput, !run.options.namesOutputs {
            // The compositor tells nothing about outputs.
            if run.first.window == nil || run.first.window?.isOn(connection) == false {
                try run.first.open(on: nil, connection)
            }
        }
        for output in wanted where !run.windows.contains(where: { $0.window?.output === output }) {
            try openWindow(on: output)
        }
        for window in run.windows where window.window == nil { window.rest() }
        canvas?.arrange()
        let shown = run.windows.filter { $0.window != nil }
        sessionFactory.share(among: Set(shown.map { ObjectIdentifier($0.session) }).count)
        reportMissing(known)
        if shown.isEmpty { run.remote?.noteMissingScreen() }
    }

    /// Whether a window is on one of these outputs, or was placed by the compositor.
    private func isOnOutput(_ controller: WindowController, of outputs: [Output]) -> Bool {
        guard let window = controller.window, window.isOn(connection) else { return false }
        return controller.place == nil || outputs.contains { $0 === window.output }
    }

    private func openWindow(on output: Output) throws(ConnectionError) {
        if run.options.values.kiosk.canvas.names.contains(output.label) {
            try canvasWindow(for: output.label)?.open(on: output, connection)
            return
        }
        if let placed = run.windows.first(where: { $0.window != nil && $0.place == nil }) {
            return placed.move(to: output)
        }
        let window = resting(for: output.label) ?? newWindow(for: output.label)
        try window?.open(on: output, connection)
    }

    /// A session without a window, for an output: the session that was on the output, else an unused one.
    private func resting(for output: String) -> WindowController? {
        let resting = run.windows.filter { $0.window == nil && $0.canvas == nil }
        if let known = resting.first(where: { $0.place == output || $0.place == nil }) {
            return resting.first { $0.place == output } ?? known
        }
        guard run.windows.count >= Self.mostWindows else { return nil }
        return resting.min { ($0.restsSince ?? .zero) < ($1.restsSince ?? .zero) }
    }

    /// The window of the canvas that was on an output, or a new one with the session of the others.
    private func canvasWindow(for output: String) -> WindowController? {
        let canvas = self.canvas ?? CanvasRun(run.options.values.kiosk.canvas, of: run)
        self.canvas = canvas
        if let known = canvas.members.first(where: { $0.place == output }) { return known }
        guard let first = canvas.members.first else {
            guard let window = resting(for: output) ?? newWindow(for: output) else { return nil }
            canvas.add(window)
            return window
        }
        do throws(RunFailure) {
            let window = try WindowController(first.session, of: run, isFirst: false)
            run.windows.append(window)
            canvas.add(window)
            return window
        } catch {
            Diagnostics.error(localized("output \(output.isolated): \(error.text)"))
            return nil
        }
    }

    private func newWindow(for output: String) -> WindowController? {
        guard run.windows.count < Self.mostWindows else { return nil }
        do throws(RunFailure) {
            let session = try sessionFactory.another(run.options.adapted(to: output))
            let window = try WindowController(session, of: run, isFirst: false)
            run.windows.append(window)
            window.start()
            return window
        } catch {
            Diagnostics.error(localized("output \(output.isolated): \(error.text)"))
            return nil
        }
    }

    /// Says once which named outputs are not there.
    private func reportMissing(_ known: [Output]) {
        let missing = Set(run.options.namedOutputs).subtracting(known.map(\.label))
        defer { outputs.missing = missing }
        for name in missing.subtracting(outputs.missing).sorted() {
            let others = known.map(\.label.isolated).joined(separator: ", ")
            Diagnostics.warning(
                others.isEmpty
                    ? localized("there is no output \(name.isolated)")
                    : localized("there is no output \(name.isolated); there are \(others)"))
        }
    }
}
