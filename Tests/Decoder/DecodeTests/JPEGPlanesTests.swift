import Geometry
import Glibc
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

    /// Reads the pixels of sealed memory in double precision.
    private struct Pixels {
        let header: PixelHeader
        let bytes: [UInt8]

        /// Closes the descriptor.
        init(_ memory: Int32) throws {
            defer { close(memory) }
            let length = Int(lseek(memory, 0, SEEK_END))
            var bytes = [UInt8](repeating: 0, count: length)
            try #require(pread(memory, &bytes, length, 0) == length)
            header = try PixelHeader(
                checking: Array(bytes.prefix(PixelHeader.length)), memoryLength: length)
            self.bytes = bytes
        }

        /// Red, green and blue of a pixel of a level, 0…255.
        func color(_ x: Int, _ y: Int, level index: Int) -> [Double] {
            let level = header.levels[index]
            guard let format = header.chroma, let chroma = level.chroma else {
                let place = level.offset + y * level.stride + x * 4
                return [2, 1, 0].map { Double(bytes[place + $0]) }
            }
            let shifts = format.shifts(at: level.mipLevel)
            func place(_ pixel: Int, _ edge: Int, _ shift: Int, _ count: Int) -> (Int, Int, Double)
            {
                let picture = (Double(pixel) + 0.5) * Double(1 << level.mipLevel)
                let exact = (picture - Double(edge) / 2) / Double(1 << shift) - 0.5
                let sample = min(max(exact, 0), Double(count - 1))
                return (
                    Int(sample), min(Int(sample) + 1, count - 1), sample - sample.rounded(.down)
                )
            }
            let (left, right, across) = place(x, format.left, shifts.column, chroma.size.width)
            let (upper, lower, down) = place(y, format.top, shifts.row, chroma.size.height)
            func sample(_ byte: Int) -> Double {
                func value(_ x: Int, _ y: Int) -> Double {
                    Double(bytes[chroma.offset + y * chroma.stride + x * 2 + byte])
                }
                let above = value(left, upper) * (1 - across) + value(right, upper) * across
                let below = value(left, lower) * (1 - across) + value(right, lower) * across
                return above * (1 - down) + below * down - 128
            }
            let luma = Double(bytes[level.offset + y * level.stride + x])
            let (cb, cr) = (sample(0), sample(1))
            return [
                luma + 1.402 * cr, luma - 0.344136 * cb - 0.714136 * cr, luma + 1.772 * cb,
            ].map { min(max($0.rounded(), 0), 255) }
        }

        /// The peak signal to noise ratio to the same level of other pixels, in decibels.
        func ratio(to other: Pixels, level index: Int) -> Double {
            let size = header.levels[index].size
            var sum = 0.0
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let (a, b) = (color(x, y, level: index), other.color(x, y, level: index))
                    for channel in 0..<3 {
                        sum += (a[channel] - b[channel]) * (a[channel] - b[channel])
                    }
                }
            }
            let mean = sum / Double(size.width * size.height * 3)
            return mean == 0 ? 100 : min(100, 10 * log10(255 * 255 / mean))
        }
    }

    private final class Sink: DecodeSink {
        let acceptsPlanes: Bool
        private(set) var memory: Int32 = -1

        init(acceptsPlanes: Bool) { self.acceptsPlanes = acceptsPlanes }

        func shouldContinue() -> Bool { true }

        func deliver(_ memory: Int32, isFinal: Bool) {
            guard isFinal else {
                close(memory)
                return
            }
            self.memory = memory
        }
    }

    private func decoded(
        _ file: [UInt8], asPlanes: Bool
    ) throws -> (pixels: Pixels, message: String?) {
        try file.withUnsafeBytes { bytes in
            var decoder = try PictureDecoders.open(bytes)
            let sink = Sink(acceptsPlanes: asPlanes)
            let message = try decoder.decode(for: PixelSize(width: 100, height: 100), to: sink)
            return (try Pixels(sink.memory), message)
        }
    }

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
        let (planes, message) = try decoded(file, asPlanes: true)
        let pixels = try decoded(file, asPlanes: false).pixels
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
            let planes = try decoded(file, asPlanes: true).pixels
            let pixels = try decoded(file, asPlanes: false).pixels
            #expect(planes.header.format == .planes)
            // libjpeg repeats chroma instead of interpolating it where there are only one or two samples,
            // and at a factor of four.
            let ratio = planes.ratio(to: pixels, level: 0)
            let interpolates = width > 8 && !sampling.hasPrefix("4")
            #expect(ratio >= (interpolates ? 45 : 25), "\(width) × \(height): \(ratio) dB")
        }
    }

    /// What is grey, RGB or CMYK, and what has another profile than the screen's, has no planes.
    @Test func otherColoursStayPixels() throws {
        let picture = TestPicture.photograph(64, 48)
        for options in [["-grayscale"], ["-rgb"], ["-sample", "1x4"], ["-sample", "3x1"]] {
            let file = try #require(picture.jpeg(by: options, in: folder))
            #expect(try decoded(file, asPlanes: true).pixels.header.format == .rgb24, "\(options)")
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
                let scan = try #require(JPEGScan.read(bytes, while: { true })).scan
                let codec = try JPEGCodec(bytes)
                let format = try #require(codec.planes)
                let upright = orientation.upright(codec.size)
                let rows = try JPEGRows(header: bytes)
                try rows.start(mipLevel: 0)
                let pixels = try Pixels(
                    #require(
                        try SerialDecode(rows, on: SerialDecode.alone).seal(
                            as: upright, from: 0, orientation, Sink(acceptsPlanes: false))))
                var alone: [UInt8]?
                for helps in [false, true] {
                    let decoding = ParallelDecode(
                        try PlanarDecode(codec.size, format, orientation),
                        height: codec.size.height, on: WorkerPool(width: 3))
                    if helps { decoding.help(scan) }
                    let source = try codec.planeSource()
                    let memory = try #require(
                        try decoding.seal(source, Sink(acceptsPlanes: true)))
                    let planes = try Pixels(memory)
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
        for length in [file.count / 3, file.count * 2 / 3, file.count - 3] {
            let cut = Array(file.prefix(length))
            let planes = try decoded(cut, asPlanes: true)
            let pixels = try decoded(cut, asPlanes: false)
            #expect(planes.message == pixels.message && planes.message != nil)
            let ratio = planes.pixels.ratio(to: pixels.pixels, level: 0)
            #expect(ratio >= 40, "\(length) of \(file.count): \(ratio) dB")
        }
        var damaged = file
        for offset in 0..<40 { damaged[file.count / 2 + offset] = UInt8(offset * 5) }
        let planes = try decoded(damaged, asPlanes: true)
        #expect(planes.message == (try decoded(damaged, asPlanes: false).message))
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
            let sink = Sink(acceptsPlanes: true)
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
        let bitmap = try #require(result.bitmaps.last)
        #expect(bitmap.format == .planes && bitmap.chroma?.columnShift == 1)
        // Levels 0 and 1 share their chroma.
        #expect(bitmap.levels[0].chroma == bitmap.levels[1].chroma)
        #expect(bitmap.memory.bytes.count < 640 * 480 * 5 / 2)
        let other = Decoding(client, id: 2, file)
        #expect(other.bitmaps.last?.format == .rgb24)
    }
}
