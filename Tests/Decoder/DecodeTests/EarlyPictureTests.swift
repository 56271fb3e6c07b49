import CLinux
import ImageWire
import Geometry
import Glibc
import ImageTypes
import Synchronization
import TestKit
import Testing

@testable import Codecs

/// What is shown of a JPEG before the picture itself.
@Suite struct EarlyPictureTests {
    private let folder = TemporaryFolder()

    private func encoded(
        _ options: [String], scans: String? = nil, _ size: PixelSize
    ) throws -> [UInt8] {
        let picture = TestPicture.photograph(size.width, size.height)
        let script = scans.map { ["-scans", folder.file("scans.txt", Array($0.utf8))] } ?? []
        return try #require(picture.jpeg(by: options + script, quality: 85, in: folder))
    }

    private func words(_ source: any RowSource) throws -> [[UInt32]] {
        let stream = try RowStream(source)
        return (0..<stream.size.height).map { _ in
            var row = [UInt32](repeating: 0, count: stream.size.width)
            #expect(stream.read(&row))
            return row
        }
    }

    // MARK: The first scans

    private static let rest = "0: 1-63, 0, 0; 1: 1-63, 0, 0; 2: 1-63, 0, 0;"

    /// Means that come in one step are those that libjpeg has in the end, to the last bit.
    @Test(arguments: [
        ["-sample", "1x1"], ["-sample", "2x1"], ["-sample", "1x2"],
        ["-sample", "2x1", "-restart", "1"], ["-sample", "1x1", "-restart", "7B"],
    ])
    func meansAreTheLibrarys(options: [String]) throws {
        for scans in ["0,1,2: 0-0, 0, 0;", "0: 0-0, 0, 0; 1: 0-0, 0, 0; 2: 0-0, 0, 0;"] {
            let file = try encoded(
                options, scans: scans + Self.rest, PixelSize(width: 333, height: 219))
            try file.withUnsafeBytes { bytes in
                let means = try #require(JPEGDCImage(bytes))
                let whole = try JPEGRows(header: bytes)
                try whole.start(exponent: 3)
                let isSame = try words(JPEGDCRows(means, .standard)) == words(whole)
                #expect(isSame)
            }
        }
    }

    /// Of colour that is coarser in both directions libjpeg takes four samples a block, which a mean is
    /// the mean of.
    @Test(arguments: [[], ["-restart", "1"], ["-restart", "3B"]])
    func meansOfCoarseColourAreNear(options: [String]) throws {
        let file = try encoded(
            ["-sample", "2x2", "-progressive"] + options, PixelSize(width: 333, height: 219))
        try file.withUnsafeBytes { bytes in
            let means = try #require(JPEGDCImage(bytes))
            let whole = try JPEGRows(header: bytes)
            try whole.start(exponent: 3)
            let seen = try words(JPEGDCRows(means, .standard)).joined()
            let wanted = try words(whole).joined()
            try #require(seen.count == wanted.count)
            for channel: UInt32 in [0, 8, 16] {
                let distance = zip(seen, wanted).reduce(0) {
                    $0 + abs(Int($1.0 >> channel & 255) - Int($1.1 >> channel & 255))
                }
                #expect(distance < 3 * seen.count, "\(distance) of \(seen.count)")
            }
        }
    }

    @Test func greyMeansAreTheLibrarys() throws {
        let file = try encoded(
            ["-grayscale"], scans: "0: 0-0, 0, 0; 0: 1-63, 0, 0;", PixelSize(width: 90, height: 71))
        try file.withUnsafeBytes { bytes in
            let whole = try JPEGRows(header: bytes)
            try whole.start(exponent: 3)
            let means = try #require(JPEGDCImage(bytes))
            let isSame = try words(JPEGDCRows(means, .standard)) == words(whole)
            #expect(isSame)
        }
    }

    /// What does not come in full, or not first, is not shown.
    @Test func meansThatAreNotThereAreNone() throws {
        let size = PixelSize(width: 320, height: 200)
        for (scans, isThere) in [
            ("0,1,2: 0-0, 0, 1; 0,1,2: 0-0, 1, 0;" + Self.rest, true),
            ("0: 0-0, 0, 0; 0: 1-63, 0, 0; 1,2: 0-0, 0, 0; 1: 1-63, 0, 0; 2: 1-63, 0, 0;", false),
        ] {
            let file = try encoded(["-sample", "2x2"], scans: scans, size)
            #expect(file.withUnsafeBytes { JPEGDCImage($0) != nil } == isThere)
        }
        let file = try encoded(["-sample", "2x2", "-progressive"], size)
        let scan = try #require(
            file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
        for count in [0, 1, 2, 30, scan, scan + 1, scan + 20, scan + 200] {
            #expect(file.prefix(count).withUnsafeBytes { JPEGDCImage($0) } == nil, "\(count)")
        }
        let baseline = try encoded([], size)
        #expect(baseline.withUnsafeBytes { JPEGDCImage($0) } == nil)
    }

