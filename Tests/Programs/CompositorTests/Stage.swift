import CompositorKit
import Geometry
import Glibc
import Motion
import StallingFileSystem
import TestKit
import Testing
import ViewerKit

/// Tests of a running viewer, to which gestures are played.
@Suite enum LiveTests {}

/// The viewer in a window of the test compositor.
final class Stage {
    /// How the viewer runs.
    enum Place {
        /// In this process, on a manual clock: for everything that a user does.
        case here
        /// As the program, in real time: for exit codes, messages, folders that change, threads, and
        /// the use of processors and memory.
        case program
    }

    let compositor: TestCompositor
    /// The clock of a viewer in this process.
    let time = ManualTime()
    private var client: SteppedClient?
    private var running: RunningProcess?
    /// Shows the pictures if the test stalls them.
    private var mount: StallingFileSystem?
    /// Measures a program for the tables of faults.
    private var meter: TurnMeter?
    let folder = TemporaryFolder()
    /// The paths of the pictures: card.png, card-2.png and so on.
    let pictures: [String]
    /// The time limit for the slowest motion on a busy machine, in seconds.
    private static let timeLimit = 30.0
    private let growing: GrowingTrace
    private var hand = Hand()

    /// 320 × 200, half of the usual window in each direction.
    static let small = TestPicture.card(320, 200).png()
    /// 1600 × 1000, which fits into the usual window at 0.4.
    static let large = TestPicture.card(1600, 1000).png()

    /// Most tests must depend neither on the speed of the machine nor on refinement at rest, and know
    /// the places of the cells in a grid without a header.
    private static let standard = [
        "--set", "frames.adaptive_resolution=false", "--set", "frames.rest=plain",
        "--set", "grid.header=false",
    ]

    /// Starts the viewer with options and with pictures, given as the bytes of their files.
    ///
    /// `onGrid`, the viewer gets the folder of the pictures as its argument. With `stalling`, the pictures
    /// are on a file system that may stall from the start of the program on. The program gets the socket
    /// `inheriting` as a service manager passes it on.
    init(
        _ setup: Setup = Setup(), in place: Place = .here, options: [String] = [],
        pictures: [[UInt8]] = [Stage.small], onGrid: Bool = false, stateFolder: String? = nil,
        environment: [String] = [], inheriting: Int32? = nil,
        stalling: ((StallingFileSystem) -> Void)? = nil,
        prepare: (TestCompositor) -> Void = { _ in }
    ) throws {
        compositor = try TestCompositor(setup, time: place == .here ? time.timekeeper : .real)
        let folder = folder
        folder.folder("album")
        // The file system shows the pictures from a folder beside.
        let source = stalling == nil ? folder.path : folder / "source"
        for name in ["source", "source/album"] { folder.folder(name) }
        self.pictures = pictures.enumerated().map { index, bytes in
            let name = Self.name(index, onGrid: onGrid, isMounted: stalling != nil)
            TestFile.write(bytes, to: source + "/" + name)
            return folder / name
        }
        if let stalling {
            let mount = try StallingFileSystem(of: source + "/album", at: folder / "album")
            self.mount = mount
            stalling(mount)
        }
        growing = GrowingTrace(folder / "trace.txt")
        prepare(compositor)
        let arguments =
            ["--trace", folder / "trace.txt"] + Self.standard + options
            + (onGrid ? [folder / "album"] : self.pictures)
        switch place {
        case .here:
            client = try SteppedClient(
                arguments, on: compositor, time, cacheFolder: folder / "cache",
                stateFolder: stateFolder)
        case .program:
            if FaultRecord.isWanted { meter = TurnMeter(folder / "turns") }
            running = try run(
                arguments, meter?.environment(with: environment) ?? environment, inheriting)
        }
    }

    deinit {
        // A program that waits for the file system would not end.
        mount?.release()
        running = nil
        mount = nil
    }

