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

    static let tablet = BenchSuite(name: "tablet") { FrameBench.live(on: .tablet) }
}

/// What frames in motion are like at 2560×1600 and 60 Hz, with the viewer as it is released: on
/// the virtual clock, and in a window of the test compositor.
enum FrameBench {
    /// What the viewer runs on.
    enum Machine: String {
        /// All that there is here.
        case desk = "here"
        /// One processor, of which it gets every other two milliseconds.
        case tablet = "on half a processor"
    }

    private static let size = PixelSize(width: 2560, height: 1600)
    private static let period = 1000.0 / 60
    /// What the compositor takes of a period for itself, in milliseconds.
    private static let latch = 3.0
    /// In seconds.
    private static let length = 30.0

    private static let reference = Figure.Reference(name: "a period of 60 Hz", value: period)

    private static func figure(
        _ name: String, _ milliseconds: Double, bar: Double
    ) -> Figure {
        Figure(
            name: name, value: milliseconds, unit: "ms", reference: reference,
            ratio: milliseconds / period, bar: bar)
    }

    // MARK: What is played

    /// Two fingers spread and close, one pans and flings, again and again, with a sample every 7.3 ms
    /// so that samples and frames meet at every phase.
    private static let script: String = {
        var lines: [String] = []
        var time = 500.0
        func say(_ text: String) {
            lines.append("\((time * 1000).rounded() / 1000) \(text)")
        }
        func move(_ duration: Double, _ places: (Double) -> [(x: Double, y: Double)]) {
            let steps = Int(duration / 7.3)
            for step in 0...steps {
                let places = places(Double(step) / Double(steps))
                for (id, place) in places.enumerated() {
                    say("touch \(step == 0 ? "down" : "move") \(id) \(place.x) \(place.y)")
                }
                say("touch frame")
                time += 7.3
            }
            for id in places(1).indices { say("touch up \(id)") }
            say("touch frame")
        }
        while time < length * 1000 {
            move(900) { part in
                let reach = 120 + 500 * part
                return [(1280 - reach, 780), (1280 + reach, 830)]
            }
            move(700) { [(1500 - 700 * $0, 900 - 300 * $0)] }
            time += 600
            // It is let go at speed.
            move(220) { [(700 + 900 * $0 * $0, 500 + 500 * $0 * $0)] }
            time += 900
            move(900) { part in
                let reach = 620 - 440 * part
                return [(1280 - reach, 780), (1280 + reach, 830)]
            }
            time += 500
        }
        return lines.joined(separator: "\n") + "\n\(time + 500) end\n"
    }()

    private static func picture(in folder: TemporaryFolder) -> String {
        folder.file("photo.jpg", TestPicture.photograph(6000, 4000).jpeg(quality: 90))
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
        // What is painted in time for a compositor that takes it when this one does.
        let late = paints.count { $0 > period - latch }
        return [
            Figure(
                name: "late frames of a motion, headless", value: Double(late), unit: "",
                reference: .init(name: "all frames", value: Double(paints.count)),
                ratio: Double(late) / Double(max(paints.count, 1)), bar: 0),
            figure("paint of a frame in motion, headless: median", paints.part(0.5), bar: 0.5),
            figure(
                "paint of a frame in motion, headless: 99.9 %", paints.part(0.999),
                bar: 0.82),
        ]
    }

    // MARK: In a window

    static func live(on machine: Machine) -> [Figure] {
        let folder = TemporaryFolder()
        var setup = Setup()
        setup.outputSize = size
        setup.latch = latch
        setup.looksAtPixels = false
        let trace = GrowingTrace(folder / "trace.txt")
        guard let compositor = try? TestCompositor(setup),
            let socket = try? compositor.socketForClient()
        else { return [] }
        let pin = machine == .tablet ? ["/usr/bin/taskset", "-c", "0"] : []
        let viewer = RunningProcess(
            pin + [Binaries.vitrine, "--fullscreen", "--trace", folder / "trace.txt"]
                + [picture(in: folder)],
            environment: ["WAYLAND_SOCKET=9", "XDG_RUNTIME_DIR=\(folder.path)", "LANG=C.UTF-8"],
            errors: folder / "errors.txt", passing: socket)
        close(socket)
        compositor.run(seconds: 20) { trace.frames.last?.numbers("image").count == 2 }
        compositor.run(seconds: 2)
        let hindrance = machine == .tablet ? Hindrance(viewer) : nil
        _ = try? compositor.play(script)
        compositor.run(seconds: 2)
        hindrance?.end()
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
        // From each frame that had to follow the one before directly.
        let steps = zip(zip(painted.dropFirst(), shown.dropFirst()), shown)
            .filter { $0.0.0.number("held_ms") != nil }
            .map { $0.0.1.seconds(since: $0.1) * 1000 }
        let name = "live, \(machine.rawValue): "
        var figures = [
            figure(name + "input to commit, median", ages.part(0.5), bar: 0.5),
            figure(name + "input to commit, 99 %", ages.part(0.99), bar: 1),
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

/// Stops a process for every other two milliseconds, as a processor of half the speed would.
private final class Hindrance: Sendable {
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
    /// The value that so large a part of them does not exceed.
    fileprivate func part(_ part: Double) -> Double {
        isEmpty ? .nan : sorted()[Swift.min(Int(Double(count) * part), count - 1)]
    }
}
