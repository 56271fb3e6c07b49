/// The colour space that a picture declares.
package enum ColorSource: Hashable {
    /// sRGB, or no declaration.
    case standard
    /// An ICC profile, not validated.
    case profile([UInt8])
    /// Primaries and a transfer function.
    case encoded(ColorEncoding)

    /// Whether the colour space is sRGB; ICC profiles are not examined.
    package var isSRGB: Bool { self == .standard || self == .encoded(.sRGB) }
}

/// A colour space given by numbers, as in PNG's gAMA, cHRM and cICP or in an nclx box.
package struct ColorEncoding: Hashable {
    /// Chromaticities, CIE xy.
    package struct Primaries: Hashable {
        /// A point of the CIE xy diagram.
        package struct Chromaticity: Hashable {
            package var x: Double
            package var y: Double

            package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
        }

        /// The white point.
        package var white: Chromaticity
        package var red: Chromaticity
        package var green: Chromaticity
        package var blue: Chromaticity

        private static let d65 = Chromaticity(0.3127, 0.3290)

        /// Those of sRGB and ITU-R BT.709.
        package static let bt709 = Primaries(
            white: d65, red: .init(0.640, 0.330), green: .init(0.300, 0.600),
            blue: .init(0.150, 0.060))
        /// Those of ITU-R BT.2020.
        package static let bt2020 = Primaries(
            white: d65, red: .init(0.708, 0.292), green: .init(0.170, 0.797),
            blue: .init(0.131, 0.046))
        /// SMPTE EG 432-1 with D65's white: Display P3.
        package static let displayP3 = Primaries(
            white: d65, red: .init(0.680, 0.320), green: .init(0.265, 0.690),
            blue: .init(0.150, 0.060))
        /// ITU-R BT.601 with 525 lines, SMPTE 170M.
        package static let bt601 = Primaries(
            white: d65, red: .init(0.630, 0.340), green: .init(0.310, 0.595),
            blue: .init(0.155, 0.070))
        /// ITU-R BT.601 with 625 lines.
        package static let bt601With625Lines = Primaries(
            white: d65, red: .init(0.640, 0.330), green: .init(0.290, 0.600),
            blue: .init(0.150, 0.060))

        /// From a code point of ITU-T H.273, table 2; nil for those that no picture has.
        package init?(codePoint: Int) {
            switch codePoint {
            case 1: self = .bt709
            case 5: self = .bt601With625Lines
            case 6, 7: self = .bt601
            case 9: self = .bt2020
            case 12: self = .displayP3
            default: return nil
            }
        }

        package init(
            white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity
        ) {
            (self.white, self.red, self.green, self.blue) = (white, red, green, blue)
        }

        /// The code point of ITU-T H.273, table 2; nil for primaries that have none.
        package var codePoint: Int? {
            [1, 5, 6, 9, 12].first { Self(codePoint: $0)?.isNear(self) ?? false }
        }

        /// Whether the chromaticities differ only by rounding.
        package func isNear(_ other: Self) -> Bool {
            zip([white, red, green, blue], [other.white, other.red, other.green, other.blue])
                .allSatisfy { abs($0.x - $1.x) < 0.001 && abs($0.y - $1.y) < 0.001 }
        }
    }

    /// A transfer function from encoded values to linear light.
    package enum Transfer: Hashable {
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
        package init?(codePoint: Int) {
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

        /// The code point of ITU-T H.273, table 3; nil for most gammas.
        package var codePoint: Int? {
            switch self {
            case .bt709: 1
            case .gamma(2.2): 4
            case .gamma(2.8): 5
            case .linear: 8
            case .sRGB: 13
            case .perceptualQuantizer: 16
            case .hybridLogGamma: 18
            case .gamma: nil
            }
        }

        /// Whether the function encodes light brighter than white.
        package var isHighRange: Bool { self == .perceptualQuantizer || self == .hybridLogGamma }
    }

    /// The chromaticities of the samples.
    package var primaries: Primaries
    /// The function from samples to linear light.
    package var transfer: Transfer

    package static let sRGB = ColorEncoding(primaries: .bt709, transfer: .sRGB)

    package init(primaries: Primaries, transfer: Transfer) {
        (self.primaries, self.transfer) = (primaries, transfer)
    }

    /// From code points of ITU-T H.273; nil if none of them is known.
    ///
    /// The transfer function of BT.709 is replaced by sRGB's, as is usual for still pictures.
    package init?(primaries: Int, transfer: Int) {
        let known = Primaries(codePoint: primaries) ?? .bt709
        guard let curve = Transfer(codePoint: transfer) else {
            guard Primaries(codePoint: primaries) != nil else { return nil }
            self.init(primaries: known, transfer: .sRGB)
            return
        }
        self.init(primaries: known, transfer: curve == .bt709 ? .sRGB : curve)
    }
}