    private func run(
        _ arguments: [String], _ environment: [String], _ inherited: Int32?
    ) throws -> RunningProcess {
        let socket = try compositor.socketForClient()
        defer { Glibc.close(socket) }
        return RunningProcess(
            (inherited == nil ? [] : Self.manager) + [Binaries.vitrine] + arguments,
            // The first one of two values counts.
            environment: environment + [
                "WAYLAND_SOCKET=9", "XDG_RUNTIME_DIR=\(folder.path)", "LANG=C.UTF-8",
                "XDG_CACHE_HOME=\(folder.path)/cache", "XDG_DATA_HOME=\(folder.path)/data",
            ],
            errors: folder / "errors.txt", passing: socket, listening: inherited)
    }

    /// A shell that starts a program as a service manager does: the process number stays.
    private static let manager = [
        "/bin/sh", "-c", "export LISTEN_PID=$$ LISTEN_FDS=1; exec \"$@\"", "sh",
    ]

    /// On the grid the names are numbers of two digits.
    private static func name(_ index: Int, onGrid: Bool, isMounted: Bool) -> String {
        if onGrid { return "album/" + (index < 10 ? "0" : "") + "\(index).png" }
        return (isMounted ? "album/" : "") + (index == 0 ? "card.png" : "card-\(index + 1).png")
    }

    /// Starts the viewer and lets it show its first picture.
    static func shown(
        _ setup: Setup = Setup(), in place: Place = .here, options: [String] = [],
        pictures: [[UInt8]] = [Stage.small], onGrid: Bool = false, stateFolder: String? = nil,
        environment: [String] = [], inheriting: Int32? = nil
    ) throws -> Stage {
        let stage = try Stage(
            setup, in: place, options: options, pictures: pictures, onGrid: onGrid,
            stateFolder: stateFolder, environment: environment, inheriting: inheriting)
        try stage.untilShown()
        return stage
    }

    // MARK: State

