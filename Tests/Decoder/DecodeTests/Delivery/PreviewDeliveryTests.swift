import CLinux
import ImageWire
import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import Synchronization
import TestKit
import Testing

@testable import Codecs

/// Previews of JPEG pictures before the full decode.
@Suite struct PreviewDeliveryTests {
    private let folder = TemporaryFolder()

    private func encoded(
        _ options: [String], scans: String? = nil, _ size: PixelSize
    ) throws -> [UInt8] {
        let picture = TestPicture.photograph(size.width, size.height)
        let script = scans.map { ["-scans", folder.file("scans.txt", Array($0.utf8))] } ?? []
        return try #require(picture.jpeg(by: options + script, quality: 85, in: folder))
    }

    private func pixels(_ source: any RowSource) throws -> [[UInt32]] {
        let stream = try RowStream(source)
        return (0..<stream.size.height).map { _ in
            var row = [UInt32](repeating: 0, count: stream.size.width)
            #expect(stream.read(&row))
            return row
        }
    }

    // MARK: The first scans

    private static let acScans = "0: 1-63, 0, 0; 1: 1-63, 0, 0; 2: 1-63, 0, 0;"

    /// DC coefficients from a single scan give exactly libjpeg's 1/8 picture.
    @Test(arguments: [
        ["-sample", "1x1"], ["-sample", "2x1"], ["-sample", "1x2"],
        ["-sample", "2x1", "-restart", "1"], ["-sample", "1x1", "-restart", "7B"],
    ])
    func dcImagesMatchLibjpeg(options: [String]) throws {
        for scans in ["0,1,2: 0-0, 0, 0;", "0: 0-0, 0, 0; 1: 0-0, 0, 0; 2: 0-0, 0, 0;"] {
            let file = try encoded(
                options, scans: scans + Self.acScans, PixelSize(width: 333, height: 219))
            try file.withUnsafeBytes { bytes in
                let dcImage = try #require(JPEGDCImage(bytes))
                let whole = try JPEGRows(header: bytes)
                try whole.start(mipLevel: 3)
                let isSame = try pixels(JPEGDCRows(dcImage, .standard)) == pixels(whole)
                #expect(isSame)
            }
        }
    }

    /// With 2x2 chroma subsampling the DC image differs slightly from libjpeg's 1/8 picture.
    ///
    /// That picture has four chroma samples per block, of which the DC coefficient is the mean.
    @Test(arguments: [[], ["-restart", "1"], ["-restart", "3B"]])
    func dcImagesWithSubsampledChromaAreClose(options: [String]) throws {
        let file = try encoded(
            ["-sample", "2x2", "-progressive"] + options, PixelSize(width: 333, height: 219))
        try file.withUnsafeBytes { bytes in
            let dcImage = try #require(JPEGDCImage(bytes))
            let whole = try JPEGRows(header: bytes)
            try whole.start(mipLevel: 3)
            let seen = try pixels(JPEGDCRows(dcImage, .standard)).joined()
            let wanted = try pixels(whole).joined()
            try #require(seen.count == wanted.count)
            for channel: UInt32 in [0, 8, 16] {
                let distance = zip(seen, wanted).reduce(0) {
                    $0 + abs(Int($1.0 >> channel & 255) - Int($1.1 >> channel & 255))
                }
                #expect(distance < 3 * seen.count, "\(distance) of \(seen.count)")
            }
        }
    }

    @Test func greyDCImagesMatchLibjpeg() throws {
        let file = try encoded(
            ["-grayscale"], scans: "0: 0-0, 0, 0; 0: 1-63, 0, 0;", PixelSize(width: 90, height: 71))
        try file.withUnsafeBytes { bytes in
            let whole = try JPEGRows(header: bytes)
            try whole.start(mipLevel: 3)
            let dcImage = try #require(JPEGDCImage(bytes))
            let isSame = try pixels(JPEGDCRows(dcImage, .standard)) == pixels(whole)
            #expect(isSame)
        }
    }

