import CCodecs

/// Takes a picture's numbers to those of the screen's colour space, by lcms2.
///
/// `@unchecked Sendable`: the transform is made without lcms2's one-pixel cache, and then it is only
/// read, by as many threads as like; it is freed with the last of them.
final class ColorTransform: @unchecked Sendable {
    private let raw: OpaquePointer
    /// Samples of a pixel that comes out, 16 bits each.
    let outputSamples: Int
    /// Whether nothing changes by it.
    private(set) var isNeedless = false

    /// From `color` to the ICC profile `screen`, sRGB where that is empty.
    ///
    /// Nil where there is none to be made: for sRGB's own numbers, where the profile is none or not
    /// one for such samples, and without lcms2.
    init?(_ color: ColorSource, _ layout: SampleLayout, screen: [UInt8]) {
        guard let samples = layout.transformed else { return nil }
        let raw: OpaquePointer?
        switch color {
        case .standard:
            guard !screen.isEmpty, layout != .cmyk8, layout != .gray8, layout != .gray16 else {
                return nil
            }
            raw = ccodecs_transform_create(nil, 0, samples, screen, screen.count)
        case .profile(let profile):
            guard !profile.isEmpty else { return nil }
            raw = ccodecs_transform_create(
                profile, profile.count, samples, screen, screen.count)
        case .encoded(let encoding):
            guard encoding != .sRGB || !screen.isEmpty, let gamma = encoding.transfer.gamma else {
                return nil
            }
            let primaries = encoding.primaries
            let places = [primaries.white, primaries.red, primaries.green, primaries.blue]
            raw = ccodecs_transform_create_rgb(
                places.flatMap { [$0.x, $0.y] }, gamma, samples, screen, screen.count)
        }
        guard let raw else { return nil }
        self.raw = raw
        outputSamples = layout.hasAlpha ? 4 : 3
        isNeedless = isIdentity(layout)
    }

    deinit { ccodecs_transform_destroy(raw) }

    func run(
        _ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt16>, pixels: Int
    ) {
        ccodecs_transform_run(raw, source, target, pixels)
    }

    /// Whether all it does is rounding: most profiles in the world are sRGB's own.
    private func isIdentity(_ layout: SampleLayout) -> Bool {
        guard layout != .cmyk8, layout != .gray8, layout != .gray16 else { return false }
        let steps = stride(from: 0, through: 255, by: 51).map { $0 }
        var source: [UInt8] = []
        var wanted: [Int] = []
        for red in steps {
            for green in steps {
                for blue in steps {
                    var samples = [red, green, blue]
                    wanted += samples
                    if layout == .opaqueWords { samples = [blue, green, red] }
                    if layout.bytesPerPixel.isMultiple(of: 4) { samples.append(255) }
                    for sample in samples {
                        source += Array(
                            repeating: UInt8(sample), count: layout.isDeepColor ? 2 : 1)
                    }
                }
            }
        }
        let pixels = wanted.count / 3
        var result = [UInt16](repeating: 0, count: pixels * outputSamples)
        run(&source, to: &result, pixels: pixels)
        return (0..<pixels).allSatisfy { pixel in
            (0..<3).allSatisfy { sample in
                let number = Int(result[pixel * outputSamples + sample])
                return abs(number - wanted[pixel * 3 + sample] * 257) <= 257
            }
        }
    }
}

extension SampleLayout {
    fileprivate var isDeepColor: Bool { self == .rgb16 || self == .rgba16 || self == .rgbx16 }

    /// As lcms2 gets it; nil where it gets none.
    fileprivate var transformed: ccodecs_samples? {
        switch self {
        case .opaqueWords: CCODECS_WORDS
        case .gray8: CCODECS_GRAY8
        case .rgb8: CCODECS_RGB8
        case .rgba8: CCODECS_RGBA8
        case .rgbx8: CCODECS_RGBX8
        case .cmyk8: CCODECS_CMYK8
        case .gray16: CCODECS_GRAY16
        case .rgb16: CCODECS_RGB16
        case .rgba16: CCODECS_RGBA16
        case .rgbx16: CCODECS_RGBX16
        case .premultipliedWords, .rgbFloat, .rgbaFloat: nil
        }
    }
}

extension ColorEncoding.Transfer {
    /// The exponent, 0 for sRGB's curve; nil for what codes more light than white.
    fileprivate var gamma: Double? {
        switch self {
        case .sRGB, .bt709: 0
        case .gamma(let exponent): exponent
        case .linear: 1
        case .perceptualQuantizer, .hybridLogGamma: nil
        }
    }
}
