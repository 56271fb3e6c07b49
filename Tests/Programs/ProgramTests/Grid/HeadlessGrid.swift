import CompositorKit
import Geometry
import Glibc
import Input
import TestKit
import Testing

/// The release build on a folder of pictures, headless, with a thumbnail cache of its own.
///
/// The surface has 640 × 400 logical pixels: five columns are cells of 124 px at a pitch of 129 px.
final class HeadlessGrid {
    let folder = TemporaryFolder()
    var album: String { folder / "album" }
    var cache: String { folder / "cache" }

    /// The results of a run.
    struct Run {
        let frames: [TraceFrame]
        let shots: [Screenshot]
        let status: Int32
        let errors: String

        var first: TraceFrame { get throws { try #require(frames.first) } }
        var last: TraceFrame { get throws { try #require(frames.last) } }
        /// The frames in which a pinch scales the grid.
        var pinch: [TraceFrame] { frames.filter { $0.gesture == "pinch" } }
        /// The frames with a picture lifted out of the page.
        var peeks: [(time: Double, peek: TraceFrame.Peek)] {
            frames.compactMap { frame in frame.peek.map { (frame.time, $0) } }
        }
    }

    /// Writes pictures, given as the bytes of their files: 00.png, 01.png and so on.
    init(_ pictures: [[UInt8]] = HeadlessGrid.marked) {
        folder.folder("album")
        for (index, bytes) in pictures.enumerated() { put(bytes, as: Self.name(index)) }
    }

    /// Writes a picture with a modification date of some years ago, plus `seconds`.
    ///
    /// Thumbnails of new files are not cached.
    func put(_ bytes: [UInt8], as name: String, time seconds: Int = 0) {
        let path = folder.file("album/" + name, bytes)
        let stamp = timespec(tv_sec: 1_600_000_000 + seconds, tv_nsec: 0)
        utimensat(AT_FDCWD, path, [stamp, stamp], 0)
    }

    static func name(_ index: Int) -> String { (index < 10 ? "0" : "") + "\(index).png" }

    /// The cell of a picture in the unscrolled grid of five columns.
    static func cell(_ index: Int) -> Rect {
        Rect(
            x: Double(index % 5) * 129, y: Double(index / 5) * 129, width: 124, height: 124)
    }

    // MARK: Pictures

    /// Thirty pictures whose colours encode the number of the picture and the place in it.
    static let marked: [[UInt8]] = (0..<30).map { index in
        TestPicture(size: PixelSize(width: 128, height: 128)) { x, y in
            (UInt8(wave(Double(x))), UInt8(wave(Double(y))), UInt8(index * 8))
        }.png()
    }

    /// A dozen pictures of 480 × 320, which fit into the surface at 1:1.
    static let cards = Array(repeating: TestPicture.card(480, 320).png(), count: 12)

    /// The brightness of a marked picture at pixel `place`: a triangle wave with a slope of 8.
    static func wave(_ place: Double) -> Double {
        let part = place.truncatingRemainder(dividingBy: 64)
        return 8 * min(part, 63 - part)
    }

    // MARK: Running

    var environment: [String] {
        [
            "XDG_CACHE_HOME=\(cache)", "XDG_RUNTIME_DIR=\(folder.path)", "PATH=/usr/bin:/bin",
            "LANG=C.UTF-8",
        ]
    }

    /// Plays input to the grid; the run ends `seconds` after the input.
    ///
    /// Screenshots are taken at each of `shotTimes`, in milliseconds, and of the last frame.
    func play(
        _ settings: [String] = [], shotTimes: [Double] = [], rest seconds: Double = 2.5,
        command: [String] = [Binaries.vitrine], _ hands: (inout Hand) -> Void = { _ in }
    ) -> Run {
        var hand = Hand()
        hands(&hand)
        hand.rest(seconds * 1000)
        let script = folder.file("script.txt", hand.finishScript().text)
        let paths = (0...shotTimes.count).map { folder / "shot-\($0).png" }
        let shots = zip(shotTimes, paths).flatMap { ["--shot-at", "\($0):\($1)"] }
        let arguments =
            ["--headless", "640x400", "--script", script, "--trace", "-"]
            + shots + ["--shot", paths[shotTimes.count]]
            + (["grid.header=false"] + settings).flatMap { ["--set", $0] } + [album]
        let result = ChildProcess.run(command + arguments, environment: environment)
        return Run(
            frames: TraceFrame.all(result.output), shots: paths.compactMap { Screenshot($0) },
            status: result.status, errors: result.errors)
    }
}

/// Two fingers side by side whose midpoint and spread change linearly with time.
struct EvenPinch {
    /// In milliseconds; not at a frame's time, like the reports of a touchscreen.
    var start = 104.0
    var duration = 400.0
    var midpoints: (Point, Point)
    var spreads: (Double, Double)

    var end: Double { start + duration }

    func midpoint(at time: Double) -> Point {
        midpoints.0 + (midpoints.1 - midpoints.0) * ((time - start) / duration)
    }

    private func fingers(_ midpoint: Point, _ spread: Double) -> [(x: Double, y: Double)] {
        [-0.5, 0.5].map { (midpoint.x + $0 * spread, midpoint.y) }
    }

    /// The fingers land and move; they stay down.
    func play(_ hand: inout Hand) {
        let (from, to) = (fingers(midpoints.0, spreads.0), fingers(midpoints.1, spreads.1))
        hand.touch([1: from[0], 2: from[1]])
        hand.move([1: to[0], 2: to[1]], in: duration)
    }
}