    /// Without complete DC scans at the start of the file there is no DC image.
    @Test func incompleteDCScansGiveNoImage() throws {
        let size = PixelSize(width: 320, height: 200)
        for (scans, isThere) in [
            ("0,1,2: 0-0, 0, 1; 0,1,2: 0-0, 1, 0;" + Self.acScans, true),
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

    /// Changed bytes give another DC image or none, but never a crash.
    @Test func damagedDCScansDoNotCrash() throws {
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
                guard let dcImage = JPEGDCImage(bytes),
                    !dcImage.size.isLarger(than: 4_000_000)
                else { return }
                #expect(
                    (try? pixels(JPEGDCRows(dcImage, .standard)))?.count
                        == (dcImage.size.height + 7) / 8)
            }
        }
    }

    // MARK: Delivery

    private final class Sink: DecodeSink {
        var headers: [(header: PixelHeader, isFinal: Bool)] = []
        var pixels: [UInt32] = []

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
            pixels = (0..<level.size.height).flatMap { y in
                (0..<level.size.width).map { x in
                    let place = level.offset + y * level.stride + 4 * x
                    return bytes.withUnsafeBytes {
                        $0.load(fromByteOffset: place, as: UInt32.self)
                    }
                }
            }
        }
    }

    private func previews(_ file: [UInt8], isConcurrent: Bool = false) throws -> Sink {
        let sink = Sink()
        try file.withUnsafeBytes { bytes in
            let decoder = try StillDecoder(try JPEGCodec(bytes), fileLength: bytes.count)
            #expect(
                try decoder.previews.deliver(
                    for: PixelSize(width: 4000, height: 4000), to: sink, isConcurrent: isConcurrent,
                    on: SerialDecode.alone))
        }
        return sink
    }

    @Test func aProgressivePictureHasAPreviewFromItsFirstScans() throws {
        let card = TestPicture.card(2400, 1600)
        let file = card.jpeg(quality: 92, orientation: .rotatedLeft, progressive: true)
        let sink = try previews(file)
        try #require(sink.headers.map(\.isFinal) == [false])
        #expect(sink.headers[0].header.levels[0].mipLevel == 3)
        let last = try #require(try Decoding(file).bitmaps.last)
        // The four quarters of the card are in the correct places.
        for (x, y) in [(100, 100), (1500, 100), (100, 2300), (1500, 2300)] {
            let (_, r, g, b) = last.pixel(x, y)
            let word = sink.pixels[y / 8 * 200 + x / 8]
            #expect(abs(r - Int(word >> 16 & 255)) < 24 && abs(g - Int(word >> 8 & 255)) < 24)
            #expect(abs(b - Int(word & 255)) < 24)
        }
        // A small picture has no preview.
        #expect(try previews(TestPicture.card(300, 200).jpeg(progressive: true)).headers.isEmpty)
    }

    /// A reduced decode is useful in parallel with the full decode, but not before it.
    @Test func aLargePictureIsShownReducedWhileItIsDecoded() throws {
        let file = TestPicture.photograph(1600, 1300).jpeg(quality: 80)
        #expect(try previews(file, isConcurrent: true).headers[0].header.levels[0].mipLevel == 3)
        #expect(try previews(file).headers.isEmpty)
    }

    /// Counts deliveries after the final one.
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

    /// A preview that only a frame or two would show delays the picture.
    @Test(arguments: [
        (nil, true, true), (0.0, false, false), (0.03, false, false), (0.045, true, false),
        (0.06, true, false), (0.08, true, true), (.infinity, true, true),
    ])
    func aPreviewIsWorthwhileIfThePictureIsFurtherAwayThanItsFrame(
        secondsLeft: Double?, alone: Bool, delaying: Bool
    ) {
        let previews = Previews(Sink())
        let seen = Mutex<[Bool]>([])
        previews.start(secondsLeft: { delay in secondsLeft.map { $0 - delay } }) { sink in
            let found = [0, 0.005].flatMap { delay in
                [false, true].map { sink.isWorthwhile(in: delay, delaysPicture: $0) }
            }
            seen.withLock { $0 = found }
        }
        previews.end()
        #expect(seen.withLock { $0 } == [alone, delaying, alone, delaying])
    }

    @Test func noPreviewComesAfterThePicture() {
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
