import ImageWire
import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// Thumbnails and previews embedded in JPEG files.
@Suite struct EmbeddedJPEGTests {
    private static let size = PixelSize(width: 1200, height: 800)

    private static func exif(
        _ thumbnail: [UInt8], orientation: Orientation = .upright, offset: Int = 56,
        length: Int? = nil, next: Int = 26
    ) -> [UInt8] {
        TestMetadata.exif(
            thumbnail: thumbnail, orientation: orientation, offset: offset, length: length,
            next: next)
    }

    private static func index(
        _ length: Int, at offset: Int, kind: Int = 0x01_0002
    ) -> [UInt8] {
        TestMetadata.multiPicture(length, at: offset, kind: kind)
    }

    private static func jpeg(_ width: Int, _ height: Int, progressive: Bool = false) -> [UInt8] {
        TestPicture.card(width, height).jpeg(quality: 90, progressive: progressive)
    }

    private func found(_ segments: [UInt8], behind: [UInt8] = []) -> PixelSize? {
        let file = Self.jpeg(1200, 800).inserting(segments, at: 2) + behind
        return file.withUnsafeBytes { EmbeddedJPEG.all(in: $0, of: Self.size).last?.size }
    }

    @Test func thumbnailsWithTheAspectRatioOfThePictureAreFound() {
        #expect(found([]) == nil)
        for (width, height) in [(160, 107), (160, 106), (159, 106), (300, 200), (600, 400)] {
            #expect(found(Self.exif(Self.jpeg(width, height)))?.width == width)
        }
        // Letterboxed, another aspect ratio, tiny, hardly smaller; then progressive.
        for (width, height) in [(160, 120), (107, 160), (60, 40), (900, 600)] {
            #expect(found(Self.exif(Self.jpeg(width, height))) == nil, "\(width) × \(height)")
        }
        #expect(found(Self.exif(Self.jpeg(300, 200, progressive: true))) == nil)
    }

    @Test func largePreviewsAreFoundAfterThePicture() {
        let large = Self.jpeg(480, 320)
        let thumbnail = Self.exif(Self.jpeg(150, 100))
        let main = Self.jpeg(1200, 800).count - 2
        // Offsets in the index are relative to its TIFF header, after marker, length and name.
        let indexLength = Self.index(0, at: 0).count - 8
        let behind = indexLength + main
        #expect(found(Self.index(large.count, at: behind), behind: large)?.width == 480)
        #expect(found(thumbnail + Self.index(large.count, at: behind), behind: large)?.width == 480)
        // Other image types, such as a second view or a gain map, are not previews.
        for kind in [0, 0x02_0002, 0x03_0000] {
            #expect(found(Self.index(large.count, at: behind, kind: kind), behind: large) == nil)
        }
        // Ranges outside the file, or invalid.
        for (offset, length) in [
            (behind, large.count + 1), (behind + 1, large.count), (1 << 31, 100), (behind, 1 << 31),
            (0, large.count), (0xFFFF_FFFF, 0xFFFF_FFFF),
        ] {
            let seen = found(thumbnail + Self.index(length, at: offset), behind: large)
            #expect(seen?.width == 150, "\(offset), \(length)")
        }
    }

    @Test func invalidOffsetsAreRejected() {
        let small = Self.jpeg(150, 100)
        #expect(found(Self.exif(small))?.width == 150)
        for (offset, length) in [
            (0, small.count), (57, small.count), (56, small.count + 1), (56, 0), (56, 2),
            (0xFFFF_FFFF, small.count), (56, 0xFFFF_FFFF), (1 << 31, 1 << 31),
        ] {
            #expect(found(Self.exif(small, offset: offset, length: length)) == nil)
        }
        // Directory offsets that are invalid or point to the first directory.
        for next in [0, 1, 8, 0xFFFF, 0xFFFF_FFFF] {
            #expect(found(Self.exif(small, next: next)) == nil)
        }
        // A thumbnail inside a thumbnail is ignored.
        let nested =
            Array(Self.jpeg(64, 64).prefix(2)) + Self.exif(small) + Self.jpeg(64, 64).dropFirst(2)
        #expect(found(Self.exif(nested)) == nil)
        #expect(found(Self.exif([0xFF, 0xD8, 0xFF, 0xE0])) == nil)
    }

