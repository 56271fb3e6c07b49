import CompositorKit
import Geometry
import Glibc
import Motion
import TestKit

extension BenchSuite {
    static let start = BenchSuite(name: "start") { StartBench().figures() }
}

/// Measures the time from the start of the release viewer to a picture of 24 megapixels (4:2:0) in a
/// window of 3840×2160, and the memory that it needs.
struct StartBench {
    private static let screen = PixelSize(width: 3840, height: 2160)
    private static let size = PixelSize(width: 6000, height: 4000)
    private static let rounds = 7
    private static let period = 1000.0 / 60

    /// Times in milliseconds after the start, and the memory in use.
    private struct Times {
        /// The first commit that shows pixels of the picture.
        var first: Double
        /// The last commit.
        var last: Double
        /// The time from a key press to the commit that shows the next picture, in milliseconds.
        var next: Double
        /// The resident memory of the viewer then, in bytes, including shared memory.
        var resident: Double
    }

    private let folder = TemporaryFolder()
    private let picture = TestPicture.photograph(size.width, size.height)

    func figures() -> [Figure] {
        let baseline = picture.jpeg(quality: 90, subsampled: true)
        return wholeFigures(baseline) + [
            decoding(
                "start to the whole JPEG with restart markers",
                picture.jpeg(quality: 90, restartRows: 1, subsampled: true), \.last, 0.7, 30),
            decoding(
                "start to the first scan of a progressive JPEG",
                picture.jpeg(quality: 90, progressive: true, subsampled: true), \.first, 0.35, 0),
            embedded(baseline), embeddedLarge(baseline),
        ]
    }

    /// First and last commit, each compared with the time that the bare library needs; next
    /// picture; memory.
    private func wholeFigures(_ file: [UInt8]) -> [Figure] {
        let reduced = "reduced libjpeg-turbo decode", whole = "libjpeg-turbo decode"
        var (runs, halves, wholes) = ([Times](), [Double](), [Double]())
        for _ in 0..<Self.rounds {
            runs.append(start(file, pages: 1))
            halves.append(decode(file, 2))
            wholes.append(decode(file, 1))
        }
        // Planes of 4:2:0 with their mip levels take two bytes a pixel.
        let memory =
            Self.size.width * Self.size.height * 2 + 3 * Self.screen.width * Self.screen.height * 4
        let resident = runs.map(\.resident).median
        let next = (0..<3).map { _ in start(file, pages: 2).next }.median
        return [
            figure(
                "start to the first form of a JPEG", runs.map(\.first), halves, reduced, 1.15, 25),
            figure("start to the whole JPEG", runs.map(\.last), wholes, whole, 1.15, 30),
            Figure(
                name: "next picture, decoded ahead", value: next, unit: "ms",
                reference: .init(name: "a period of 60 Hz", value: Self.period),
                ratio: next / Self.period, bar: 1),
            Figure(
                name: "resident memory with one picture", value: resident / 1e6, unit: "MB",
                reference: .init(name: "its pixels and three frames", value: Double(memory) / 1e6),
                ratio: resident / Double(memory), bar: 1.5),
        ]
    }

    /// The time to one moment of the start, compared with a full decode by the bare library.
    private func decoding(
        _ name: String, _ file: [UInt8], _ moment: (Times) -> Double, _ factor: Double,
        _ allowance: Double
    ) -> Figure {
        var (moments, wholes) = ([Double](), [Double]())
        for _ in 0..<Self.rounds {
            moments.append(moment(start(file, pages: 1)))
            wholes.append(decode(file, 1))
        }
        return figure(name, moments, wholes, "libjpeg-turbo decode", factor, allowance)
    }

    /// An EXIF segment with a thumbnail of the picture.
    private var thumbnail: [UInt8] {
        let small = TestPicture.photograph(Self.size.width / 25, Self.size.height / 25)
        return TestMetadata.exif(thumbnail: small.jpeg(quality: 80))
    }

    /// A picture with an embedded thumbnail, as cameras write it.
    private func embedded(_ file: [UInt8]) -> Figure {
        preview("embedded preview", file.inserting(thumbnail, at: 2))
    }

