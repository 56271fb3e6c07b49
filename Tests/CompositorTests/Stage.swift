import CompositorKit
import Geometry
import Glibc
import TestKit
import Testing

/// All that needs a running viewer, one after the other: the tests play gestures in real time.
@Suite(.serialized) enum LiveTests {}

/// The viewer as it is released, in a window of the test compositor.
final class Stage {
    let compositor: TestCompositor
    let viewer: RunningProcess
    let folder = TemporaryFolder()
    private let picture: String

    /// Starts the viewer with these options and one picture.
    init(
        _ setup: Setup = Setup(), options: [String] = [],
        picture: TestPicture = .card(320, 200)
    ) throws {
        compositor = try TestCompositor(setup)
        self.picture = folder.file("card.png", picture.png())
        let socket = try compositor.socketForClient()
        defer { Glibc.close(socket) }
        viewer = RunningProcess(
            [Binaries.vitrine, "--trace", folder / "trace.txt"] + options + [self.picture],
            environment: ["WAYLAND_SOCKET=9", "XDG_RUNTIME_DIR=\(folder.path)", "LANG=C.UTF-8"],
            errors: folder / "errors.txt", passing: socket)
    }

    /// What the viewer has written to standard error.
    var errors: String { TestFile.text(folder / "errors.txt") ?? "" }

    /// Starts the viewer and lets it show its picture.
    static func shown(
        _ setup: Setup = Setup(), options: [String] = [],
        picture: TestPicture = .card(320, 200)
    ) throws -> Stage {
        let stage = try Stage(setup, options: options, picture: picture)
        try stage.untilShown()
        return stage
    }

    /// The only window.
    var window: TestWindow { get throws { try #require(compositor.window) } }
    var surface: TestSurface { get throws { try window.surface } }

    var trace: [TraceFrame] { TraceFrame.all(TestFile.text(folder / "trace.txt") ?? "") }

    /// Whether the picture is on the surface and nothing moves.
    var isAtRest: Bool {
        let trace = trace
        guard let last = trace.last, let surface = compositor.surface else { return false }
        // A frame may be in the trace that is still on its way to the surface.
        let painted = trace.count { $0.number("paint_ms") != nil }
        return last.numbers("image").count == 2 && last.text("phase") == "idle"
            && surface.commits.count == painted
    }

    func untilShown() throws {
        let isShown = compositor.run {
            viewer.exitCode != nil || compositor.surface?.isMapped == true && isAtRest
        }
        try #require(isShown && viewer.exitCode == nil, "\(errors) \(trace.last?.line ?? "")")
    }

    /// Plays a script, and waits for what it has set in motion.
    func play(_ script: String) throws {
        try compositor.play(script)
        compositor.run(seconds: 0.05)
        #expect(compositor.run { viewer.exitCode != nil || isAtRest })
    }

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
