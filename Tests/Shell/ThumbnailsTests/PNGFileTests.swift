import Geometry
import ImageTypes
import TestKit
import Testing

@testable import Thumbnails

@Suite struct PNGFileTests {
    /// Sizes at which rows end at each byte of a word.
    private static let narrow = (1...9).map { ($0, 2) }

    private let bare = TestPicture.card(5, 3).png()

    /// A bitmap whose rows have gaps.
    private func bitmap(_ width: Int, _ height: Int, _ format: PixelFormat) -> Bitmap {
        let pixels = TestPixels(width: width, height: height) { x, y in
            let (red, green) = (UInt32(x * 37 & 255), UInt32(y * 11 & 255))
            let alpha = format == .rgb24 ? 77 : max(red, green, UInt32(x &* y & 255))
            return alpha << 24 | red << 16 | green << 8 | min(alpha, 9)
        }
        return pixels.bitmap(format)
    }

    @Test func textsRoundTrip() throws {
        let file = PNGFile.picture(
            bitmap(5, 3, .rgb24), [("Thumb::URI", [1, 2, 3]), ("Other", [])])
        let read = try PNGFile(file)
        #expect(read.text("Thumb::URI") == [1, 2, 3])
        #expect(read.text("Other") == [])
        #expect(read.text("Thumb") == nil)
        #expect(PNGCheck(file)?.chunks == ["IHDR", "tEXt", "tEXt", "IDAT", "IEND"])
    }

    /// A failure is recorded as one transparent pixel.
    @Test func theBlankPictureIsValid() {
        let check = PNGCheck(PNGFile.blank([("Comment", Array("no".utf8))]))
        #expect(check?.chunks == ["IHDR", "tEXt", "IDAT", "IEND"])
        #expect(check?.samples == [0, 0, 0, 0])
    }

    @Test(arguments: [(1, 1), (5, 3), (256, 171), (1, 300), (300, 1)] + narrow)
    func opaquePixelsAreEncodedWithoutLoss(_ width: Int, _ height: Int) {
        let bitmap = bitmap(width, height, .rgb24)
        let check = PNGCheck(PNGFile.picture(bitmap, []))
        let expected = (0..<height).flatMap { y in
            (0..<width).flatMap { x in
                let (r, g, b) = bitmap.color(x, y)
                return [UInt8(r), UInt8(g), UInt8(b)]
            }
        }
        #expect(check?.samples == expected)
    }

    /// PNG has straight alpha.
    @Test(arguments: [(1, 1), (5, 3), (256, 171)] + narrow)
    func transparentPixelsAreEncodedStraight(_ width: Int, _ height: Int) {
        let bitmap = bitmap(width, height, .argb32)
        let check = PNGCheck(PNGFile.picture(bitmap, []))
        let expected = (0..<height).flatMap { y in
            (0..<width).flatMap { x in
                let (r, g, b) = bitmap.color(x, y)
                let alpha = max(x * 37 & 255, y * 11 & 255, x &* y & 255)
                func straight(_ value: Int) -> UInt8 {
                    alpha == 0 ? 0 : UInt8((Double(value) * 255 / Double(alpha)).rounded())
                }
                return [straight(r), straight(g), straight(b), UInt8(alpha)]
            }
        }
        #expect(check?.samples == expected)
    }

    /// A compromised decoder may send colours that are above their alpha.
    @Test func colorsAboveTheirAlphaAreLimited() {
        let bitmap = TestPixels(width: 2, height: 1) { x, _ in
            x == 0 ? 0x00FF_8001 : 0x0AC8_0A05
        }.bitmap(.argb32)
        let check = PNGCheck(PNGFile.picture(bitmap, []))
        #expect(check?.samples == [0, 0, 0, 0, 255, 255, 128, 10])
    }

    @Test func anyBytesAreRefusedOrRead() {
        var seed = UInt64(3)
        for round in 0..<5000 {
            var file = bare
            for _ in 0..<(1 + round % 6) {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                file[Int(seed >> 33) % file.count] = UInt8(seed >> 24 & 255)
            }
            let bytes = Array(file.prefix(Int(seed >> 40) % (file.count + 1)))
            guard let read = try? PNGFile(bytes) else { continue }
            #expect((read.text("Thumb::URI")?.count ?? 0) <= bytes.count)
        }
    }
}

/// Pixels of a test, in rows with gaps.
///
/// `@unchecked Sendable`: the memory is written in `init` alone.
private final class TestPixels: PixelMemory, @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
    private let size: PixelSize
    private let stride: Int

    init(width: Int, height: Int, _ pixel: (Int, Int) -> UInt32) {
        (size, stride) = (PixelSize(width: width, height: height), width * 4 + 12)
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: 8 + stride * height, alignment: 8)
        for y in 0..<height {
            for x in 0..<width {
                memory.storeBytes(
                    of: pixel(x, y), toByteOffset: 8 + y * stride + 4 * x, as: UInt32.self)
            }
        }
        bytes = UnsafeRawBufferPointer(memory)
    }

    deinit { bytes.deallocate() }

    func bitmap(_ format: PixelFormat) -> Bitmap {
        let level = Bitmap.Level(mipLevel: 0, size: size, stride: stride, offset: 8)
        return Bitmap(size: size, format: format, levels: [level], memory: self)
    }
}
