import Geometry
import ImageTypes
import RasterPipeline
import TestKit
import Testing
import Threads

@testable import Codecs
@testable import DecodeClient
@testable import ImageWire

/// JPEGs that are decoded to planes of luma and chroma, compared with libjpeg's own pixels.
@Suite struct JPEGPlanesTests {
    private let folder = TemporaryFolder()

    static let samplings = [
        "1x1", "2x1", "1x2", "2x2", "4x1", "4x2", "2x2,2x1,2x1", "2x2,1x2,1x2",
    ]

    /// At 1:1, as libjpeg shows them; and each level as the mean of the finer one.
    @Test(arguments: samplings, [[], ["-progressive"], ["-restart", "1"], ["-arithmetic"]])
    func planesShowWhatPixelsShow(sampling: String, options: [String]) throws {
        let size = PixelSize(width: 637, height: 471)
        let file = try #require(
            TestPicture.photograph(size.width, size.height)
                .jpeg(by: ["-sample", sampling] + options, in: folder))
        let (planes, message) = try SealedPicture.decoded(file, asPlanes: true)
        let pixels = try SealedPicture.decoded(file, asPlanes: false).pixels
        #expect(message == nil)
        #expect(planes.header.format == .planes && pixels.header.format == .rgb24)
        #expect(planes.header.levels.count == pixels.header.levels.count)
        for level in planes.header.levels.indices {
            let ratio = planes.ratio(to: pixels, level: level)
            #expect(ratio >= (level == 0 ? 50 : 40), "level \(level): \(ratio) dB")
        }
    }

    /// Sizes that no sampling divides, down to a single pixel.
    @Test(arguments: samplings) func sizesThatSamplingDoesNotDivide(sampling: String) throws {
        for (width, height) in [(1, 1), (1, 9), (17, 1), (2, 3), (15, 16), (33, 31), (65, 18)] {
            let file = try #require(
                TestPicture.photograph(width, height)
                    .jpeg(by: ["-sample", sampling], in: folder))
            let planes = try SealedPicture.decoded(file, asPlanes: true).pixels
            let pixels = try SealedPicture.decoded(file, asPlanes: false).pixels
            #expect(planes.header.format == .planes)
            // libjpeg repeats chroma instead of interpolating it where there are only one or two samples,
            // and at a factor of four.
            let ratio = planes.ratio(to: pixels, level: 0)
            let interpolates = width > 8 && !sampling.hasPrefix("4")
            #expect(ratio >= (interpolates ? 45 : 25), "\(width) × \(height): \(ratio) dB")
        }
    }

    /// A grey file has luma, and chroma without colour.
    @Test(arguments: [[], ["-progressive"], ["-restart", "1"], ["-sample", "2x2"]])
    func greyFilesHavePlanes(options: [String]) throws {
        for (width, height) in [(637, 471), (1, 1), (17, 1), (3, 65)] {
            let file = try #require(
                TestPicture.photograph(width, height)
                    .jpeg(by: ["-grayscale"] + options, in: folder))
            let planes = try SealedPicture.decoded(file, asPlanes: true).pixels
            let pixels = try SealedPicture.decoded(file, asPlanes: false).pixels
            #expect(planes.header.format == .planes && pixels.header.format == .rgb24)
            #expect(planes.ratio(to: pixels, level: 0) == 100)
            for level in planes.header.levels.indices {
                #expect(planes.ratio(to: pixels, level: level) >= 45)
            }
        }
    }

    /// What is RGB or CMYK, and what has another profile than the screen's, has no planes.
    @Test func otherColoursStayPixels() throws {
        let picture = TestPicture.photograph(64, 48)
        TestFile.write(TestProfile.gray(gamma: 1), to: folder / "gray.icc")
        for options in [
            ["-rgb"], ["-sample", "1x4"], ["-sample", "3x1"],
            ["-grayscale", "-icc", folder / "gray.icc"],
        ] {
            let file = try #require(picture.jpeg(by: options, in: folder))
            #expect(
                try SealedPicture.decoded(file, asPlanes: true).pixels.header.format == .rgb24,
                "\(options)")
        }
    }

    /// Every orientation and every share of the other threads.
    @Test(arguments: Orientation.allCases)
    func planesAreUpright(orientation: Orientation) throws {
        for (sampling, width, height) in [
            ("2x2", 301, 203), ("2x1", 302, 263), ("4x1", 303, 262), ("1x2", 271, 351),
        ] {
            let file = try #require(
                TestPicture.photograph(width, height)
                    .jpeg(by: ["-sample", sampling], in: folder))
            try file.withUnsafeBytes { bytes in
                let scans = try [1, 0.5, 0.1].map { share in
                    try #require(
                        JPEGScan.read(bytes, while: { true }, until: { $0 >= share })
                    ).scan
                }
                let codec = try JPEGCodec(bytes)
                let format = try #require(try codec.planeSource()?.format)
                let upright = orientation.upright(codec.size)
                let rows = try JPEGRows(header: bytes)
                try rows.start(mipLevel: 0)
                let pixels = try SealedPicture(
                    #require(
                        try SerialDecode(rows, on: SerialDecode.alone).seal(
                            as: upright, from: 0, orientation, FinalSink(acceptsPlanes: false))))
                var alone: [UInt8]?
                for scan in [nil] + scans {
                    let decoding = ParallelDecode(
                        try PlanarDecode(codec.size, format, orientation),
                        height: codec.size.height, on: WorkerPool(width: 3))
                    if let scan { decoding.help(scan) }
                    let source = try #require(try codec.planeSource())
                    let memory = try #require(
                        try decoding.seal(source, FinalSink(acceptsPlanes: true)))
                    let planes = try SealedPicture(memory)
                    #expect(source.isComplete && planes.header.size == upright)
                    if let alone {
                        #expect(planes.bytes == alone)
                    } else {
                        for level in planes.header.levels.indices {
                            let ratio = planes.ratio(to: pixels, level: level)
                            #expect(
                                ratio >= (level == 0 ? 48 : 38),
                                "\(sampling) level \(level): \(ratio) dB")
                        }
                    }
                    alone = planes.bytes
                }
            }
        }
    }

    /// Damaged and truncated files show what can be read, and say so.
    @Test(arguments: ["2x2", "2x1"]) func damagedFilesShowWhatIsReadable(sampling: String) throws {
        let file = try #require(
            TestPicture.photograph(640, 480)
                .jpeg(by: ["-sample", sampling, "-restart", "2"], in: folder))
        try SealedPicture.expectReadableParts(of: file, ratio: 40)
        var damaged = file
        for offset in 0..<40 { damaged[file.count / 2 + offset] = UInt8(offset * 5) }
        let planes = try SealedPicture.decoded(damaged, asPlanes: true)
        #expect(planes.message == (try SealedPicture.decoded(damaged, asPlanes: false).message))
        #expect(planes.pixels.header.format == .planes)
    }

    /// A program writes another picture to the file between the two readings of its header: more columns, or
    /// more chroma samples, than rows are allocated for.
    @Test(arguments: ["wider", "4:4:4", "grey"]) func aFileThatChangesIsDamaged(how: String) throws
    {
        let picture = TestPicture.photograph(320, 240)
        let first = try #require(picture.jpeg(by: ["-sample", "2x2"], in: folder))
        let second = try #require(
            how == "wider"
                ? TestPicture.photograph(640, 120).jpeg(by: ["-sample", "2x2"], in: folder)
                : picture.jpeg(
                    by: how == "grey" ? ["-grayscale"] : ["-sample", "1x1"], in: folder))
        var file = first + Array(repeating: 0, count: max(0, second.count - first.count))
        try file.withUnsafeMutableBytes { bytes in
            var decoder = try PictureDecoders.open(UnsafeRawBufferPointer(bytes))
            bytes.copyBytes(from: second)
            let sink = FinalSink(acceptsPlanes: true)
            #expect(throws: JPEGCodec.differs) {
                try decoder.decode(for: PixelSize(width: 100, height: 100), to: sink)
            }
        }
    }

    /// The viewer asks for planes, and checks their header.
    @Test func theViewerGetsPlanes() throws {
        let file = try #require(
            TestPicture.photograph(640, 480).jpeg(by: ["-sample", "2x2"], in: folder))
        let client = try DecodeClient(DecoderLauncher(DecoderProgram(Binaries.decoder)))
        let result = Decoding(client, id: 1, file, acceptsPlanes: true)
        let bitmap = try #require(result.bitmaps.last, "\(result)")
        #expect(bitmap.format == .planes && bitmap.chroma?.columnShift == 1)
        // Levels 0 and 1 share their chroma.
        #expect(bitmap.levels[0].chroma == bitmap.levels[1].chroma)
        #expect(bitmap.memory.bytes.count < 640 * 480 * 5 / 2)
        let other = Decoding(client, id: 2, file)
        #expect(other.bitmaps.last?.format == .rgb24)
    }
}
