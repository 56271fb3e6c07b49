import CLinux
import Geometry
import Glibc
import TestKit
import Testing

/// A finger in mutter, and the window of the viewer that it touches.
///
/// The viewer is run once per element of `runs`, one run after the other. Points are relative to the
/// window, in logical pixels.
final class MutterHand {
    private let session: CompositorSession
    private let process: RunningProcess
    private let size: Size
    private let commands: Int32
    private var commandCount = 0
    private(set) var run = 1
    private var trace: GrowingLines
    private var known: [TraceFrame] = []
    private var tree: GrowingLines
    private var interface: [TraceFrame] = []
    private var log: GrowingLines
    private var requests: [Substring] = []
    private let answers: GrowingLines
    private var answerCount = 0
    /// The window's position on the monitor; `findWindow` sets it.
    private(set) var origin = Point(x: 0, y: 0)

    /// The size of the window when it was last at rest.
    private var settledView = Size.zero

    /// How long to wait for an outcome, in seconds: long, because the machine may be busy.
    private static let patience = 8.0

    /// Starts the session.
    ///
    /// `chosen` are the addresses that the desktop's file chooser gives, one for each time it opens,
    /// relative to the folder of the pictures. `beside` are lines of a shell script that start other
    /// programs before the first run.
    init(
        _ session: CompositorSession, on size: Size, runs: [[String]], choosing chosen: [String],
        beside: String = ""
    ) {
        self.session = session
        self.size = size
        let folder = session.folder
        let starts = runs.enumerated().map { index, arguments in
            let run = index + 1
            let files = "--trace trace-\(run).txt --ui ui-\(run).txt"
            return """
                WAYLAND_DEBUG=client ./vitrine \(files) \(arguments.joined(separator: " ")) \
                    2>wayland-\(run).txt
                echo "code $?" >code-\(run).txt

                """
        }
        let addresses = chosen.map { "\"file://$PWD/\($0)\"" }.joined(separator: " ")
        _ = folder.file(
            "script.sh",
            """
            ./mutter-play <commands >answers.txt 2>player.txt &
            python3 portal answers calls.txt \(addresses) 9>ready.txt &
            for _ in $(seq 1200); do
                [ -s answers.txt ] && [ -s ready.txt ] && break
                sleep 0.025
            done
            \(beside)
            \(starts.joined())
            wait

            """)
        mkfifo(folder / "commands", 0o666)
        // Open for both directions, so that opening does not wait for the player.
        commands = open(folder / "commands", O_RDWR | O_CLOEXEC)
        (trace, tree, log) = Self.files(of: 1, in: folder)
        answers = GrowingLines(folder / "answers.txt")
        process = RunningProcess(
            [
                "/bin/bash", Binaries.package + "/Tests/Programs/EndToEndTests/Support/session",
                "mutter", "\(Int(size.width))x\(Int(size.height))", folder.path, "bash",
                "script.sh",
            ], environment: ["PATH=" + String(cString: getenv("PATH"))],
            errors: folder / "errors.txt", passing: STDERR_FILENO)
    }

    deinit {
        // The session ends its processes by itself when it is terminated.
        process.terminate()
        for _ in 0..<200 where process.exitCode == nil { usleep(25_000) }
        close(commands)
    }

    /// The trace, the interface and the log of the protocol of a run.
    private static func files(of run: Int, in folder: TemporaryFolder)
        -> (GrowingLines, GrowingLines, GrowingLines)
    {
        (
            GrowingLines(folder / "trace-\(run).txt"), GrowingLines(folder / "ui-\(run).txt"),
            GrowingLines(folder / "wayland-\(run).txt")
        )
    }

    // MARK: What the viewer shows

    /// The frames of this run.
    var frames: [TraceFrame] {
        known += TraceFrame.all(trace.next().joined(separator: "\n"))
        return known
    }

    /// The last frame of this run; without fields before the first one.
    var last: TraceFrame { frames.last ?? TraceFrame.all("{}")[0] }

    /// The size of the window.
    var view: Size {
        let numbers = last.numbers("view")
        return numbers.count > 1 ? Size(width: numbers[0], height: numbers[1]) : .zero
    }

    /// The widgets of the last interface, each with its own fields.
    var widgets: [TraceFrame] {
        if let line = tree.next().last {
            let fields = line.split(separator: "{\"role\":").map { "{\"role\":" + $0 }
            interface = TraceFrame.all(fields.joined(separator: "\n"))
        }
        return interface
    }

