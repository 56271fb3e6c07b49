import Geometry
import ImageTypes
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// Raw files, all synthetic; the tests have no camera's files.
@Suite struct RAWTests {
    /// Four large fields of colour, in linear light.
    private static let fields = TestPicture(size: PixelSize(width: 320, height: 240)) { x, y in
        switch (x < 160, y < 120) {
        case (true, true): (200, 20, 20)
        case (false, true): (20, 200, 20)
        case (true, false): (20, 20, 200)
        case (false, false): (200, 200, 200)
        }
    }

    /// The strong channels in the middle of each field, in reading order.
    private func strong(_ bitmap: Bitmap, level: Int = 0) -> [String] {
        let size = bitmap.levels[level].size
        return [(1, 1), (3, 1), (1, 3), (3, 3)].map { place in
            let pixel = bitmap.pixel(
                size.width * place.0 / 4, size.height * place.1 / 4, level: level)
            return zip("rgb", [pixel.r, pixel.g, pixel.b]).filter { $0.1 > 150 }.map { "\($0.0)" }
                .joined()
        }
    }

    private let upright = ["r", "g", "b", "rgb"]

    private func preview(_ size: PixelSize) -> [UInt8] {
        TestPicture(size: size) { _, _ in (90, 10, 90) }.jpeg(quality: 95)
    }

    @Test func theCameraWhiteBalanceIsApplied() throws {
        let result = try Decoding(TestDNG.encode(Self.fields))
        #expect(result.info?.format == "RAW" && result.failure == nil && result.message == nil)
        #expect(result.info?.size == Self.fields.size)
        let bitmap = try #require(result.bitmaps.last)
        #expect(strong(bitmap) == upright)
        let white = bitmap.pixel(240, 180)
        #expect(abs(white.r - white.g) <= 6 && abs(white.b - white.g) <= 6)
    }

    @Test func theCameraPreviewComesFirst() throws {
        let size = PixelSize(width: 160, height: 120)
        let file = TestDNG.encode(Self.fields, preview: preview(size), previewSize: size)
        let result = try Decoding(file)
        #expect(result.info?.format == "RAW" && result.info?.size == Self.fields.size)
        #expect(result.bitmaps.count == 2)
        let first = try #require(result.bitmaps.first)
        #expect(first.levels.first?.mipLevel == 1)
        let pixel = first.pixel(20, 20)
        #expect(abs(pixel.r - 90) < 8 && pixel.g < 20 && abs(pixel.b - 90) < 8)
        #expect(strong(try #require(result.bitmaps.last)) == upright)
    }

    /// Mip levels finer than the camera's preview.
    @Test(arguments: [1, 2]) func intermediateMipLevelsShowTheWholePicture(_ mipLevel: Int) throws {
        let size = Self.fields.size.reduced(by: 3)
        let file = TestDNG.encode(Self.fields, preview: preview(size), previewSize: size)
        try file.withUnsafeBytes { bytes in
            let codec = try RAWCodec(bytes)
            #expect(codec.embeddedMipLevel == 3)
            let rows = try RowStream(try codec.rows(reducedBy: mipLevel))
            #expect(rows.size == Self.fields.size.reduced(by: mipLevel))
            var row = [UInt32](repeating: 0, count: rows.size.width)
            var seen: Set<String> = []
            for _ in 0..<rows.size.height {
                #expect(rows.read(&row))
                for x in [rows.size.width / 4, rows.size.width * 3 / 4] {
                    let color = [row[x] >> 16 & 255, row[x] >> 8 & 255, row[x] & 255]
                    seen.insert(zip("rgb", color).filter { $0.1 > 150 }.map { "\($0.0)" }.joined())
                }
            }
            #expect(seen.isSuperset(of: upright))
        }
        let target = PixelSize(width: 80, height: 60)
        let result = try Decoding(file, target: target)
        let first = try #require(result.bitmaps.first)
        #expect(first.levels.first?.mipLevel == 2 && strong(first) == upright)
    }

    @Test func aPreviewOfAnotherShapeIsNotShown() throws {
        let size = PixelSize(width: 200, height: 100)
        let file = TestDNG.encode(Self.fields, preview: preview(size), previewSize: size)
        #expect(try Decoding(file).bitmaps.count == 1)
    }

