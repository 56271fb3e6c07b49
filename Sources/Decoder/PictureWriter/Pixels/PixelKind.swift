import RasterPipeline

/// The type of the samples of a picture that is written or compared: one for each precision, whatever
/// the codec's layout, so that two formats with the same pixels have the same samples.
enum PixelKind: UInt8 {
    /// Red, green, blue and straight alpha, 8 bits each.
    case rgba8 = 1
    /// The same with 16 bits each, in native byte order.
    case rgba16
    /// Cyan, magenta, yellow, black; 255 is full coverage.
    case cmyk8
    /// Red, green, blue and alpha as floats.
    case rgbaFloat

    var bytesPerPixel: Int {
        switch self {
        case .rgba8, .cmyk8: 4
        case .rgba16: 8
        case .rgbaFloat: 16
        }
    }

    init(_ layout: SampleLayout) {
        self =
            switch layout {
            case .bgrx8, .premultipliedBGRA8, .gray8, .rgb8, .rgba8, .rgbx8: .rgba8
            case .cmyk8: .cmyk8
            case .gray16, .rgb16, .rgba16, .rgbx16: .rgba16
            case .rgbFloat, .rgbaFloat: .rgbaFloat
            }
    }

    /// Converts `count` pixels of a layout to this kind.
    static func convert(
        _ source: UnsafeRawPointer, _ layout: SampleLayout, to target: UnsafeMutableRawPointer,
        count: Int
    ) {
        switch layout {
        case .rgba8, .cmyk8, .rgba16, .rgbaFloat:
            target.copyMemory(from: source, byteCount: count * layout.bytesPerPixel)
        case .bgrx8, .premultipliedBGRA8, .gray8, .rgb8, .rgbx8:
            bytes(source, layout, to: target, count)
        case .gray16: samples(UInt16.self, source, [0, 0, 0], 1, .max, to: target, count)
        case .rgb16: samples(UInt16.self, source, [0, 1, 2], 3, .max, to: target, count)
        case .rgbx16: samples(UInt16.self, source, [0, 1, 2], 4, .max, to: target, count)
        case .rgbFloat: samples(Float.self, source, [0, 1, 2], 3, 1, to: target, count)
        }
    }

    private static func bytes(
        _ source: UnsafeRawPointer, _ layout: SampleLayout, to target: UnsafeMutableRawPointer,
        _ count: Int
    ) {
        switch layout {
        case .gray8: samples(UInt8.self, source, [0, 0, 0], 1, .max, to: target, count)
        case .rgb8: samples(UInt8.self, source, [0, 1, 2], 3, .max, to: target, count)
        case .rgbx8: samples(UInt8.self, source, [0, 1, 2], 4, .max, to: target, count)
        case .bgrx8: samples(UInt8.self, source, [2, 1, 0], 4, .max, to: target, count)
        default: straighten(source, to: target, count)
        }
    }

    /// Writes pixels with three of the source's samples, of which a pixel has `step`.
    private static func samples<Sample: BitwiseCopyable>(
        _: Sample.Type, _ source: UnsafeRawPointer, _ order: [Int], _ step: Int, _ opaque: Sample,
        to target: UnsafeMutableRawPointer, _ count: Int
    ) {
        let size = MemoryLayout<Sample>.size
        let (red, green, blue) = (order[0] * size, order[1] * size, order[2] * size)
        for index in 0..<count {
            let from = source + index * step * size
            let to = target + index * 4 * size
            to.storeBytes(
                of: from.loadUnaligned(fromByteOffset: red, as: Sample.self), as: Sample.self)
            to.storeBytes(
                of: from.loadUnaligned(fromByteOffset: green, as: Sample.self), toByteOffset: size,
                as: Sample.self)
            to.storeBytes(
                of: from.loadUnaligned(fromByteOffset: blue, as: Sample.self),
                toByteOffset: 2 * size,
                as: Sample.self)
            to.storeBytes(of: opaque, toByteOffset: 3 * size, as: Sample.self)
        }
    }

    /// Divides premultiplied colours by their alpha.
    private static func straighten(
        _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int
    ) {
        for index in 0..<count {
            let pixel = source.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
            let alpha = pixel >> 24
            for (place, shift) in [(0, UInt32(16)), (1, 8), (2, 0)] {
                let value = pixel >> shift & 0xFF
                let straight = alpha == 0 ? 0 : min((value * 255 + alpha / 2) / alpha, 255)
                target.storeBytes(
                    of: UInt8(straight), toByteOffset: index * 4 + place, as: UInt8.self)
            }
            target.storeBytes(of: UInt8(alpha), toByteOffset: index * 4 + 3, as: UInt8.self)
        }
    }
}
