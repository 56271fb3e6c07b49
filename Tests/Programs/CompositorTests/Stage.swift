import CompositorKit
import Geometry
import Glibc
import Motion
import TestKit
import Testing

/// All that needs a running viewer, which gestures are played to in real time.
@Suite enum LiveTests {}

/// The viewer as it is released, in a window of the test compositor.
final class Stage {
    let compositor: TestCompositor
    let viewer: RunningProcess
    let folder = TemporaryFolder()
    /// What it shows: the first is card.png, the others are card-2.png and so on.
    let pictures: [String]
    /// How long the slowest motion is waited for on a busy machine, in seconds.
    private static let patience = 30.0
    private let growing: GrowingTrace
    private var hand = Hand()

    /// 320 × 200, half of the usual window in each direction.
    static let small = TestPicture.card(320, 200).png()
    /// 1600 × 1000, which fits into the usual window at 0.4.
    static let large = TestPicture.card(1600, 1000).png()

    /// How slow the machine is has no part in what most tests see, nor what comes when it rests.
    private static let standard = [
        "--set", "frames.adaptive_resolution=false", "--set", "frames.rest=plain",
    ]

    /// Starts the viewer with these options and pictures, as bytes of files; or, `onGrid`, with the
    /// folder that they are in.
    init(
        _ setup: Setup = Setup(), options: [String] = [], pictures: [[UInt8]] = [Stage.small],
        onGrid: Bool = false
    ) throws {
        compositor = try TestCompositor(setup)
        let folder = folder
        folder.folder("album")
        self.pictures = pictures.enumerated().map { index, bytes in
            folder.file(Self.name(index, onGrid: onGrid), bytes)
        }
        growing = GrowingTrace(folder / "trace.txt")
        let socket = try compositor.socketForClient()
        defer { Glibc.close(socket) }
        viewer = RunningProcess(
            [Binaries.vitrine, "--trace", folder / "trace.txt"] + Self.standard + options
                + (onGrid ? [folder / "album"] : self.pictures),
            environment: [
                "WAYLAND_SOCKET=9", "XDG_RUNTIME_DIR=\(folder.path)", "LANG=C.UTF-8",
                "XDG_CACHE_HOME=\(folder.path)/cache",
            ],
            errors: folder / "errors.txt", passing: socket)
    }

    /// On the grid the names are numbers of two digits.
    private static func name(_ index: Int, onGrid: Bool) -> String {
        if onGrid { return "album/" + (index < 10 ? "0" : "") + "\(index).png" }
        return index == 0 ? "card.png" : "card-\(index + 1).png"
    }

    /// Starts the viewer and lets it show its first picture.
    static func shown(
        _ setup: Setup = Setup(), options: [String] = [], pictures: [[UInt8]] = [Stage.small],
        onGrid: Bool = false
    ) throws -> Stage {
        let stage = try Stage(setup, options: options, pictures: pictures, onGrid: onGrid)
        try stage.untilShown()
        return stage
    }

    // MARK: What there is to see

    /// What the viewer has written to standard error.
    var errors: String { TestFile.text(folder / "errors.txt") ?? "" }

    /// The only window.
    var window: TestWindow { get throws { try #require(compositor.window) } }
    var surface: TestSurface { get throws { try window.surface } }

    /// The frames by now.
    var trace: [TraceFrame] { growing.frames }
    /// Those of them that were painted: commit by commit.
    var painted: [TraceFrame] { growing.frames.filter { $0.number("paint_ms") != nil } }
    /// The frame on the surface.
    var last: TraceFrame { get throws { try #require(growing.frames.last) } }

    /// How often a release has dismissed the picture.
    var dismissals: Int { trace.count { $0.isDismissed } }

    /// Whether the picture is on the surface and nothing moves.
    var isAtRest: Bool {
        guard let last = growing.frames.last, last.showsGrid || last.numbers("image").count == 2,
            last.phase == "idle", let surface = compositor.surface
        else { return false }
        // A frame may be in the trace that is still on its way to the surface.
        return surface.commits.count == growing.painted
    }

    /// Whether the viewer has painted all that it wants to, if it has heard all.
    private var isQuiet: Bool {
        guard let surface = compositor.surface else { return false }
        return !surface.awaitsFrame && surface.commits.count == growing.painted
    }

    // MARK: Waiting

    func untilShown() throws {
        let isShown = compositor.run(seconds: Self.patience) {
            viewer.exitCode != nil || compositor.surface?.isMapped == true && isAtRest
        }
        try #require(isShown && viewer.exitCode == nil, "\(errors) \(trace.last?.line ?? "")")
    }

    /// Waits for a frame that is as wanted.
    func until(
        sourceLocation: SourceLocation = #_sourceLocation, _ condition: (TraceFrame) -> Bool
    ) {
        let isSo = compositor.run { growing.frames.last.map(condition) ?? false }
        #expect(isSo, "\(trace.last?.line ?? "")", sourceLocation: sourceLocation)
    }

    /// Waits until the viewer shows all that it was told, and moves nothing any more.
    ///
    /// It answers a ping when it has taken in what came before and has painted what was due; where a
    /// frame callback is out, it may only do so afterwards, and up to a period later where it holds
    /// frames back.
    func untilSeen(sourceLocation: SourceLocation = #_sourceLocation) {
        let start = compositor.now
        var isSeen = false
        while !isSeen, compositor.now.seconds(since: start) < Self.patience {
            compositor.run { viewer.exitCode != nil || isQuiet }
            let count = compositor.surface?.commits.count
            untilAnswered()
            // It has heard of the last frame's end by now, and may hold the next one back.
            compositor.run(seconds: period)
            untilAnswered()
            isSeen =
                viewer.exitCode != nil || isQuiet && compositor.surface?.commits.count == count
        }
        #expect(isSeen, "\(trace.last?.line ?? "")", sourceLocation: sourceLocation)
    }

    private func untilAnswered() {
        compositor.ping()
        compositor.run { viewer.exitCode != nil || compositor.openPings.isEmpty }
    }

    /// The longest that a frame is held back, in seconds.
    private var period: Double {
        if case .paced(let hertz) = compositor.setup.frames { 1.2 / hertz } else { 0 }
    }

    // MARK: Doing

    /// Does something by hand, and waits until it is all seen; the frames since it began.
    ///
    /// Fingers that were not lifted stay where they are.
    @discardableResult
    func play(
        by seat: TestSeat? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ hands: (inout Hand) -> Void
    ) -> [TraceFrame] {
        let count = trace.count
        hands(&hand)
        compositor.play(hand.takeScript(), by: seat)
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

    /// Plays a script, and waits for what it has set in motion.
    func play(_ script: String) throws {
        try compositor.play(script)
        untilSeen()
    }

    // MARK: The end

    /// Closes the window as a person does; what the program ends with.
    func close() throws -> Int32? {
        try window.close()
        return untilEnded()
    }

    func untilEnded() -> Int32? {
        compositor.run { viewer.exitCode != nil }
        return viewer.exitCode
    }

    /// Closes the window, and expects that all went well and by the rules.
    func expectGoodEnd(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try surface.checkHeld()
        #expect(try close() == 0, sourceLocation: sourceLocation)
        #expect(compositor.violations == [], sourceLocation: sourceLocation)
        #expect(errors == "", sourceLocation: sourceLocation)
    }
}