    /// A picture with a thumbnail and a large preview, which follows the picture in the file.
    private func embeddedLarge(_ file: [UInt8]) -> Figure {
        let large = TestPicture.photograph(1920, 1280).jpeg(quality: 85)
        let main = file.count - 2
        // Offsets count from the start of the index, after its marker, length and name.
        let index = TestMetadata.multiPicture(
            large.count, at: TestMetadata.multiPicture(0, at: 0).count - 8 + main)
        return preview(
            "embedded preview (MPF)", file.inserting(thumbnail + index, at: 2) + large)
    }

    private func preview(_ name: String, _ file: [UInt8]) -> Figure {
        let first = (0..<Self.rounds).map { _ in start(file, pages: 1).first }.median
        return Figure(
            name: "start to the \(name) of a JPEG", value: first, unit: "ms",
            reference: .init(name: "40 ms", value: 40), ratio: first / 40, bar: 1)
    }

    /// Makes a figure whose maximum time is `factor` times the reference plus `allowance`
    /// milliseconds.
    ///
    /// As a ratio, the maximum depends on the time of the reference on this machine.
    private func figure(
        _ name: String, _ values: [Double], _ references: [Double], _ reference: String,
        _ factor: Double, _ allowance: Double
    ) -> Figure {
        let ratios = zip(values, references).map { $0 / $1 }
        return Figure(
            name: name, value: values.median, unit: "ms",
            reference: .init(name: reference, value: references.median), ratio: ratios.median,
            bar: (factor + allowance / references.median).rounded(to: 3))
    }

    private func decode(_ file: [UInt8], _ denominator: Int) -> Double {
        Measurement.seconds { TestPicture.decode(jpeg: file, reducedBy: denominator) } * 1000
    }

    /// Starts the viewer with `pages` copies of the picture, and waits until no more commits come.
    private func start(_ file: [UInt8], pages: Int) -> Times {
        var setup = Setup()
        setup.outputSize = Self.screen
        setup.checksPixels = false
        let missing = Times(first: .nan, last: .nan, next: .nan, resident: .nan)
        let paths = (0..<pages).map { folder.file("\($0).jpg", file) }
        guard let compositor = try? TestCompositor(setup),
            let socket = try? compositor.socketForClient()
        else { return missing }
        let begin = compositor.now
        let viewer = RunningProcess(
            // Refinement at rest is not part of the start.
            [Binaries.vitrine, "--fullscreen", "--set", "frames.rest=plain"] + paths,
            environment: ["WAYLAND_SOCKET=9", "XDG_RUNTIME_DIR=\(folder.path)", "LANG=C.UTF-8"],
            errors: folder / "errors.txt", passing: socket)
        close(socket)
        var (first, checkedCount) = (Moment?.none, 0)
        compositor.run(seconds: 20) {
            let commits = compositor.surface?.commits ?? []
            guard first == nil, commits.count > checkedCount else { return first != nil }
            checkedCount = commits.count
            // A preview comes in a small buffer.
            let middle = compositor.surface?.look().flatMap {
                $0.color($0.size.width / 2, $0.size.height / 2)
            }
            if let middle, middle.r + middle.g + middle.b > 0 { first = commits.last?.moment }
            return first != nil
        }
        // By then the last commit has come and the neighbours are decoded.
        compositor.run(seconds: 2.5)
        let last = compositor.surface?.commits.last?.moment
        let resident = viewer.residentBytes
        var next = Double.nan
        if pages > 1 {
            let count = compositor.surface?.commits.count ?? 0
            let pressed = compositor.now
            _ = try? compositor.play("0 key Right\n1500 end")
            let commits = compositor.surface?.commits ?? []
            if commits.count > count { next = commits[count].moment.seconds(since: pressed) * 1000 }
        }
        compositor.window?.close()
        compositor.run(seconds: 5) { viewer.exitCode != nil }
        guard let first, let last else { return missing }
        return Times(
            first: first.seconds(since: begin) * 1000, last: last.seconds(since: begin) * 1000,
            next: next, resident: Double(resident))
    }
}
