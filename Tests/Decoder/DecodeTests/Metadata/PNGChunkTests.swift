import CLinux
import DecodeClient
import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

@testable import Metadata

/// Good pictures with chunks that are absurd, which the pictures do not need.
@Suite struct PNGChunkTests {
    private let card = TestPicture.card(30, 20)
    /// More than libspng's limits allow.
    private static let long = 70 << 20

    /// A chunk whose checksum is wrong, which nobody minds.
    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let length = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (24 - 8 * $0)) }
        return length + Array(name.utf8) + data + [0, 0, 0, 0]
    }

    /// 512 MiB of zeros, compressed by zlib.
    private static let bomb: [UInt8] = {
        let folder = TemporaryFolder()
        let path = folder / "bomb"
        let script = """
            import sys, zlib
            packer = zlib.compressobj(1)
            with open(sys.argv[1], 'wb') as file:
                for _ in range(512): file.write(packer.compress(bytes(1 << 20)))
                file.write(packer.flush())
            """
        _ = ChildProcess.run(["/usr/bin/python3", "-c", script, path])
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8 << 20)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }()

    enum Burden: String, CaseIterable, Sendable {
        case longText, manyTexts, longUnicodeText, longExif, longUnknown, manyUnknown, manyLongTexts
        case textBomb, unicodeTextBomb, profileBomb, longProfile, damagedChunks

        var chunks: [UInt8] {
            let zeros = [UInt8](repeating: 0, count: PNGChunkTests.long)
            let keyword = Array("Comment\0".utf8)
            let text = keyword + [UInt8](repeating: 120, count: PNGChunkTests.long)
            switch self {
            case .longText: return chunk("tEXt", text)
            case .manyTexts: return (0..<20_000).flatMap { _ in chunk("tEXt", keyword + [65]) }
            case .longUnicodeText: return chunk("iTXt", keyword + [0, 0, 0, 0] + text)
            case .longExif: return chunk("eXIf", Array("MM\0*".utf8) + [0, 0, 0, 8] + zeros)
            case .longUnknown: return chunk("prVt", zeros)
            case .manyUnknown: return (0..<20_000).flatMap { _ in chunk("prVt", [65]) }
            case .manyLongTexts:
                let part = chunk("tEXt", Array(text.prefix(2 << 20)))
                return (0..<40).flatMap { _ in part }
            case .textBomb: return chunk("zTXt", keyword + [0] + PNGChunkTests.bomb)
            case .unicodeTextBomb:
                return chunk("iTXt", keyword + [1, 0, 0, 0] + PNGChunkTests.bomb)
            case .profileBomb: return chunk("iCCP", keyword + [0] + PNGChunkTests.bomb)
            case .longProfile: return chunk("iCCP", keyword + [0] + text)
            case .damagedChunks:
                return ["tEXt", "zTXt", "iTXt", "iCCP", "eXIf", "tIME", "pHYs", "sPLT", "cHRM"]
                    .flatMap { chunk($0, [0, 0, 1]) }
            }
        }

        private func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            PNGChunkTests.chunk(name, data)
        }
    }

    private func file(_ burden: Burden, _ picture: [UInt8]) -> [UInt8] {
        picture.inserting(burden.chunks, at: 33)
    }

    @Test(arguments: Burden.allCases)
    func thePictureIsShown(_ burden: Burden) throws {
        let result = try Decoding(file(burden, card.png()))
        #expect(result.failure == nil && result.message == nil)
        #expect(result.bitmaps.last?.largestDifference(from: card) == 0)
    }

    /// The chunks of an interlaced picture, of frames and of truncated files are selected alike.
    @Test func otherPicturesWithLongTextsAreShown() throws {
        let interlaced = try Decoding(file(.longText, card.png(interlaced: true)))
        #expect(interlaced.bitmaps.last?.largestDifference(from: card) == 0)
        let photo = TestPicture.photograph(320, 240)
        let whole = file(.longText, TestPicture.inOneChunk(photo.png()))
        let cut = try Decoding(Array(whole.dropLast(photo.png().count / 2)))
        #expect(cut.message?.contains("cut short") == true && cut.failure == nil)
        let (_, r, g, b) = try #require(cut.bitmaps.last).pixel(100, 20)
        #expect(photo.color(100, 20) == (r, g, b))
    }

    @Test func theOrientationIsRead() throws {
        let exif: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
            + [0, 0, 0, 0]
        let picture = card.png()
        let file = picture.inserting(
            Burden.longText.chunks + Self.chunk("eXIf", exif), at: 33)
        let info = try #require(try Decoding(file).info)
        #expect(info.size == PixelSize(width: 20, height: 30))
    }

    /// The information panel reads the same files.
    @Test(arguments: Burden.allCases)
    func theMetadataAreReadInLittleTime(_ burden: Burden) {
        let file = file(burden, card.png())
        let start = ContinuousClock.now
        let metadata = file.withUnsafeBytes(MetadataReader.read)
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(metadata.entries.count <= PictureMetadata.mostEntries)
    }
}
