import CCodecs
import Geometry
import Glibc
import ImageTypes

/// Writes small pictures as PNG, by libspng.
enum PNGEncoder {
    /// The Average filter and zlib's run-length strategy (Z_RLE), the best for small photographs.
    ///
    /// Measured at 256 × 171: a third of the time of libspng's default, and a slightly smaller
    /// file.
    private static let filter = Int32(SPNG_FILTER_CHOICE_AVG.rawValue)
    private static let strategy: Int32 = 3

    /// Encodes pixels of `format`, in rows without gaps.
    static func encode(
        _ pixels: [UInt32], _ size: PixelSize, _ format: PixelFormat
    ) throws(DecodeFailure) -> [UInt8] {
        guard let raw = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
            throw .unreadable(reason: "there is not enough memory")
        }
        defer { spng_ctx_free(raw) }
        var header = spng_ihdr()
        header.width = UInt32(size.width)
        header.height = UInt32(size.height)
        header.bit_depth = 8
        let isOpaque = format == .rgb24
        header.color_type = UInt8(
            isOpaque ? SPNG_COLOR_TYPE_TRUECOLOR.rawValue : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA.rawValue
        )
        spng_set_option(raw, SPNG_ENCODE_TO_BUFFER, 1)
        spng_set_option(raw, SPNG_FILTER_CHOICE, filter)
        spng_set_option(raw, SPNG_IMG_COMPRESSION_STRATEGY, strategy)
        let bytes = isOpaque ? colors(pixels) : colorsAndAlpha(pixels)
        var code = spng_set_ihdr(raw, &header)
        if code == 0 {
            code = spng_encode_image(
                raw, bytes, bytes.count, Int32(SPNG_FMT_RAW.rawValue),
                Int32(SPNG_ENCODE_FINALIZE.rawValue))
        }
        var length = 0
        guard code == 0, let file = spng_get_png_buffer(raw, &length, &code) else {
            throw .unreadable(reason: String(cString: spng_strerror(code)))
        }
        defer { free(file) }
        return Array(UnsafeRawBufferPointer(start: file, count: length))
    }

    private static func colors(_ pixels: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pixels.count * 3)
        for pixel in pixels {
            bytes.append(UInt8(truncatingIfNeeded: pixel >> 16))
            bytes.append(UInt8(truncatingIfNeeded: pixel >> 8))
            bytes.append(UInt8(truncatingIfNeeded: pixel))
        }
        return bytes
    }

    /// R, G, B and A bytes from premultiplied pixels, since PNG has straight alpha.
    private static func colorsAndAlpha(_ pixels: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pixels.count * 4)
        for pixel in pixels {
            let alpha = pixel >> 24
            for shift in [UInt32(16), 8, 0] {
                let value = pixel >> shift & 255
                bytes.append(alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha)))
            }
            bytes.append(UInt8(alpha))
        }
        return bytes
    }
}
