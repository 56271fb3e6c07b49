import CompositorKit
import Geometry
import Glibc
import Input
import Motion
import Synchronization
import TestKit
import Threads

extension BenchSuite {
    static let frames = BenchSuite(name: "frames") {
        FrameBench.headless() + FrameBench.live(on: .desk)
    }

    static let tablet = BenchSuite(name: "tablet") {
        FrameBench.live(on: .tablet) + FrameBench.live(on: .plainTablet)
    }
}

/// Measures frames in motion at 2560×1600 and 60 Hz with the release build of the viewer: on the
/// virtual clock, and in a window of the test compositor.
enum FrameBench {
    /// The machine that the viewer runs on.
    enum Machine: String {
        /// All processors of this machine.
        case desk = "here"
        /// One processor, available to the viewer in every other interval of two milliseconds.
        case tablet = "on half a processor"
        /// The same without AVX2.
        case plainTablet = "on half a processor without AVX2"
    }

    private static let size = PixelSize(width: 2560, height: 1600)
    private static let period = 1000.0 / 60
    /// The part of a period that the compositor needs, in milliseconds.
    private static let latch = 3.0
    /// The length of the script in seconds.
    private static let length = 30.0

    private static let reference = Figure.Reference(name: "a period of 60 Hz", value: period)

    private static func figure(
        _ name: String, _ milliseconds: Double, bar: Double
    ) -> Figure {
        Figure(
            name: name, value: milliseconds, unit: "ms", reference: reference,
            ratio: milliseconds / period, bar: bar)
    }

    // MARK: Script

    /// Repeats: two fingers spread and close, one finger pans and flings.
    ///
    /// A sample every 7.3 ms, so that samples and frames meet at every phase.
    private static let script: String = {
        var lines: [String] = []
        var time = 500.0
        func add(_ text: String) {
            lines.append("\((time * 1000).rounded() / 1000) \(text)")
        }
        func move(_ duration: Double, _ positions: (Double) -> [(x: Double, y: Double)]) {
            let steps = Int(duration / 7.3)
            for step in 0...steps {
                let positions = positions(Double(step) / Double(steps))
                for (id, position) in positions.enumerated() {
                    add("touch \(step == 0 ? "down" : "move") \(id) \(position.x) \(position.y)")
                }
                add("touch frame")
                time += 7.3
            }
            for id in positions(1).indices { add("touch up \(id)") }
            add("touch frame")
        }
        while time < length * 1000 {
            move(900) { progress in
                let distance = 120 + 500 * progress
                return [(1280 - distance, 780), (1280 + distance, 830)]
            }
            move(700) { [(1500 - 700 * $0, 900 - 300 * $0)] }
            time += 600
            // The finger lifts at speed.
            move(220) { [(700 + 900 * $0 * $0, 500 + 500 * $0 * $0)] }
            time += 900
            move(900) { progress in
                let distance = 620 - 440 * progress
                return [(1280 - distance, 780), (1280 + distance, 830)]
            }
            time += 500
        }
        return lines.joined(separator: "\n") + "\n\(time + 500) end\n"
    }()

    private static func picture(in folder: TemporaryFolder) -> String {
        folder.file(
            "photo.jpg", TestPicture.photograph(6000, 4000).jpeg(quality: 90, subsampled: true))
    }

    // MARK: On the virtual clock

    static func headless() -> [Figure] {
        let folder = TemporaryFolder()
        let result = Binaries.vitrine(
            [
                "--headless", "\(size.width)x\(size.height)", "--script",
                folder.file("script.txt", Array(script.utf8)), "--trace", "-", "--timings",
                picture(in: folder),
            ], seconds: 300)
        let paints = TraceFrame.all(result.output).compactMap { frame in
            frame.phase == "idle" ? nil : frame.number("paint_ms")
        }
        // A frame counts as late if it is not painted when the test compositor latches.
        let late = paints.count { $0 > period - latch }
        return [
            Figure(
                name: "late frames of a motion, headless", value: Double(late), unit: "",
                reference: .init(name: "all frames", value: Double(paints.count)),
                ratio: Double(late) / Double(max(paints.count, 1)), bar: 0),
            figure("paint of a frame in motion, headless: median", paints.quantile(0.5), bar: 0.5),
            figure(
                "paint of a frame in motion, headless: 99.9 %", paints.quantile(0.999),
                bar: 0.82),
        ]
    }