    /// A widget that can be pressed, by its command or its name.
    func widget(_ name: String) -> TraceFrame? {
        let found = widgets.filter {
            ($0.text("command") == name || $0.text("name") == name)
                && $0.line.contains("\"focusable\"")
        }
        // A part of an open menu may have the name of the filmstrip.
        return found.first { $0.text("role") != "list" } ?? found.first
    }

    /// The lines of the protocol's log about fingers and the window that have a text, such as the name
    /// of a request.
    func messages(_ text: String) -> [Substring] {
        requests += log.next().filter { $0.contains("wl_touch") || $0.contains("xdg_toplevel") }
        return requests.filter { $0.contains(text) }
    }

    /// What the viewer of this run printed at its end; nil while it runs.
    var end: String? { TestFile.text(session.folder / "code-\(run).txt") }

    /// Waits until a condition holds; fails the test if it never does.
    func wait(
        _ outcome: String, at location: SourceLocation = #_sourceLocation,
        until condition: () -> Bool
    ) throws {
        guard !isTrue(within: Self.patience, condition) else { return }
        Issue.record(
            """
            not \(outcome): \(last.line) \(TestFile.text(session.folder / "player.txt") ?? "")
            \(messages(".down(").suffix(2).joined(separator: "\n"))
            """,
            sourceLocation: location)
        throw Unreached()
    }

    /// Waits until the last frame is at rest and has an outcome.
    func settle(
        _ outcome: String, at location: SourceLocation = #_sourceLocation,
        _ condition: (TraceFrame) -> Bool
    ) throws {
        try wait(outcome, at: location) {
            let frame = last
            return frame.phase == "idle" && condition(frame)
        }
        // mutter needs some time to show a window of another size, and since 50 moves it there.
        if view != settledView { rest(milliseconds: 500) }
        settledView = view
    }

    private func isTrue(within seconds: Double, _ condition: () -> Bool) -> Bool {
        for _ in 0..<Int(seconds * 200) {
            if condition() { return true }
            usleep(5000)
        }
        return condition()
    }

    struct Unreached: Error {}

    // MARK: The finger

    private func send(_ event: String) {
        commandCount += 1
        let bytes = Array("\(event)\n".utf8)
        _ = write(commands, bytes, bytes.count)
        // The player answers once it is ready, and after each event.
        _ = isTrue(within: Self.patience) {
            answerCount += answers.next().count
            return answerCount > commandCount
        }
    }

    /// Where the window is now: a window as large as the monitor covers the monitor.
    private var corner: Vector { view == size ? .zero : origin - .zero }

    func touch(_ point: Point) {
        let place = point + corner
        send("touch down 0 \(place.x) \(place.y)")
    }

    func move(to point: Point) {
        let place = point + corner
        send("touch move 0 \(place.x) \(place.y)")
    }

    func lift() { send("touch up 0") }

    func movePointer(to point: Point) {
        let place = point + corner
        send("pointer move \(place.x) \(place.y)")
    }

    func holdButton(_ isDown: Bool) { send("pointer button left \(isDown ? "down" : "up")") }

    func rest(milliseconds: UInt32) { usleep(milliseconds * 1000) }

    /// Taps, and returns whether the tap was as short in the viewer as it was here.
    ///
    /// Events have the time at which mutter handles them, so that a tap on a busy machine may arrive as
    /// a long press. Such taps are repeated.
    @discardableResult
    func tap(_ point: Point) -> Bool {
        let count = messages(".up(").count
        touch(point)
        rest(milliseconds: 30)
        lift()
        guard isTrue(within: 1, { messages(".up(").count > count }),
            let down = Self.numbers(of: messages(".down(").last),
            let up = Self.numbers(of: messages(".up(").last), down.count > 1, up.count > 1
        else { return false }
        return up[1] - down[1] < Self.longestTap
    }

    /// In milliseconds; less than the time of a long press.
    private static let longestTap = 400.0

    /// Taps until an outcome; only taps that were too long are repeated.
    private func insist(
        on point: Point, _ outcome: String, at location: SourceLocation,
        until condition: (TraceFrame) -> Bool
    ) throws {
        for _ in 0..<8 {
            let isShort = tap(point)
            if isShort || isTrue(within: 0.5, { condition(last) }) { break }
            // A long press has opened the menu.
            if last.showsMenu { tap(Point(x: 4, y: view.height / 2)) }
        }
        try settle(outcome, at: location, condition)
    }

