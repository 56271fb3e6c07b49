/// The type of a row's samples, and their layout in memory.
package enum SampleLayout: Hashable {
    /// Opaque 32-bit pixels 0xFFRRGGBB, the final format.
    case bgrx8
    /// Premultiplied 32-bit pixels 0xAARRGGBB, the final format.
    case premultipliedBGRA8
    case gray8
    case rgb8
    /// Straight alpha, as in all layouts below.
    case rgba8
    /// The fourth sample is ignored.
    case rgbx8
    /// 255 is full coverage.
    case cmyk8
    /// Samples of 16 bits in native byte order.
    ///
    /// HDR transfer functions are supported only for these layouts.
    case gray16, rgb16, rgba16, rgbx16
    /// Linear light, where 1 is white; brighter values are tone-mapped.
    case rgbFloat, rgbaFloat

    /// Bytes of the samples of a pixel.
    package var bytesPerPixel: Int {
        switch self {
        case .gray8: 1
        case .gray16: 2
        case .rgb8: 3
        case .bgrx8, .premultipliedBGRA8, .rgba8, .rgbx8, .cmyk8: 4
        case .rgb16: 6
        case .rgba16, .rgbx16: 8
        case .rgbFloat: 12
        case .rgbaFloat: 16
        }
    }

    /// Whether a pixel is a single sample, which is red, green and blue in one.
    package var isGray: Bool { self == .gray8 || self == .gray16 }

    /// Whether pixels may be transparent.
    package var hasAlpha: Bool {
        switch self {
        case .premultipliedBGRA8, .rgba8, .rgba16, .rgbaFloat: true
        case .bgrx8, .gray8, .rgb8, .rgbx8, .cmyk8, .gray16, .rgb16, .rgbx16, .rgbFloat:
            false
        }
    }
}