    // MARK: In a window

    static func live(on machine: Machine) -> [Figure] {
        let folder = TemporaryFolder()
        var setup = Setup()
        setup.outputSize = size
        setup.latch = latch
        setup.checksPixels = false
        let trace = GrowingTrace(folder / "trace.txt")
        guard let compositor = try? TestCompositor(setup),
            let socket = try? compositor.socketForClient()
        else { return [] }
        let pin = machine == .desk ? [] : ["/usr/bin/taskset", "-c", "0"]
        let instructions = machine == .plainTablet ? "simd" : "best"
        let viewer = RunningProcess(
            pin + [Binaries.vitrine, "--fullscreen", "--trace", folder / "trace.txt"]
                + ["--set", "frames.instructions=\(instructions)", picture(in: folder)],
            environment: ["WAYLAND_SOCKET=9", "XDG_RUNTIME_DIR=\(folder.path)", "LANG=C.UTF-8"],
            errors: folder / "errors.txt", passing: socket)
        close(socket)
        compositor.run(seconds: 20) { trace.frames.last?.numbers("image").count == 2 }
        compositor.run(seconds: 2)
        let throttle = machine == .desk ? nil : Throttle(viewer)
        _ = try? compositor.play(script)
        compositor.run(seconds: 2)
        throttle?.end()
        let before = viewer.wakeUps
        compositor.run(seconds: 10)
        let wakeUps = viewer.wakeUps - before
        let frames = trace.frames
        let shown = compositor.surface?.commits.compactMap(\.shown) ?? []
        compositor.window?.close()
        compositor.run(seconds: 5) { viewer.exitCode != nil }
        return figures(machine, frames, shown, wakeUps)
    }

    private static func figures(
        _ machine: Machine, _ frames: [TraceFrame], _ shown: [Moment], _ wakeUps: Int
    ) -> [Figure] {
        let painted = frames.filter { $0.number("paint_ms") != nil }
        let ages = painted.compactMap { $0.number("newest_input_to_commit_ms") }
        // The times between frames that had to follow each other directly.
        let steps = zip(zip(painted.dropFirst(), shown.dropFirst()), shown)
            .filter { $0.0.0.number("held_ms") != nil }
            .map { $0.0.1.seconds(since: $0.1) * 1000 }
        let name = "live, \(machine.rawValue): "
        var figures = [
            figure(name + "input to commit, median", ages.quantile(0.5), bar: 0.5),
            figure(name + "input to commit, 99 %", ages.quantile(0.99), bar: 1),
            figure(
                name + "frame to frame, mean", steps.reduce(0, +) / Double(max(steps.count, 1)),
                bar: 1.005),
        ]
        if machine == .desk {
            figures.append(
                Figure(
                    name: name + "wake-ups at rest, in 10 s", value: Double(wakeUps), unit: "",
                    reference: .init(name: "one a second", value: 10),
                    ratio: Double(wakeUps) / 10, bar: 0))
        }
        return figures
    }
}

/// Stops a process in every other interval of two milliseconds, which simulates a processor of half
/// the speed.
private final class Throttle: Sendable {
    private let isOver = Atomic(false)

    init(_ process: RunningProcess) {
        let number = process.number
        Thread.start { [self] in
            while !isOver.load(ordering: .relaxed) {
                kill(number, SIGSTOP)
                usleep(2000)
                kill(number, SIGCONT)
                usleep(2000)
            }
        }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
}

extension [Double] {
    /// The quantile: the value that the fraction `fraction` of the elements does not exceed.
    fileprivate func quantile(_ fraction: Double) -> Double {
        isEmpty ? .nan : sorted()[Swift.min(Int(Double(count) * fraction), count - 1)]
    }
}
