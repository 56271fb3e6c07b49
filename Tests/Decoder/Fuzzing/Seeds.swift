import CLinux
import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import TestKit

@testable import Codecs

/// The initial corpus, from the test kit's encoders.
enum Seeds {
    /// Writes each seed to its own file in an existing folder.
    static func write(_ seeds: [[UInt8]], to folder: String) {
        for (number, seed) in seeds.enumerated() {
            let file = open("\(folder)/own-\(number)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            guard file >= 0, Glibc.write(file, seed, seed.count) == seed.count else {
                refuse("cannot write to \(folder)")
            }
            close(file)
        }
    }

    /// Returns a memfd with these bytes; the caller closes the descriptor.
    static func file(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        let memory = clinux_memfd_create("fuzzing")
        precondition(Glibc.write(memory, bytes.baseAddress, bytes.count) == bytes.count)
        return memory
    }

    // MARK: Pictures

    private static let card = TestPicture.card(24, 16)

    /// Pictures of one format, or of all formats if `format` is nil.
    static func pictures(_ format: PictureFormat?) -> [[UInt8]] {
        guard let format else {
            return [jpegs, pngs, gifs, tiffs, raws, drawings, lights].flatMap(\.self)
        }
        switch format {
        case .jpeg: return jpegs
        case .png: return pngs
        case .gif: return gifs
        case .tiff: return tiffs
        case .raw: return raws
        case .svg: return drawings
        case .openEXR: return lights
        case .qoi: return [TestQOI.encode(card)]
        default: return []
        }
    }

    private static var jpegs: [[UInt8]] {
        let size = PixelSize(width: 9, height: 9)
        let cmyk = [UInt8](repeating: 90, count: 9 * 9 * 4)
        return [
            card.jpeg(), card.jpeg(orientation: .rotatedLeft), card.jpeg(progressive: true),
            TestPicture.photograph(400, 300).jpeg(quality: 30),
            TestPicture.jpeg(cmyk, size, components: 4),
            TestPicture.jpeg(Array(cmyk.prefix(81)), size, components: 1),
            TestPicture.jpeg(card.jpeg(), withProfile: TestProfile.swapped),
            TestPicture.jpeg(card.jpeg(), withProfile: TestProfile.gray(gamma: 1)),
            TestPicture.dated("2026:11:21 09:30:00"),
        ]
    }

    private static var pngs: [[UInt8]] {
        let size = PixelSize(width: 8, height: 8)
        let samples = (0..<(8 * 8 * 8)).map { UInt8($0 * 5 & 255) }
        func plain(_ colorType: Int, _ channels: Int, bits: Int = 8, palette: [UInt8] = [])
            -> [UInt8]
        {
            TestPicture.png(
                Array(samples.prefix(8 * 8 * channels * bits / 8)), size, colorType: colorType,
                bitDepth: bits, palette: palette)
        }
        let frames: [TestAnimation.Frame] = [
            .init((r: 255, g: 0, b: 0, a: 255), 8, 8, disposal: .none),
            .init((r: 0, g: 255, b: 0, a: 99), 4, 4, x: 2, y: 2, disposal: .previous, blends: true),
            .init((r: 0, g: 0, b: 255, a: 0), 2, 3, x: 1, y: 1, disposal: .background),
        ]
        let profile = [(name: "iCCP", data: TestProfile.swapped)]
        let gray = [(name: "iCCP", data: TestProfile.gray(gamma: 1))]
        return [
            card.png(), card.png(interlaced: true), plain(0, 1), plain(0, 1, bits: 16),
            plain(2, 3, bits: 16), plain(4, 2), plain(6, 4), plain(6, 4, bits: 16),
            TestAnimation.apng(frames), TestPicture.png(card.png(), with: profile),
            TestPicture.png(plain(0, 1), with: profile), TestPicture.png(plain(4, 2), with: gray),
            TestPicture.png(card.png(), with: gray),
            TestPicture.png(card.png(), with: [(name: "cICP", data: [9, 16, 0, 1])]),
            TestPicture.png(card.png(), with: [(name: "gAMA", data: [0, 0, 0x80, 0])]),
        ]
    }