    @Test(arguments: [Orientation.upright, .upsideDown, .rotatedLeft, .rotatedRight])
    func orientationIsAppliedOnce(_ orientation: Orientation) throws {
        let upright = TestPicture.card(240, 240)
        // A card's fields are red, green, blue and yellow.
        let stored = upright.stored(as: orientation)
        let small = TestPicture.card(120, 120).stored(as: orientation)
        let file = TestDNG.encode(
            stored, preview: small.jpeg(quality: 95), previewSize: small.size,
            orientation: orientation)
        let result = try Decoding(file)
        #expect(result.info?.orientation == orientation)
        #expect(result.bitmaps.count == 2)
        for bitmap in result.bitmaps { #expect(strong(bitmap) == ["r", "g", "b", "rg"]) }
    }

    @Test(arguments: [(320, 240), (321, 243)])
    func withoutAPreviewHalfSizeIsDeveloped(_ width: Int, _ height: Int) throws {
        let picture = TestPicture(size: PixelSize(width: width, height: height)) { _, _ in
            (200, 20, 20)
        }
        try TestDNG.encode(picture).withUnsafeBytes { bytes in
            let codec = try RAWCodec(bytes)
            #expect(codec.coarsestMipLevel == 1 && codec.embeddedMipLevel == nil)
            let rows = try codec.rows(reducedBy: 1)
            #expect(rows.size == picture.size.reduced(by: 1) && rows.layout == .rgb16)
            var row = [UInt16](repeating: 0, count: rows.size.width * 3)
            for _ in 0..<rows.size.height {
                let count = row.withUnsafeMutableBytes { buffer in
                    buffer.baseAddress.map { rows.read([$0]) }
                }
                #expect(count == 1)
                let last = row.suffix(3).map { Int($0) }
                #expect(last[0] > 2 * last[1] && last[0] > 2 * last[2])
            }
        }
    }

    /// Missing rows are black, as in all truncated pictures.
    @Test func missingRowsAreBlackAfterScaling() throws {
        let file = TestPicture.photograph(600, 400).png()
        try Array(file.prefix(file.count / 2)).withUnsafeBytes { bytes in
            let stream = try RowStream(try PNGCodec(bytes).rows())
            let rows = try ScaledRows(stream, to: PixelSize(width: 60, height: 40))
            #expect(!rows.isComplete)
            var pixels = [UInt32](repeating: 0, count: 60 * 40)
            pixels.withUnsafeMutableBytes { buffer in
                guard let base = buffer.baseAddress else { return }
                #expect(rows.read((0..<40).map { base + $0 * 240 }) == 40)
            }
            #expect(pixels.prefix(60).allSatisfy { $0 != 0xFF00_0000 })
            #expect(pixels.suffix(60).allSatisfy { $0 == 0xFF00_0000 })
        }
    }

    @Test func aTIFFWithoutCameraDataIsTIFF() throws {
        let file = TestTIFF.encode([
            TestTIFF.Page(
                width: 1, height: 1, bits: 8, samples: 3, photometric: 2, pixels: [1, 2, 3])
        ])
        #expect(try Decoding(file).info?.format == "TIFF")
    }

    @Test(arguments: [
        "II*\0\u{10}\0\0\0CR\u{2}\0", "FUJIFILMCCD-RAW 0201", "\0\0\0\u{18}ftypcrx ",
        "IIRO\u{8}\0\0\0",
        "IIU\0\u{18}\0\0\0", "FOVb\0\0\0\0", "\0MRM\0\0\0\0", "II\u{1A}\0\0\0HEAPCCDR",
    ])
    func rawFormatsAreRecognizedBySignature(_ start: String) throws {
        #expect(PictureFormat.recognize(Array(start.utf8)) == .raw)
        // A file with only the signature is damaged.
        let padding = String(repeating: "\0", count: 400)
        let failure = try Decoding(Array((start + padding).utf8)).failure
        guard case .damaged = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func damagedFilesDoNotCrashTheDecoder() throws {
        let size = PixelSize(width: 160, height: 120)
        let file = TestDNG.encode(Self.fields, preview: preview(size), previewSize: size)
        #expect(try Damage.isSurvived(file, from: 4, seeds: 8))
        let plain = TestDNG.encode(Self.fields)
        // The directory at the end, with sizes and offsets.
        for seed in 1...10 {
            let struck = Damage.strike(plain, seed: seed, times: 4, from: plain.count - 260)
            let failure = try Decoding(struck).failure
            #expect(failure != .crashed && failure != .hung)
        }
    }
}
