import CCodecs
import Geometry
import ImageTypes
import Localization

/// Encodes pixels as a PNG with 8 or 16 bits, by libspng.
enum PNGEncoder {
    /// The bytes before the place of further chunks: signature and IHDR chunk.
    static let headerLength = 33

    static func encode(
        _ pixels: EditedPixels, _ progress: () -> Void
    ) throws(EditFailure) -> EncodedFile {
        guard pixels.kind == .rgba8 || pixels.kind == .rgba16 else {
            throw .refused(
                pixels.kind == .cmyk8
                    ? localized("pictures in CMYK cannot be saved as PNG")
                    : localized("pictures with high dynamic range cannot be encoded anew"))
        }
        guard let encoder = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
            throw .failed(.unreadable(reason: localized("there is not enough memory")))
        }
        defer { spng_ctx_free(encoder) }
        let isGray = pixels.isGrayForOutput
        let size = pixels.geometry.size
        var header = spng_ihdr()
        (header.width, header.height) = (UInt32(size.width), UInt32(size.height))
        header.bit_depth = pixels.kind == .rgba16 ? 16 : 8
        header.color_type = (isGray ? 0 : 2) | (pixels.hasAlpha ? 4 : 0)
        spng_set_option(encoder, SPNG_ENCODE_TO_BUFFER, 1)
        let flags = Int32(SPNG_ENCODE_PROGRESSIVE.rawValue | SPNG_ENCODE_FINALIZE.rawValue)
        try check(spng_set_ihdr(encoder, &header))
        try check(spng_encode_image(encoder, nil, 0, Int32(SPNG_FMT_PNG.rawValue), flags))
        let samples = (isGray ? [0] : [0, 1, 2]) + (pixels.hasAlpha ? [3] : [])
        try encodeRows(pixels, samples, encoder, progress)
        var length = 0
        var code: Int32 = 0
        guard let bytes = spng_get_png_buffer(encoder, &length, &code), length > headerLength else {
            throw .failed(.unreadable(reason: localized("there is not enough memory")))
        }
        return EncodedFile(taking: bytes.assumingMemoryBound(to: UInt8.self), length)
    }

    private static func encodeRows(
        _ pixels: EditedPixels, _ samples: [Int], _ encoder: OpaquePointer, _ progress: () -> Void
    ) throws(EditFailure) {
        let (width, height) = (pixels.geometry.size.width, pixels.geometry.size.height)
        let size = pixels.kind == .rgba16 ? 2 : 1
        let row = UnsafeMutableRawPointer.allocate(
            byteCount: max(pixels.rowLength, 1), alignment: 16)
        defer { row.deallocate() }
        let length = width * samples.count * size
        let packed = UnsafeMutableRawPointer.allocate(byteCount: max(length, 1), alignment: 16)
        defer { packed.deallocate() }
        for y in 0..<height {
            if y % 64 == 0 { progress() }
            pixels.copyRow(y, to: row)
            if size == 2 {
                pack(UInt16.self, row, samples, width, to: packed)
            } else {
                pack(UInt8.self, row, samples, width, to: packed)
            }
            let code = spng_encode_row(encoder, packed, length)
            guard code == 0 || (code == Int32(SPNG_EOI.rawValue) && y == height - 1) else {
                throw failure(code)
            }
        }
    }

    /// Copies the samples of pixels of four.
    private static func pack<Sample: BitwiseCopyable>(
        _: Sample.Type, _ row: UnsafeMutableRawPointer, _ samples: [Int], _ width: Int,
        to target: UnsafeMutableRawPointer
    ) {
        let source = row.assumingMemoryBound(to: Sample.self)
        let target = target.assumingMemoryBound(to: Sample.self)
        let count = samples.count
        for (place, sample) in samples.enumerated() {
            for x in 0..<width { target[x * count + place] = source[x * 4 + sample] }
        }
    }

    private static func check(_ code: Int32) throws(EditFailure) {
        guard code == 0 else { throw failure(code) }
    }

    private static func failure(_ code: Int32) -> EditFailure {
        .failed(
            .unreadable(
                reason: localized("it cannot be encoded: \(String(cString: spng_strerror(code)))")))
    }
}
