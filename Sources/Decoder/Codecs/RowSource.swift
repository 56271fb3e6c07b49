import Geometry
import ImageTypes

/// The rows of a picture as its library decodes them, from the top down.
///
/// The protocol hides the library: all further steps (colour, orientation, reduction, scaling) are
/// the same for every format.
protocol RowSource: AnyObject {
    /// Size in pixels as stored, possibly reduced.
    var size: PixelSize { get }
    var layout: SampleLayout { get }
    var color: ColorSource { get }
    /// The brightest linear value of a picture in floats; 1 is white.
    var peak: Float { get }
    /// Whether no data of the picture has been missing so far.
    var isComplete: Bool { get }
    /// Decodes the next rows, each `layout.bytesPerPixel * size.width` bytes long.
    ///
    /// Returns the number of decoded rows, which is smaller if the file ends early.
    func read(_ rows: [UnsafeMutableRawPointer]) -> Int
    /// Called once before the first `read`; throws if nothing can be decoded.
    ///
    /// `place` is the final destination of rows that need no conversion, nil if there is none.
    func begin(_ place: RowPlace?) throws(DecodeFailure)
}

extension RowSource {
    var peak: Float { 1 }
    func begin(_ place: RowPlace?) {}
}

/// The final destination of a picture's rows, which is also passed to `read`.
///
/// Row `y` is at `y * stride` bytes from `base`. A library that decodes a whole picture at once can
/// decode it directly to this memory.
struct RowPlace {
    var base: UnsafeMutableRawPointer
    var stride: Int
}

/// The type of a row's samples, and their layout in memory.
enum SampleLayout: Hashable {
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
    /// 255 is full ink.
    case cmyk8
    /// Samples of 16 bits in native byte order.
    ///
    /// HDR transfer functions are supported only for these layouts.
    case gray16, rgb16, rgba16, rgbx16
    /// Linear light, where 1 is white; brighter values are tone-mapped.
    case rgbFloat, rgbaFloat

    var bytesPerPixel: Int {
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

    var hasAlpha: Bool {
        switch self {
        case .premultipliedBGRA8, .rgba8, .rgba16, .rgbaFloat: true
        case .bgrx8, .gray8, .rgb8, .rgbx8, .cmyk8, .gray16, .rgb16, .rgbx16, .rgbFloat:
            false
        }
    }
}

/// The colour space that a picture declares.
enum ColorSource: Hashable {
    /// sRGB, or no declaration.
    case standard
    /// An ICC profile, not validated.
    case profile([UInt8])
    /// Primaries and a transfer function.
    case encoded(ColorEncoding)

    /// Whether the colour space is sRGB; ICC profiles are not examined.
    var isSRGB: Bool { self == .standard || self == .encoded(.sRGB) }
}

/// A colour space given by numbers, as in PNG's gAMA, cHRM and cICP or in an nclx box.
struct ColorEncoding: Hashable {
    /// Chromaticities, CIE xy.
    struct Primaries: Hashable {
        struct Chromaticity: Hashable {
            var x: Double
            var y: Double

            init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
        }

        var white: Chromaticity
        var red: Chromaticity
        var green: Chromaticity
        var blue: Chromaticity

        private static let d65 = Chromaticity(0.3127, 0.3290)

        /// Those of sRGB and ITU-R BT.709.
        static let bt709 = Primaries(
            white: d65, red: .init(0.640, 0.330), green: .init(0.300, 0.600),
            blue: .init(0.150, 0.060))
        /// Those of ITU-R BT.2020.
        static let bt2020 = Primaries(
            white: d65, red: .init(0.708, 0.292), green: .init(0.170, 0.797),
            blue: .init(0.131, 0.046))
        /// SMPTE EG 432-1 with D65's white: Display P3.
        static let displayP3 = Primaries(
            white: d65, red: .init(0.680, 0.320), green: .init(0.265, 0.690),
            blue: .init(0.150, 0.060))
        /// ITU-R BT.601 with 525 lines, SMPTE 170M.
        static let bt601 = Primaries(
            white: d65, red: .init(0.630, 0.340), green: .init(0.310, 0.595),
            blue: .init(0.155, 0.070))
        /// ITU-R BT.601 with 625 lines.
        static let bt601With625Lines = Primaries(
            white: d65, red: .init(0.640, 0.330), green: .init(0.290, 0.600),
            blue: .init(0.150, 0.060))

        /// From a code point of ITU-T H.273, table 2; nil for those that no picture has.
        init?(codePoint: Int) {
            switch codePoint {
            case 1: self = .bt709
            case 5: self = .bt601With625Lines
            case 6, 7: self = .bt601
            case 9: self = .bt2020
            case 12: self = .displayP3
            default: return nil
            }
        }

        init(
            white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity
        ) {
            (self.white, self.red, self.green, self.blue) = (white, red, green, blue)
        }
    }

    /// A transfer function from encoded values to linear light.
    enum Transfer: Hashable {
        case sRGB
        /// linear = encoded ^ gamma.
        case gamma(Double)
        case linear
        /// ITU-R BT.709, 601 and 2020 share this function.
        case bt709
        /// SMPTE ST 2084.
        case perceptualQuantizer
        /// ARIB STD-B67.
        case hybridLogGamma

        /// From a code point of ITU-T H.273, table 3; nil for those that no picture has.
        init?(codePoint: Int) {
            switch codePoint {
            case 1, 6, 14, 15: self = .bt709
            case 4: self = .gamma(2.2)
            case 5: self = .gamma(2.8)
            case 8: self = .linear
            case 13: self = .sRGB
            case 16: self = .perceptualQuantizer
            case 18: self = .hybridLogGamma
            default: return nil
            }
        }

        /// Whether the function encodes light brighter than white.
        var isHighRange: Bool { self == .perceptualQuantizer || self == .hybridLogGamma }
    }

    var primaries: Primaries
    var transfer: Transfer

    static let sRGB = ColorEncoding(primaries: .bt709, transfer: .sRGB)

    init(primaries: Primaries, transfer: Transfer) {
        (self.primaries, self.transfer) = (primaries, transfer)
    }

    /// From code points of ITU-T H.273; nil if none of them is known.
    ///
    /// The transfer function of BT.709 is replaced by sRGB's, as is usual for still pictures.
    init?(primaries: Int, transfer: Int) {
        let known = Primaries(codePoint: primaries) ?? .bt709
        guard let curve = Transfer(codePoint: transfer) else {
            guard Primaries(codePoint: primaries) != nil else { return nil }
            self.init(primaries: known, transfer: .sRGB)
            return
        }
        self.init(primaries: known, transfer: curve == .bt709 ? .sRGB : curve)
    }
}