    /// Taps twice in quick succession; repeats the taps if they arrived too slowly.
    func doubleTap(_ point: Point) {
        for _ in 0..<8 {
            let before = messages(".down(").count
            let isShort = tap(point) && tap(point)
            let times = messages(".down(").dropFirst(before).compactMap { Self.numbers(of: $0)?[1] }
            if isShort, times.count == 2, times[1] - times[0] < 200 { break }
            rest(milliseconds: 400)
        }
    }

    /// Drags from `start`, as the compositor sees it: the request that begins the drag comes first.
    func drag(from start: Point, by delta: Vector, once request: String) throws {
        let before = messages(request).count
        touch(start)
        rest(milliseconds: 30)
        // A movement past the slop; the compositor takes the drag over from where it began.
        let steps = 8
        var step = 1
        while step <= steps {
            move(to: start + delta * (Double(step) / Double(steps)))
            rest(milliseconds: 20)
            if step == 1 { try wait("requested \(request)") { messages(request).count > before } }
            step += 1
        }
    }

    /// Taps the middle of a widget, and waits for the outcome.
    ///
    /// The bars over a picture are shown first.
    func press(
        _ name: String, _ outcome: String, at location: SourceLocation = #_sourceLocation,
        until condition: (TraceFrame) -> Bool
    ) throws {
        try showBars(at: location)
        try wait("a button \(name)", at: location) { widget(name)?.rect != nil }
        guard let rect = widget(name)?.rect else { return }
        try insist(on: rect.center, "\(name): \(outcome)", at: location, until: condition)
    }

    /// Shows the bars over a picture by a tap on the picture, unless they are shown.
    func showBars(at location: SourceLocation = #_sourceLocation) throws {
        guard last.text("mode") == "viewer", !last.showsChrome else { return }
        let middle = Point(x: view.width / 2, y: view.height / 2)
        try insist(on: middle, "bars after a tap", at: location) { $0.showsChrome }
    }

    // MARK: The window

    /// Waits for the window and finds its position, by taps at a point of the monitor.
    ///
    /// The touchscreen appears with the first touch, which mutter drops, and mutter moves a new window
    /// for a while. So the same position counts twice.
    func findWindow(tapping point: Point) throws {
        try wait("a window") { last.phase == "idle" }
        origin = Point(x: 0, y: 0)
        var known: Point?
        for _ in 0..<30 {
            let before = messages(".down(").count
            tap(point)
            _ = isTrue(within: 0.3) { messages(".down(").count > before }
            let touches = messages(".down(")
            guard touches.count > before, let place = Self.place(of: touches.last) else { continue }
            let found = point - place
            let position = Point(x: found.dx, y: found.dy)
            if known == position {
                origin = position
                return
            }
            known = position
            rest(milliseconds: 150)
        }
        Issue.record(
            """
            no touch arrives at \(point): \(last.line) \(TestFile.text(session.folder / "player.txt") ?? "")
            \(messages(".").suffix(3).joined(separator: "\n"))
            """)
        throw Unreached()
    }

    /// Expects the window at another position, after it was moved or resized by a finger.
    func expectMoved(by delta: Vector) { origin = origin + delta }

    /// Taps the middle of the window and expects the touch there.
    func expectPlace(at location: SourceLocation = #_sourceLocation) throws {
        let point = Point(x: (view.width / 2).rounded(), y: (view.height / 2).rounded())
        let before = messages(".down(").count
        tap(point)
        try wait("a touch in the window", at: location) { messages(".down(").count > before }
        let place = Self.place(of: messages(".down(").last)
        #expect(place == point, "the window is not where it is expected", sourceLocation: location)
        rest(milliseconds: 350)
    }

    /// The point of the window that a touch had, by a line of the protocol's log.
    static func place(of down: Substring?) -> Point? {
        guard let numbers = numbers(of: down), numbers.count >= 5 else { return nil }
        return Point(x: numbers[numbers.count - 2], y: numbers[numbers.count - 1])
    }

    /// The numbers among the arguments of a message of the protocol's log.
    private static func numbers(of message: Substring?) -> [Double]? {
        message?.split(separator: "(").last?.split { ", )".contains($0) }.compactMap { Double($0) }
    }

    /// Goes on with the next run of the viewer, after the end of this one.
    func followNextRun() throws {
        try wait("an end") { end != nil }
        run += 1
        (trace, tree, log) = Self.files(of: run, in: session.folder)
        (known, interface, requests) = ([], [], [])
    }
}
