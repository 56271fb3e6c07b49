import Geometry
import ImageTypes

/// A picture's rows as its library gives them, from the top down.
///
/// Whatever a library does with a file stays behind this: what comes after (colour, orientation,
/// reductions, scaling) is the same for every format.
protocol RowSource: AnyObject {
    /// As stored, perhaps reduced.
    var size: PixelSize { get }
    var layout: SampleLayout { get }
    var color: ColorSource { get }
    /// The brightest light of a picture in floats, 1 being white.
    var peak: Float { get }
    /// Whether nothing of the picture has been missing so far.
    var isComplete: Bool { get }
    /// Decodes the next rows, each `layout.bytesPerPixel * size.width` long; how many came, fewer
    /// where the file ends.
    func read(_ rows: [UnsafeMutableRawPointer]) -> Int
    /// Called before the first `read`, so that what cannot be decoded at all shows; `place` is where
    /// rows of words come to lie for good, if they do.
    func begin(_ place: RowPlace?) throws(DecodeFailure)
}

extension RowSource {
    var peak: Float { 1 }
    func begin(_ place: RowPlace?) {}
}

/// Where rows come to lie, which is where `read` will want them.
///
/// Row `y` is at `y * stride` bytes from `base`. Libraries that make a whole picture can put it there.
struct RowPlace {
    var base: UnsafeMutableRawPointer
    var stride: Int
}

/// What the samples of a row are and how they lie in memory.
enum SampleLayout: Hashable {
    /// Words 0xFFRRGGBB: opaque pixels as they are painted.
    case opaqueWords
    /// Words 0xAARRGGBB, premultiplied: pixels as they are painted.
    case premultipliedWords
    case gray8
    case rgb8
    /// Straight alpha, as in everything that follows.
    case rgba8
    /// The fourth sample means nothing.
    case rgbx8
    /// 255 is full ink.
    case cmyk8
    /// Samples of 16 bits in the machine's order.
    ///
    /// High-range transfer functions are for these alone.
    case gray16, rgb16, rgba16, rgbx16
    /// Linear light, 1 being white; brighter values are mapped to what a screen can show.
    case rgbFloat, rgbaFloat

    var bytesPerPixel: Int {
        switch self {
        case .gray8: 1
        case .gray16: 2
        case .rgb8: 3
        case .opaqueWords, .premultipliedWords, .rgba8, .rgbx8, .cmyk8: 4
        case .rgb16: 6
        case .rgba16, .rgbx16: 8
        case .rgbFloat: 12
        case .rgbaFloat: 16
        }
    }

    var hasAlpha: Bool {
        switch self {
        case .premultipliedWords, .rgba8, .rgba16, .rgbaFloat: true
        case .opaqueWords, .gray8, .rgb8, .rgbx8, .cmyk8, .gray16, .rgb16, .rgbx16, .rgbFloat:
            false
        }
    }
}

/// What a picture says its numbers mean.
enum ColorSource: Hashable {
    /// Nothing, or that they are sRGB's.
    case standard
    /// An ICC profile, unchecked.
    case profile([UInt8])
    /// Primaries and a transfer function by numbers.
    case encoded(ColorEncoding)

    /// Whether they are sRGB's, as far as is told without reading a profile.
    var isSRGB: Bool { self == .standard || self == .encoded(.sRGB) }
}

/// A colour space by numbers, as PNG's gAMA, cHRM and cICP or an nclx box have it.
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

        /// By the code points of ITU-T H.273, table 2; nil for those that no picture has.
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

    /// From the numbers to light.
    enum Transfer: Hashable {
        case sRGB
        /// light = number ^ exponent.
        case gamma(Double)
        case linear
        /// ITU-R BT.709, 601 and 2020 share it.
        case bt709
        /// SMPTE ST 2084.
        case perceptualQuantizer
        /// ARIB STD-B67.
        case hybridLogGamma

        /// By the code points of ITU-T H.273, table 3; nil for those that no picture has.
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

        /// Whether it codes more light than a screen's white.
        var isHighRange: Bool { self == .perceptualQuantizer || self == .hybridLogGamma }
    }

    var primaries: Primaries
    var transfer: Transfer

    static let sRGB = ColorEncoding(primaries: .bt709, transfer: .sRGB)

    init(primaries: Primaries, transfer: Transfer) {
        (self.primaries, self.transfer) = (primaries, transfer)
    }

    /// By the code points of ITU-T H.273; nil where they say nothing that is known.
    ///
    /// Broadcast's transfer function is taken for sRGB's, as everybody does with stills that bear it.
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
