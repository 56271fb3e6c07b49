import Geometry
import ImageTypes
import ImageWire
import Testing

@testable import DecodeClient

/// When a new file counts as the picture that was asked for.
@Suite struct FingerprintComparisonTests {
    private func fingerprint(
        _ format: PictureFormat, width: Int, color: UInt8, pixels: UInt8
    ) -> PictureFingerprint {
        PictureFingerprint(
            format: format.name, size: PixelSize(width: width, height: 40),
            pixels: [UInt8](repeating: pixels, count: PictureFingerprint.hashLength),
            colors: [UInt8](
                repeating: color, count: PictureFingerprint.side * PictureFingerprint.side * 3),
            metadata: PictureFingerprint.metadataKinds.map { _ in [] })
    }

    /// The new file has other pixels, whose mean colours differ by `difference`.
    private func failure(
        _ format: PictureFormat, width: Int, difference: UInt8,
        _ method: EditMethod = .orientationTag
    ) -> WriteFailure? {
        FingerprintComparison.failure(
            fingerprint(format, width: width, color: 100, pixels: 1),
            fingerprint(format, width: width, color: 100 + difference, pixels: 2),
            EditDescription(
                method, format: format.name, fileExtension: "x",
                size: PixelSize(width: width, height: 40)))
    }

    /// Chroma that was interpolated after the turn.
    @Test(arguments: [PictureFormat.heic, .avif])
    func theTagOfAnOddSizeMayChangeColoursALittle(_ format: PictureFormat) {
        #expect(failure(format, width: 61, difference: 4) == nil)
        #expect(failure(format, width: 61, difference: 5) == .differentPixels)
    }

    @Test func allElseWithoutLossHasEqualPixels() {
        #expect(failure(.heic, width: 60, difference: 0) == .differentPixels)
        #expect(failure(.jpeg, width: 61, difference: 0) == .differentPixels)
        #expect(failure(.jpegXL, width: 61, difference: 0) == .differentPixels)
        #expect(
            failure(.heic, width: 61, difference: 0, .reencoded(quality: nil)) == .differentPixels)
        #expect(failure(.jpeg, width: 61, difference: 0, .jpegCoefficients) == .differentPixels)
    }

    @Test func anEncodingWithLossHasSimilarColours() {
        #expect(failure(.jpeg, width: 60, difference: 12, .reencoded(quality: 90)) == nil)
        #expect(
            failure(.jpeg, width: 60, difference: 13, .reencoded(quality: 90)) == .differentPixels)
    }
}