    /// The file system of a stage that may stall.
    var files: StallingFileSystem { get throws { try #require(mount) } }
    /// The program.
    var program: RunningProcess { get throws { try #require(running) } }
    /// The exit code of the viewer, once it has ended.
    var exitCode: Int32? { running?.exitCode ?? client?.exitCode }

    /// The longest turn of the loop of a viewer in this process, in milliseconds of real time.
    var longestTurn: Double { client?.longestTurn ?? 0 }

    /// The longest turn of a program's loop since the last call in milliseconds, without the waits for a
    /// processor; 0 unless tables are made.
    func takeLongestTurn() -> Double { meter?.takeLongest() ?? 0 }

    /// The standard error output of the program.
    var errors: String {
        SandboxSupport.withoutNotice(TestFile.text(folder / "errors.txt") ?? "")
    }

    /// The only window.
    var window: TestWindow { get throws { try #require(compositor.window) } }
    var surface: TestSurface { get throws { try window.surface } }

    /// The frames so far.
    var trace: [TraceFrame] { growing.frames }
    /// The frames that were painted, one for each commit.
    var painted: [TraceFrame] { growing.frames.filter { $0.number("paint_ms") != nil } }
    /// The frame on the surface.
    var last: TraceFrame { get throws { try #require(growing.frames.last) } }

    /// The number of releases that dismissed the picture.
    var dismissals: Int { trace.count { $0.isDismissed } }

    /// Whether the picture is on the surface and nothing moves.
    var isAtRest: Bool {
        guard let last = growing.frames.last, last.showsGrid || last.numbers("image").count == 2,
            last.phase == "idle", let surface = compositor.surface
        else { return false }
        // The last frame of the trace may not have reached the compositor yet.
        return surface.commits.count == growing.painted
    }

    /// Whether the viewer waits for no frame callback, and all painted frames were committed.
    private var isQuiet: Bool {
        guard let surface = compositor.surface else { return false }
        return !surface.awaitsFrame && surface.commits.count == growing.painted
    }

    // MARK: Waiting

    func untilShown() throws {
        let isShown = compositor.run(seconds: Self.timeLimit) {
            exitCode != nil || compositor.surface?.isMapped == true && isAtRest
        }
        try #require(isShown && exitCode == nil, "\(errors) \(trace.last?.line ?? "")")
    }

    /// Waits until the last frame satisfies `condition`.
    func until(
        sourceLocation: SourceLocation = #_sourceLocation, _ condition: (TraceFrame) -> Bool
    ) {
        let isSo = compositor.run { growing.frames.last.map(condition) ?? false }
        #expect(isSo, "\(trace.last?.line ?? "")", sourceLocation: sourceLocation)
    }

    /// Waits until the viewer has shown the effect of all its input, and nothing moves any more.
    ///
    /// The viewer answers a ping after it has handled all previous input and painted the frame that
    /// was due. If it waits for a frame callback, it paints after the callback, and up to a period
    /// later if it holds frames back.
    func untilSeen(sourceLocation: SourceLocation = #_sourceLocation) {
        let start = compositor.now
        var isSeen = false
        while !isSeen, compositor.now.seconds(since: start) < Self.timeLimit {
            compositor.run { exitCode != nil || isQuiet }
            let count = compositor.surface?.commits.count
            untilAnswered()
            // The viewer has received the last frame callback; it may hold the next frame back.
            compositor.run(seconds: period)
            untilAnswered()
            isSeen =
                exitCode != nil || isQuiet && compositor.surface?.commits.count == count
        }
        #expect(isSeen, "\(trace.last?.line ?? "")", sourceLocation: sourceLocation)
    }

    private func untilAnswered() {
        compositor.ping()
        compositor.run { exitCode != nil || compositor.openPings.isEmpty }
    }

    /// The longest time that a frame is held back, in seconds.
    private var period: Double {
        if case .paced(let hertz) = compositor.setup.frames { 1.2 / hertz } else { 0 }
    }

    /// Waits in real time until the viewer awaits nothing, so that the clock may leap: a decoder
    /// whose answer is due would count as stalled.
    func untilDecoderRests() {
        for _ in 0..<500 where time.turn() != nil { usleep(2000) }
    }

    // MARK: Input

    /// Plays input, waits until its effect is shown, and returns the frames since the beginning.
    ///
    /// Fingers that were not lifted stay down for the next call.
    @discardableResult
    func play(
        by seat: TestSeat? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ hands: (inout Hand) -> Void
    ) -> [TraceFrame] {
        let count = trace.count
        hands(&hand)
        compositor.play(hand.finishScript(), by: seat)
        untilSeen(sourceLocation: sourceLocation)
        return Array(trace[count...])
    }

    /// Presses keys, one after another.
    func press(_ keys: String...) {
        play { hand in
            for key in keys {
                hand.key(key)
                hand.rest(400)
            }
        }
    }

    /// Plays a script, and waits until its effect is shown.
    func play(_ script: String) throws {
        try compositor.play(script)
        untilSeen()
    }

    // MARK: End

    /// Closes the window as a user does, and returns the exit code.
    func close() throws -> Int32? {
        try window.close()
        return untilEnded()
    }

    func untilEnded() -> Int32? {
        compositor.run { exitCode != nil }
        return exitCode
    }

    /// Whether nothing wakes up for so many seconds; on a busy machine decoders in the background answer
    /// late, so that there are ten attempts.
    func comesToRest(for seconds: Double = 1) throws -> Bool {
        try (0..<10).contains { _ in
            let wakeUps = try program.wakeUps
            compositor.run(seconds: seconds)
            return try program.wakeUps == wakeUps
        }
    }

    /// Closes the window, and expects exit code 0, no errors and no violations of the protocol.
    func expectGoodEnd(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try surface.checkHeld()
        #expect(try close() == 0, sourceLocation: sourceLocation)
        #expect(compositor.violations == [], sourceLocation: sourceLocation)
        #expect(errors == "", sourceLocation: sourceLocation)
    }
}
