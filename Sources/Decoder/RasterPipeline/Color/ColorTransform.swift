import CCodecs

/// Converts pixels from a picture's colour space to the screen's, by lcms2.
///
/// `@unchecked Sendable`: the transform is created without lcms2's one-pixel cache, so any number
/// of threads may use it, and all of them only read it. It is freed with the last reference.
final class ColorTransform: @unchecked Sendable {
    private let library: ccodecs_lcms_library
    private let raw: OpaquePointer
    /// Samples of an output pixel, 16 bits each.
    let outputSamples: Int
    /// Whether the transform changes samples by rounding only.
    private(set) var isIdentity = false

    /// Creates a transform from `color` to the ICC profile `screen`; an empty profile means sRGB.
    ///
    /// `isGray` tells that all pixels are grey, whatever their layout: a profile of greys describes no
    /// others. Nil if no transform is needed (from sRGB to sRGB), if the profile is invalid or not for
    /// samples of `layout`, if lcms2 does not convert such samples or transfer functions, and
    /// without lcms2.
    init?(_ color: ColorSource, _ layout: SampleLayout, isGray: Bool, screen: [UInt8]) {
        guard let samples = layout.transformed else { return nil }
        let raw: OpaquePointer?
        switch color {
        case .standard:
            guard !screen.isEmpty, layout != .cmyk8 else { return nil }
            raw = ccodecs_open_lcms()?.pointee.create(nil, 0, samples, 0, screen, screen.count)
        case .profile(let profile):
            guard !profile.isEmpty else { return nil }
            raw = ccodecs_open_lcms()?.pointee.create(
                profile, profile.count, samples, isGray ? 1 : 0, screen, screen.count)
        case .encoded(let encoding):
            guard encoding != .sRGB || !screen.isEmpty, let gamma = encoding.transfer.gamma else {
                return nil
            }
            let primaries = encoding.primaries
            let chromaticities = [primaries.white, primaries.red, primaries.green, primaries.blue]
            raw = ccodecs_open_lcms()?.pointee.create_rgb(
                chromaticities.flatMap { [$0.x, $0.y] }, gamma, samples, screen, screen.count)
        }
        guard let raw, let library = ccodecs_open_lcms()?.pointee else { return nil }
        (self.library, self.raw) = (library, raw)
        outputSamples = layout.hasAlpha ? 4 : 3
        isIdentity = layout != .cmyk8 && isOnlyRounding(layout, isGray ? Self.grays : Self.colors)
    }

    deinit { library.destroy(raw) }

    func run(
        _ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt16>, pixels: Int
    ) {
        library.run(raw, source, target, pixels)
    }

    private static let grays = (0...255).map { [$0, $0, $0] }

    /// Colours all over the cube of red, green and blue.
    private static let colors: [[Int]] = {
        let steps = Array(stride(from: 0, through: 255, by: 51))
        return steps.flatMap { red in
            steps.flatMap { green in steps.map { blue in [red, green, blue] } }
        }
    }()

    /// Whether the transform only rounds, which is common: most profiles in files are sRGB.
    private func isOnlyRounding(_ layout: SampleLayout, _ colors: [[Int]]) -> Bool {
        var source: [UInt8] = []
        for color in colors {
            for sample in layout.samples(of: color) {
                source += Array(repeating: UInt8(sample), count: layout.isDeepColor ? 2 : 1)
            }
        }
        var result = [UInt16](repeating: 0, count: colors.count * outputSamples)
        run(&source, to: &result, pixels: colors.count)
        return colors.enumerated().allSatisfy { pixel, color in
            (0..<3).allSatisfy { sample in
                abs(Int(result[pixel * outputSamples + sample]) - color[sample] * 257) <= 257
            }
        }
    }
}

extension SampleLayout {
    fileprivate var isDeepColor: Bool {
        self == .gray16 || self == .rgb16 || self == .rgba16 || self == .rgbx16
    }

    /// The samples of an opaque pixel with these red, green and blue.
    fileprivate func samples(of color: [Int]) -> [Int] {
        if isGray { return [color[1]] }
        let samples = self == .bgrx8 ? color.reversed() : color
        return bytesPerPixel.isMultiple(of: 4) ? samples + [255] : samples
    }

    /// The layout for lcms2; nil if lcms2 does not convert such samples.
    fileprivate var transformed: ccodecs_samples? {
        switch self {
        case .bgrx8: CCODECS_BGRX8
        case .gray8: CCODECS_GRAY8
        case .rgb8: CCODECS_RGB8
        case .rgba8: CCODECS_RGBA8
        case .rgbx8: CCODECS_RGBX8
        case .cmyk8: CCODECS_CMYK8
        case .gray16: CCODECS_GRAY16
        case .rgb16: CCODECS_RGB16
        case .rgba16: CCODECS_RGBA16
        case .rgbx16: CCODECS_RGBX16
        case .premultipliedBGRA8, .rgbFloat, .rgbaFloat: nil
        }
    }
}

extension ColorEncoding.Transfer {
    /// The exponent, 0 for the sRGB curve; nil for functions that encode light brighter than white.
    fileprivate var gamma: Double? {
        switch self {
        case .sRGB, .bt709: 0
        case .gamma(let gamma): gamma
        case .linear: 1
        case .perceptualQuantizer, .hybridLogGamma: nil
        }
    }
}