    /// Changed bytes give other means or none, and never a crash.
    @Test func damagedMeansAreSurvived() throws {
        let file = try encoded(
            ["-progressive", "-restart", "1"], PixelSize(width: 160, height: 120))
        var generator: UInt64 = 26
        func next() -> Int {
            generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(generator >> 33)
        }
        for round in 0..<200 {
            var damaged = file
            for _ in 0...round % 8 { damaged[2 + next() % 1200] = UInt8(next() & 255) }
            damaged.withUnsafeBytes { bytes in
                guard let means = JPEGDCImage(bytes), !means.size.isLarger(than: 4_000_000) else {
                    return
                }
                #expect(
                    (try? words(JPEGDCRows(means, .standard)))?.count == (means.size.height + 7)
                        / 8)
            }
        }
    }

    // MARK: What is delivered, and when

    private final class Sink: DecodeSink {
        var headers: [(header: PixelHeader, isFinal: Bool)] = []
        var words: [UInt32] = []

        func shouldContinue() -> Bool { true }

        func deliver(_ memory: Int32, isFinal: Bool) {
            defer { close(memory) }
            let length = Int(lseek(memory, 0, SEEK_END))
            var bytes = [UInt8](repeating: 0, count: length)
            guard pread(memory, &bytes, length, 0) == length,
                let header = try? PixelHeader(
                    checking: Array(bytes.prefix(PixelHeader.length)), memoryLength: length)
            else { return }
            headers.append((header, isFinal))
            let level = header.levels[0]
            words = (0..<level.size.height).flatMap { y in
                (0..<level.size.width).map { x in
                    let place = level.offset + y * level.stride + 4 * x
                    return bytes.withUnsafeBytes {
                        $0.load(fromByteOffset: place, as: UInt32.self)
                    }
                }
            }
        }
    }

    private func previews(_ file: [UInt8], isBeside: Bool = false) throws -> Sink {
        let sink = Sink()
        try file.withUnsafeBytes { bytes in
            let decoder = try StillDecoder<JPEGCodec>(bytes)
            #expect(
                try decoder.deliverPreviews(
                    for: PixelSize(width: 4000, height: 4000), to: sink, isBeside: isBeside,
                    on: SerialDecode.alone))
        }
        return sink
    }

    @Test func aProgressivePictureIsShownFromItsFirstScansOn() throws {
        let card = TestPicture.card(2400, 1600)
        let file = card.jpeg(quality: 92, orientation: .turnedLeft, progressive: true)
        let sink = try previews(file)
        try #require(sink.headers.map(\.isFinal) == [false])
        #expect(sink.headers[0].header.levels[0].exponent == 3)
        let last = try #require(try Decoding(file).bitmaps.last)
        // The same quarters in the same places.
        for (x, y) in [(100, 100), (1500, 100), (100, 2300), (1500, 2300)] {
            let (_, r, g, b) = last.pixel(x, y)
            let word = sink.words[y / 8 * 200 + x / 8]
            #expect(abs(r - Int(word >> 16 & 255)) < 24 && abs(g - Int(word >> 8 & 255)) < 24)
            #expect(abs(b - Int(word & 255)) < 24)
        }
        // A small one needs none of that.
        #expect(try previews(TestPicture.card(300, 200).jpeg(progressive: true)).headers.isEmpty)
    }

    /// Beside the picture itself any reduction is worth a pass, before it only one that does.
    @Test func aLargePictureIsShownReducedWhileItIsDecoded() throws {
        let file = TestPicture.photograph(1600, 1300).jpeg(quality: 80)
        #expect(try previews(file, isBeside: true).headers[0].header.levels[0].exponent == 3)
        #expect(try previews(file).headers.isEmpty)
    }

    /// Counts what arrives, and what arrives after the last.
    private final class Order: DecodeSink {
        let isEnded = Mutex(false)
        let late = Mutex(0)
        func shouldContinue() -> Bool { true }
        func deliver(_ memory: Int32, isFinal: Bool) {
            close(memory)
            if isEnded.withLock({ $0 }) { late.withLock { $0 += 1 } }
            if isFinal { isEnded.withLock { $0 = true } }
        }
    }

    @Test func nothingEarlyComesAfterThePicture() {
        for pause in [0, 10, 100, 1000] {
            let order = Order()
            let early = Previews(order)
            early.start { sink in
                while sink.shouldContinue() { sink.deliver(Decoding.file([1]), isFinal: false) }
                sink.deliver(Decoding.file([1]), isFinal: false)
            }
            usleep(UInt32(pause))
            early.deliver(Decoding.file([1]), isFinal: true)
            early.end()
            #expect(order.isEnded.withLock { $0 })
            #expect(order.late.withLock { $0 } == 0)
        }
    }
}
