import CompositorKit
import Geometry
import Glibc
import Motion
import TestKit

extension BenchSuite {
    static let desktop = BenchSuite(name: "desktop") { DesktopBench().figures() }
}

/// Measures what settings, a session bus and a screen reader cost the viewer: start, memory and wake-ups
/// at rest, compared with those of a viewer that has none of them.
///
/// The bus has accessibility enabled, and the reader (`meson-helpers/measure/reader`) is there before the
/// viewer; it reads the whole interface once, and then rests with its listeners registered.
struct DesktopBench {
    private static let screen = PixelSize(width: 1920, height: 1080)
    private static let rounds = 9
    /// How long the desktop has before the start, how long the viewer settles after it was read, and how
    /// long wake-ups are counted, in seconds.
    private static let (pause, settling, rest) = (0.8, 2.0, 4.0)

    private struct Result {
        /// The time from the start to the commit of the picture, in milliseconds.
        var start: Double
        /// The proportional set size, and the private memory, in bytes.
        var (pss, own): (Double, Double)
        var wakeUps: Double
    }

    private let folder = TemporaryFolder()

    /// Some twenty values, as a person who likes to change things has them.
    private static let settings = """
        [viewer]
        enlarge = true
        swipe_up = "information"
        keep_zoom = true
        tap_sides = "touch"
        checkerboard = true

        [gestures]
        double_tap = "toggle"
        long_press = "information"

        [slideshow]
        interval = 8.0
        transition = "slide"
        transition_time = 500
        resume = 20
        order = "shuffle"
        clock = true
        progress = true

        [grid]
        columns = 6
        layout = "justified"

        [collection]
        sort = "modified"
        descending = true

        [keys]
        crop = "F7"
        rename = ["F2", "F9"]

        """

    func figures() -> [Figure] {
        let picture = folder.file(
            "picture.jpg",
            TestPicture.photograph(Self.screen.width, Self.screen.height).jpeg(quality: 90))
        for name in ["config", "config/vitrine", "empty", "bare", "full", "home"] {
            folder.folder(name)
        }
        _ = folder.file("config/vitrine/config.toml", Self.settings)
        let bus = startBus()
        var (bare, full) = ([Result](), [Result]())
        for round in 0...Self.rounds {
            guard bus != nil else { break }
            // In turns, so that none of both profits from the other one.
            var results: [Bool: Result] = [:]
            for hasDesktop in round.isMultiple(of: 2) ? [false, true] : [true, false] {
                results[hasDesktop] = measure(picture, hasDesktop: hasDesktop)
            }
            // The first round fills the caches of the system.
            guard round > 0, let without = results[false], let with = results[true] else {
                continue
            }
            bare.append(without)
            full.append(with)
        }
        return [
            figure("start with settings, bus and reader", "ms", bare, full, 1.1) { $0.start },
            figure("PSS at rest with settings, bus and reader", "MB", bare, full, 1.1) {
                $0.pss / 1e6
            },
            figure("private memory at rest with settings, bus and reader", "MB", bare, full, 1.1) {
                $0.own / 1e6
            },
            // One is added, since a viewer at rest does not wake up at all.
            figure(
                "1 + wake-ups in \(Int(Self.rest)) s at rest with settings, bus and reader", "",
                bare, full, 1
            ) { 1 + $0.wakeUps },
        ]
    }

    private func figure(
        _ name: String, _ unit: String, _ bare: [Result], _ full: [Result], _ bar: Double,
        _ value: (Result) -> Double
    ) -> Figure {
        let (references, values) = (bare.map(value), full.map(value))
        return Figure(
            name: name, value: values.median, unit: unit,
            reference: .init(name: "the same without them", value: references.median),
            ratio: zip(values, references).map { $0 / $1 }.median, bar: bar)
    }

    // MARK: Desktop

    private var address: String { "unix:path=" + folder / "full/bus" }

    private var desktopEnvironment: [String] {
        [
            "PATH=/usr/bin:/bin", "HOME=" + folder / "home",
            "XDG_RUNTIME_DIR=" + folder / "full", "DBUS_SESSION_BUS_ADDRESS=" + address,
            "GSETTINGS_BACKEND=memory", "LANG=C.UTF-8",
        ]
    }

