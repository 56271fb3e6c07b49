import CLinux
import ImageWire
import Geometry
import Glibc
import ImageTypes
import RasterPipeline

@testable import Codecs
@testable import DecodeClient

/// Tiled decoding: the overview, some tiles and a thumbnail.
///
/// A JPEG is decoded from its file; other formats go through a backing file.
struct TiledHarness: Harness {
    let isJPEG: Bool
    var name: String { isJPEG ? "tiled-jpeg" : "tiled" }
    var seeds: [[UInt8]] { isJPEG ? Seeds.tiledJPEGs : Seeds.pictures(nil) }

    /// A limit so low that small pictures are tiled.
    private static let wholePixels = 1 << 12
    private static let mostPixels = 1 << 22
    private static let parts = 6
    private static let longestSide = 200
    /// The coarsest mip level of the picture itself.
    private static let coarsest = 4

    func prepare() { DecodeSettings.limits.wholePixels = Self.wholePixels }

    func run(_ bytes: UnsafeRawBufferPointer) {
        let file = Seeds.file(bytes)
        defer { close(file) }
        do throws(DecodeFailure) {
            guard var tiled = try open(file, bytes) else { return }
            let info = tiled.info
            checkArrives(.info(id: 1, info))
            // For drawings only the requested tiles are painted, so their size does not matter.
            guard info.detail > 0 || !info.size.isLarger(than: Self.mostPixels) else { return }
            (tiled as? any DiskBackedDecoder)?.receive(
                backingFile: Self.backingFile(info.backingFileBytes))
            let sink = ViewerSink(info)
            _ = try tiled.decode(for: PixelSize(width: 40, height: 40), to: sink)
            var dice = Dice(bytes)
            for _ in 0..<Self.parts { try? decode(Self.part(of: info, &dice), tiled) }
            let request = ThumbnailRequest(side: 32)
            _ = try Thumbnail.make(tiled, request, for: ViewerSink(info, thumbnail: request))
        } catch {
            checkArrives(.failed(id: 1, error))
        }
    }

    private func open(
        _ file: Int32, _ bytes: UnsafeRawBufferPointer
    ) throws(DecodeFailure) -> (any TiledDecoder)? {
        isJPEG
            ? try PictureDecoders.open(try ReceivedFile(file)) as? TiledJPEG
            : try PictureDecoders.open(bytes) as? any TiledDecoder
    }

    private static func backingFile(_ length: Int) -> Int32 {
        let memory = clinux_memfd_create("backingFile")
        ftruncate(memory, length)
        return memory
    }

    private func decode(_ part: PictureTile, _ tiled: any TiledDecoder) throws(DecodeFailure) {
        let memory = try tiled.part(part, ViewerSink(tiled.info))
        ViewerSink.read(
            ViewerSink.believed {
                try SealedMemory(taking: memory).bitmap(of: tiled.info, part: part)
            })
    }

    /// A random tile, either valid or slightly outside the picture.
    private static func part(of info: PictureInfo, _ dice: inout Dice) -> PictureTile {
        let finest = PixelSize(
            width: info.size.width << info.detail, height: info.size.height << info.detail)
        let mipLevel = dice.roll(coarsest + info.detail + 1)
        let level = finest.reduced(by: mipLevel)
        let (x, y) = (dice.roll(level.width), dice.roll(level.height))
        let width = 1 + dice.roll(min(level.width - x + (dice.roll(8) == 0 ? 1 : 0), longestSide))
        let height = 1 + dice.roll(min(level.height - y, longestSide))
        return PictureTile(
            mipLevel: mipLevel, rect: PixelRect(x: x, y: y, width: width, height: height))
    }
}

/// Pseudo-random numbers that depend only on the bytes of the input.
struct Dice {
    private var state: UInt64

    init(_ bytes: UnsafeRawBufferPointer) {
        state = bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }

    /// 0 to `sides` − 1.
    mutating func roll(_ sides: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(sides, 1)
    }
}