    private static var gifs: [[UInt8]] {
        let pixels: [UInt8] = (0..<64).map { $0 & 3 }
        let palette: [UInt32] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF]
        let whole = TestGIF.Frame(left: 0, top: 0, width: 8, height: 8, indices: pixels)
        var part = TestGIF.Frame(
            left: 2, top: 1, width: 4, height: 4, isInterlaced: true,
            indices: Array(pixels.prefix(16)))
        part.palette = [0x101010, 0x202020, 0x303030, 0x404040]
        return [
            TestGIF.encode(8, 8, palette, [whole]),
            TestGIF.encode(8, 8, palette, [whole, part], loop: (name: "NETSCAPE2.0", 3)),
            // A canvas that is smaller than its first frame, and zeros before the trailer.
            TestGIF.encode(3, 9, palette, [whole, part]).dropLast() + [0, 0, 0x3B],
        ]
    }

    private static var tiffs: [[UInt8]] {
        func page(_ bits: Int, _ samples: Int, _ photometric: Int) -> TestTIFF.Page {
            TestTIFF.Page(
                width: 8, height: 8, bits: bits, samples: samples, photometric: photometric,
                pixels: (0..<(64 * bits / 8 * samples)).map { UInt8($0 & 255) })
        }
        let pages = [page(8, 3, 2), page(16, 1, 1), page(16, 3, 2), page(8, 4, 5), page(8, 1, 0)]
        var half = page(8, 3, 2)
        (half.width, half.height, half.pixels) = (4, 4, Array(half.pixels.prefix(48)))
        var gray = page(8, 2, 1)
        gray.fields = [
            .init(338, shorts: [2]), .init(34675, bytes: TestProfile.gray(gamma: 1), type: 7),
        ]
        return (pages + [gray]).map { TestTIFF.encode([$0]) }
            + [TestTIFF.encode(pages, subPages: [half])]
    }

    private static var raws: [[UInt8]] {
        // LibRaw rejects much smaller pictures.
        let sensor = TestPicture.card(64, 48)
        return [
            TestDNG.encode(sensor),
            TestDNG.encode(
                sensor, preview: TestPicture.card(32, 24).jpeg(),
                previewSize: PixelSize(width: 32, height: 24), orientation: .rotatedRight),
        ]
    }

    /// Scan lines, tiles with mip levels, several parts, alpha, luminance and chroma, and a data window
    /// smaller than the display window.
    private static var lights: [[UInt8]] {
        let size = PixelSize(width: 20, height: 18)
        func channel(_ name: String, _ kind: TestEXR.Kind = .half, apart: Int = 1)
            -> TestEXR.Channel
        {
            .init(name, kind, apart: apart) { x, y in Float(x * 3 + y) / 64 }
        }
        let colors = ["R", "G", "B"].map { channel($0) }
        let plain = TestEXR.Part(size, colors)
        var tiled = TestEXR.Part(size, colors + [channel("A")])
        (tiled.tile, tiled.levels) = (16, 3)
        var window = TestEXR.Part(
            size, [channel("Y", .float)], display: PixelRect(x: -4, y: 2, width: 30, height: 9))
        window.chromaticities = [0.7, 0.3, 0.2, 0.7, 0.1, 0.1, 0.31, 0.33]
        let luminance = TestEXR.Part(
            size, [channel("Y"), channel("RY", apart: 2), channel("BY", apart: 2)])
        let numbers = TestEXR.Part(size, [channel("layer.R", .uint)])
        return [[plain], [tiled], [window], [luminance], [numbers], [plain, window]].map {
            TestEXR.encode($0)
        }
    }

    private static var drawings: [[UInt8]] {
        [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="4" height="3" viewBox="0 0 40 30">
            <rect width="20" height="9" fill="red" opacity=".4"/><text x="2" y="20">ab</text></svg>
            """,
            """
            <?xml version="1.0"?><svg:svg xmlns:svg="http://www.w3.org/2000/svg" height="1in">
            <svg:defs><svg:linearGradient id="g"><svg:stop offset="0" stop-color="#fff"/>
            </svg:linearGradient></svg:defs><svg:circle r="5" fill="url(#g)"/></svg:svg>
            """,
            """
            <!-- \(String(repeating: "a > b - ", count: 140)) --><!DOCTYPE x [<!ENTITY a "]>'<">
            <!-- it's ]> -->]><svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>
            """,
        ].map { Array($0.utf8) }
    }

    /// Large enough for tiled decoding at this harness's limit, with and without restart markers.
    static var jpegParts: [[UInt8]] {
        let picture = TestPicture.photograph(300, 200)
        let thumbnail = TestPicture.photograph(150, 100).jpeg(quality: 30)
        let exif = TestMetadata.exif(thumbnail: thumbnail, orientation: .rotatedLeft)
        return [
            TestPicture.photograph(72, 200).jpeg(quality: 30, restartRows: 1),
            TestPicture.photograph(40, 400).jpeg(
                quality: 30, orientation: .mirrored, restartRows: 2),
            [0xFF, 0xD8] + exif + picture.jpeg(quality: 30, restartRows: 1).dropFirst(2),
            TestPicture.photograph(60, 300).jpeg(quality: 80),
            Array(TestPicture.photograph(60, 300).jpeg(quality: 80).dropLast(2)),
            TestPicture.jpeg(
                Array(TestPicture.photograph(64, 200).pixels.prefix(64 * 200)),
                PixelSize(width: 64, height: 200), components: 1, quality: 60),
        ]
    }

    static var tiledJPEGs: [[UInt8]] {
        [
            TestPicture.photograph(300, 200).jpeg(quality: 20),
            TestPicture.photograph(130, 90).jpeg(quality: 40, orientation: .rotatedLeft),
            TestPicture.photograph(100, 160).jpeg(quality: 30, progressive: true),
            TestPicture.jpeg(
                [UInt8](repeating: 40, count: 200 * 100), PixelSize(width: 200, height: 100),
                components: 1),
        ]
    }
}