    private static let daemon = "/usr/bin/dbus-daemon"
    private static let python = "/usr/bin/python3"

    /// Nil where there is no bus, or no reader could run.
    private func startBus() -> RunningProcess? {
        guard access(Self.daemon, X_OK) == 0, access(Self.python, X_OK) == 0 else { return nil }
        let bus = RunningProcess(
            [
                Self.daemon, "--session", "--nofork", "--nosyslog", "--address=" + address,
            ], environment: desktopEnvironment, errors: folder / "bus.txt", passing: 2)
        return waited(seconds: 10) { access(folder / "full/bus", F_OK) == 0 } ? bus : nil
    }

    /// Starts a reader, and waits until it listens.
    private func startReader() -> RunningProcess? {
        for name in ["ready", "read"] { unlink(folder / name) }
        let reader = RunningProcess(
            [Self.python, Binaries.package + "/meson-helpers/measure/reader", folder.path],
            environment: desktopEnvironment, errors: folder / "reader.txt", passing: 2)
        return waited(seconds: 20) { access(folder / "ready", F_OK) == 0 } ? reader : nil
    }

    private func waited(seconds: Double, until isDone: () -> Bool) -> Bool {
        for _ in 0..<Int(seconds * 100) where !isDone() { usleep(10_000) }
        return isDone()
    }

    // MARK: Viewer

    private func measure(_ picture: String, hasDesktop: Bool) -> Result? {
        var setup = Setup()
        setup.outputSize = Self.screen
        setup.checksPixels = false
        let reader = hasDesktop ? startReader() : nil
        guard !hasDesktop || reader != nil, let compositor = try? TestCompositor(setup),
            let socket = try? compositor.socketForClient()
        else { return nil }
        // The programs of the desktop come to rest.
        compositor.run(seconds: Self.pause)
        let environment =
            hasDesktop
            ? desktopEnvironment + ["XDG_CONFIG_HOME=" + folder / "config"]
            : [
                "PATH=/usr/bin:/bin", "HOME=" + folder / "home", "LANG=C.UTF-8",
                "XDG_RUNTIME_DIR=" + folder / "bare", "XDG_CONFIG_HOME=" + folder / "empty",
            ]
        let begin = compositor.now
        let viewer = RunningProcess(
            [Binaries.vitrine, "--fullscreen", picture],
            environment: environment + ["WAYLAND_SOCKET=9"], errors: folder / "errors.txt",
            passing: socket)
        close(socket)
        var (first, checkedCount) = (Moment?.none, 0)
        compositor.run(seconds: 20) {
            let commits = compositor.surface?.commits ?? []
            guard commits.count > checkedCount else { return false }
            checkedCount = commits.count
            let middle = compositor.surface?.look().flatMap {
                $0.color($0.size.width / 2, $0.size.height / 2)
            }
            if let middle, middle.r + middle.g + middle.b > 0 { first = commits.last?.moment }
            return first != nil
        }
        if hasDesktop {
            compositor.run(seconds: 20) { access(folder / "read", F_OK) == 0 }
            guard access(folder / "read", F_OK) == 0 else { return nil }
        }
        compositor.run(seconds: Self.settling)
        let before = viewer.wakeUps
        compositor.run(seconds: Self.rest)
        let wakeUps = viewer.wakeUps - before
        let memory = memory(of: viewer.number)
        compositor.window?.close()
        compositor.run(seconds: 5) { viewer.exitCode != nil }
        reader?.terminate()
        guard let first, let memory else { return nil }
        return Result(
            start: first.seconds(since: begin) * 1000, pss: memory.pss, own: memory.own,
            wakeUps: Double(wakeUps))
    }

    /// The proportional set size and the private memory of a process, in bytes.
    private func memory(of process: Int32) -> (pss: Double, own: Double)? {
        guard let text = TestFile.text("/proc/\(process)/smaps_rollup") else { return nil }
        var (pss, own) = (0.0, 0.0)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, let size = Double(words[1]) else { continue }
            switch words[0] {
            case "Pss:": pss = size * 1024
            case "Private_Clean:", "Private_Dirty:": own += size * 1024
            default: break
            }
        }
        return (pss, own)
    }
}