    private final class Sink: DecodeSink {
        var shown: [(header: PixelHeader, bytes: [UInt8])] = []
        func shouldContinue() -> Bool { true }
        func deliver(_ memory: Int32, isFinal: Bool) {
            defer { close(memory) }
            let length = Int(lseek(memory, 0, SEEK_END))
            var bytes = [UInt8](repeating: 0, count: length)
            guard !isFinal, pread(memory, &bytes, length, 0) == length,
                let header = try? PixelHeader(
                    checking: Array(bytes.prefix(PixelHeader.length)), memoryLength: length)
            else { return }
            shown.append((header, bytes))
        }
    }

    /// The previews that are delivered before a picture.
    private static func shown(
        of file: [UInt8], for target: PixelSize
    ) throws -> [(header: PixelHeader, bytes: [UInt8])] {
        let sink = Sink()
        try file.withUnsafeBytes { bytes in
            let decoder = try StillDecoder(try JPEGCodec(bytes), fileLength: bytes.count)
            _ = try decoder.previews.deliver(for: target, to: sink, on: SerialDecode.alone)
        }
        return sink.shown
    }

    /// The thumbnail comes first, then the large preview, reduced to what the target needs.
    @Test(arguments: [false, true])
    func thumbnailAndPreviewAreShownInTurn(progressive: Bool) throws {
        let large = Self.jpeg(1200, 800)
        let main = Self.jpeg(2400, 1600, progressive: progressive)
        let thumbnail = Self.exif(Self.jpeg(120, 80))
        for (segments, exponents) in [([], [2]), (thumbnail, [4, 2])] {
            let index = Self.index(
                large.count, at: Self.index(0, at: 0).count - 8 + main.count - 2 + 3_000_000)
            let file: [UInt8] = [0xFF, 0xD8] + segments + index + main.dropFirst(2)
            let shown = try Self.shown(
                of: file + [UInt8](repeating: 0, count: 3_000_000) + large,
                for: PixelSize(width: 300, height: 200))
            let seen = shown.map(\.header.levels[0].mipLevel)
            #expect(seen.prefix(exponents.count).elementsEqual(exponents))
        }
    }

    /// A preview has the geometry of the picture at a mip level, and is oriented once.
    @Test(arguments: Orientation.allCases)
    func previewsAreUpright(orientation: Orientation) throws {
        let card = TestPicture.card(1200, 800)
        let stored = card.stored(as: orientation)
        let small = TestPicture.card(150, 100).stored(as: orientation)
        for factor in [1, 4] {
            let thumbnail = TestPicture.card(150 * factor, 100 * factor).stored(as: orientation)
                .jpeg(quality: 95)
            // Padding, so that the file is large enough to get a preview.
            let segment = Self.exif(thumbnail, orientation: orientation)
            let file =
                stored.jpeg(quality: 95).inserting(segment, at: 2)
                + [UInt8](repeating: 0, count: 3_000_000)
            let first = try #require(try Self.shown(of: file, for: small.size).first)
            #expect(first.header.size == card.size && first.header.orientation == orientation)
            let level = first.header.levels[0]
            // Small thumbnails are enlarged, large ones are reduced.
            #expect(level.mipLevel == (factor == 1 ? 2 : 1))
            for (x, y) in [(200, 200), (1000, 200), (200, 600), (1000, 600)] {
                let place =
                    level.offset + (y >> level.mipLevel) * level.stride + (x >> level.mipLevel) * 4
                let word = first.bytes.withUnsafeBytes {
                    $0.load(fromByteOffset: place, as: UInt32.self)
                }
                let (r, g, b) = card.color(x, y)
                #expect(abs(Int(word >> 16 & 255) - r) < 24 && abs(Int(word >> 8 & 255) - g) < 24)
                #expect(abs(Int(word & 255) - b) < 24)
            }
        }
    }
}
