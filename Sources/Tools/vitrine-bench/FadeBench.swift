import CompositorKit
import Geometry
import Glibc
import Motion
import Synchronization
import TestKit
import Threads

extension BenchSuite {
    static let fades = BenchSuite(name: "fades") {
        FadeBench.machines.flatMap { FadeBench.figures(on: $0) }
    }
}

/// Measures slideshows of photographs with 24 megapixels in a window of the test compositor, which
/// reports when each frame was on the screen: cross-fades and the slow pan and zoom, so that each frame
/// is painted whole, while the next picture is decoded.
enum FadeBench {
    struct Machine {
        var name: String
        var size: PixelSize
        /// Whether the viewer and its decoders have a single processor.
        var isPinned = false
        /// Whether they run for two of every four milliseconds.
        var isHalved = false
    }

    static let machines = [
        Machine(name: "3840×2160 on two processors", size: PixelSize(width: 3840, height: 2160)),
        Machine(
            name: "3840×2160 on one processor", size: PixelSize(width: 3840, height: 2160),
            isPinned: true),
        Machine(
            name: "1920×1080 on half a processor", size: PixelSize(width: 1920, height: 1080),
            isPinned: true, isHalved: true),
    ]

    private static let period = 1000.0 / 60
    /// The part of a period that the compositor needs, in milliseconds.
    private static let latch = 3.0
    /// Until then the governor learns the machine, in seconds.
    private static let lead = 12.0
    private static let options = [
        "--fullscreen", "--viewer", "--slideshow", "4", "--set", "slideshow.transition_time=1000",
        "--set", "slideshow.motion=pan-zoom",
    ]

    /// How long each machine plays, in seconds: `VITRINE_FADE_SECONDS`, or half a minute.
    private static var length: Double {
        getenv("VITRINE_FADE_SECONDS").flatMap { Double(String(cString: $0)) } ?? 30
    }

    static func figures(on machine: Machine) -> [Figure] {
        let folder = TemporaryFolder()
        var setup = Setup()
        setup.outputSize = machine.size
        setup.latch = latch
        setup.checksPixels = false
        let trace = GrowingTrace(folder / "trace.txt")
        let photograph = TestPicture.photograph(6000, 4000).jpeg(quality: 90, subsampled: true)
        let pictures = (0..<3).map { folder.file("\($0).jpg", photograph) }
        guard let compositor = try? TestCompositor(setup),
            let socket = try? compositor.socketForClient()
        else { return [] }
        let viewer = RunningProcess(
            (machine.isPinned ? ["/usr/bin/taskset", "-c", "0"] : [])
                + [Binaries.vitrine, "--trace", folder / "trace.txt"] + options + pictures,
            environment: ["WAYLAND_SOCKET=9", "XDG_RUNTIME_DIR=\(folder.path)", "LANG=C.UTF-8"],
            errors: folder / "errors.txt", passing: socket)
        close(socket)
        compositor.run(seconds: 20) { trace.frames.last?.numbers("image").count == 2 }
        let halving = machine.isHalved ? HalvedTree(viewer.number) : nil
        compositor.run(seconds: lead)
        let start = trace.painted
        compositor.run(seconds: length)
        halving?.end()
        let frames = trace.frames.filter { $0.number("paint_ms") != nil }
        compositor.window?.close()
        compositor.run(seconds: 5) { viewer.exitCode != nil }
        return figures(of: Array(frames.dropFirst(start)), on: machine)
    }

    private static func figures(of frames: [TraceFrame], on machine: Machine) -> [Figure] {
        let counts = frames.compactMap { $0.number("late_frames") }
        let late = (counts.last ?? 0) - (counts.first ?? 0)
        func figure(_ name: String, _ value: Double, _ unit: String) -> Figure {
            Figure(
                name: "slideshow, \(machine.name): \(name)", value: value, unit: unit,
                reference: .init(name: "a period of 60 Hz", value: period), ratio: value / period)
        }
        var figures = [
            Figure(
                name: "slideshow, \(machine.name): late frames", value: late, unit: "",
                reference: .init(name: "all frames", value: Double(frames.count)),
                ratio: late / Double(max(frames.count, 1)))
        ]
        for (name, isFade) in [("in a fade", true), ("between fades", false)] {
            let part = frames.filter { $0.line.contains("\"transition\"") == isFade }
            let times = part.compactMap { $0.number("paint_ms") }.sorted()
            let resolutions = part.compactMap { $0.number("resolution") }.sorted()
            guard !times.isEmpty, !resolutions.isEmpty else { continue }
            figures += [
                figure("paint \(name), median", times[times.count / 2], "ms"),
                figure("paint \(name), 99 %", times[times.count * 99 / 100], "ms"),
                Figure(
                    name: "slideshow, \(machine.name): resolution \(name), median",
                    value: resolutions[resolutions.count / 2], unit: "",
                    reference: .init(name: "all pixels", value: 1),
                    ratio: resolutions[resolutions.count / 2]),
            ]
        }
        return figures
    }
}

/// Stops a process and its descendants in every other interval of two milliseconds.
private final class HalvedTree: Sendable {
    private let isOver = Atomic(false)

    init(_ root: pid_t) {
        Thread.start { [self] in
            var (tree, age) = ([root], 0)
            while !isOver.load(ordering: .relaxed) {
                if age.isMultiple(of: 100) { tree = Self.descendants(of: root) }
                age += 1
                for process in tree { kill(process, SIGSTOP) }
                usleep(2000)
                for process in tree { kill(process, SIGCONT) }
                usleep(2000)
            }
        }
    }

    func end() { isOver.store(true, ordering: .relaxed) }

    private static func descendants(of root: pid_t) -> [pid_t] {
        var found = [root]
        var next = 0
        while next < found.count {
            let process = found[next]
            let text = TestFile.text("/proc/\(process)/task/\(process)/children") ?? ""
            found += text.split(separator: " ").compactMap { pid_t($0) }
            next += 1
        }
        return found
    }
}
