import Geometry
import ImageTypes

/// Makes the words that are painted out of the samples that a codec gives.
///
/// Any thread may convert any row.
struct RowConverter: Sendable {
    private let layout: SampleLayout
    private let transform: ColorTransform?
    /// From sRGB's words to the screen's, where the samples came to be sRGB's.
    private let finish: ColorTransform?
    private let mapping: LightMapping?
    private let decoding: LightDecoding?

    init(_ source: any RowSource) {
        self.init(source.layout, source.color, peak: source.peak)
    }

    /// `peak` is the brightest light of floats; `screen` is the ICC profile of the screen, sRGB where
    /// it is empty.
    init(
        _ layout: SampleLayout, _ color: ColorSource, peak: Float = 1,
        screen: [UInt8] = PictureDecoders.screen
    ) {
        self.layout = layout
        var encoding = ColorEncoding(primaries: .bt709, transfer: .linear)
        if case .encoded(let told) = color { encoding = told }
        switch layout {
        case .rgbFloat, .rgbaFloat:
            decoding = nil
            mapping = LightMapping(primaries: encoding.primaries, peak: peak)
        case .rgb16, .rgba16, .rgbx16:
            decoding = LightDecoding(encoding.transfer)
            mapping = decoding.map {
                LightMapping(primaries: encoding.primaries, peak: $0.peak)
            }
        default: (decoding, mapping) = (nil, nil)
        }
        let direct = mapping == nil ? ColorTransform(color, layout, screen: screen) : nil
        transform = direct.flatMap { $0.isNeedless ? nil : $0 }
        let isLeft = direct == nil && !screen.isEmpty
        let last = isLeft ? ColorTransform(.standard, .opaqueWords, screen: screen) : nil
        finish = last.flatMap { $0.isNeedless ? nil : $0 }
    }

    /// Whether the samples are those words already.
    var isNeedless: Bool {
        transform == nil && finish == nil
            && (layout == .opaqueWords || layout == .premultipliedWords)
    }

    /// Whether the words have alpha.
    var format: PixelFormat { layout.hasAlpha ? .argb32 : .rgb24 }

    /// Converts row `y`, of `width` pixels.
    func convert(
        _ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt32>, width: Int, y: Int
    ) {
        convertToWords(source, to: target, width: width, y: y)
        if let finish { toScreen(target, finish, width, y) }
    }

    /// Takes words in sRGB to the screen's colours.
    private func toScreen(
        _ words: UnsafeMutablePointer<UInt32>, _ finish: ColorTransform, _ width: Int, _ y: Int
    ) {
        withDeepRow(width * 4) { deep in
            if layout.hasAlpha {
                for x in 0..<width { words[x] = Premultiplication.straight(words[x]) }
            }
            finish.run(words, to: deep + width, pixels: width)
            if layout.hasAlpha {
                for x in 0..<width {
                    for sample in 0..<3 { deep[4 * x + sample] = deep[width + 3 * x + sample] }
                    deep[4 * x + 3] = UInt16(words[x] >> 24) * 257
                }
                Self.pack(deep, 4, true, to: words, width, y)
            } else {
                Self.pack(deep + width, 3, false, to: words, width, y)
            }
        }
    }

    private func convertToWords(
        _ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt32>, width: Int, y: Int
    ) {
        if let transform {
            withDeepRow(width * transform.outputSamples) { deep in
                transform.run(source, to: deep, pixels: width)
                let samples = transform.outputSamples
                Self.pack(deep, samples, samples == 4, to: target, width, y)
            }
            return
        }
        switch layout {
        case .opaqueWords, .premultipliedWords:
            target.update(from: source.assumingMemoryBound(to: UInt32.self), count: width)
        case .gray8, .rgb8, .rgba8, .rgbx8, .cmyk8:
            convertBytes(source.assumingMemoryBound(to: UInt8.self), to: target, width)
        case .gray16:
            let gray = source.assumingMemoryBound(to: UInt16.self)
            withDeepRow(width * 3) { deep in
                for x in 0..<width {
                    for sample in 0..<3 { deep[3 * x + sample] = gray[x] }
                }
                Self.pack(deep, 3, false, to: target, width, y)
            }
        case .rgb16, .rgba16, .rgbx16:
            let deep = source.assumingMemoryBound(to: UInt16.self)
            if let mapping, let decoding {
                mapLight(deep, mapping, decoding, to: target, width, y)
            } else {
                Self.pack(deep, layout.bytesPerPixel / 2, layout.hasAlpha, to: target, width, y)
            }
        case .rgbFloat, .rgbaFloat:
            mapFloats(source.assumingMemoryBound(to: Float.self), to: target, width, y)
        }
    }

    private func withDeepRow(_ count: Int, _ body: (UnsafeMutablePointer<UInt16>) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: max(count, 1)) { buffer in
            if let base = buffer.baseAddress { body(base) }
        }
    }

    // MARK: 8 bits

    private func convertBytes(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt32>, _ width: Int
    ) {
        switch layout {
        case .gray8:
            for x in 0..<width { target[x] = 0xFF00_0000 | UInt32(source[x]) &* 0x01_0101 }
        case .rgb8:
            for x in 0..<width {
                target[x] =
                    0xFF00_0000 | UInt32(source[3 * x]) << 16 | UInt32(source[3 * x + 1]) << 8
                    | UInt32(source[3 * x + 2])
            }
        case .rgbx8:
            for x in 0..<width {
                target[x] =
                    0xFF00_0000 | UInt32(source[4 * x]) << 16 | UInt32(source[4 * x + 1]) << 8
                    | UInt32(source[4 * x + 2])
            }
        case .rgba8:
            for x in 0..<width {
                target[x] = Premultiplication.word(
                    UInt32(source[4 * x]), UInt32(source[4 * x + 1]), UInt32(source[4 * x + 2]),
                    UInt32(source[4 * x + 3]))
            }
        case .cmyk8:
            // Without a profile each ink takes its share of the light, and black takes from all.
            for x in 0..<width {
                let black = 255 - UInt32(source[4 * x + 3])
                func light(_ ink: Int) -> UInt32 {
                    ((255 - UInt32(source[4 * x + ink])) * black + 127) / 255
                }
                target[x] = 0xFF00_0000 | light(0) << 16 | light(1) << 8 | light(2)
            }
        default: preconditionFailure("not 8 bits")
        }
    }

    // MARK: 16 bits and light

    /// Words out of R, G, B (and straight A) of 16 bits, so many samples a pixel.
    private static func pack(
        _ deep: UnsafePointer<UInt16>, _ samples: Int, _ hasAlpha: Bool,
        to target: UnsafeMutablePointer<UInt32>, _ width: Int, _ y: Int
    ) {
        let thresholds = Dithering.row(y)
        if hasAlpha {
            for x in 0..<width {
                let threshold = thresholds[x & 7]
                let alpha = Dithering.reduced(UInt32(deep[4 * x + 3]), 32768)
                target[x] = Premultiplication.word(
                    Dithering.reduced(UInt32(deep[4 * x]), threshold),
                    Dithering.reduced(UInt32(deep[4 * x + 1]), threshold),
                    Dithering.reduced(UInt32(deep[4 * x + 2]), threshold), alpha)
            }
        } else {
            for x in 0..<width {
                let (threshold, pixel) = (thresholds[x & 7], deep + samples * x)
                target[x] =
                    0xFF00_0000 | Dithering.reduced(UInt32(pixel[0]), threshold) << 16
                    | Dithering.reduced(UInt32(pixel[1]), threshold) << 8
                    | Dithering.reduced(UInt32(pixel[2]), threshold)
            }
        }
    }

    private func mapLight(
        _ numbers: UnsafePointer<UInt16>, _ mapping: LightMapping, _ decoding: LightDecoding,
        to target: UnsafeMutablePointer<UInt32>, _ width: Int, _ y: Int
    ) {
        let samples = layout.bytesPerPixel / 2
        withDeepRow(width * samples) { deep in
            for x in 0..<width {
                let pixel = numbers + x * samples
                let light = SIMD4(
                    decoding.light(pixel[0]), decoding.light(pixel[1]), decoding.light(pixel[2]), 0)
                mapping.map(light, to: deep + x * samples)
                if samples == 4 { deep[x * samples + 3] = pixel[3] }
            }
            Self.pack(deep, samples, layout.hasAlpha, to: target, width, y)
        }
    }

    private func mapFloats(
        _ light: UnsafePointer<Float>, to target: UnsafeMutablePointer<UInt32>, _ width: Int,
        _ y: Int
    ) {
        guard let mapping else { return }
        let samples = layout.hasAlpha ? 4 : 3
        withDeepRow(width * samples) { deep in
            for x in 0..<width {
                let pixel = light + x * samples
                mapping.map(SIMD4(pixel[0], pixel[1], pixel[2], 0), to: deep + x * samples)
                if samples == 4 {
                    let alpha = pixel[3] > 0 ? min(pixel[3], 1) : 0
                    deep[x * samples + 3] = UInt16(alpha * 65535 + 0.5)
                }
            }
            Self.pack(deep, samples, layout.hasAlpha, to: target, width, y)
        }
    }
}

/// From straight alpha to premultiplied 0xAARRGGBB words.
enum Premultiplication {
    @inline(__always)
    static func word(_ r: UInt32, _ g: UInt32, _ b: UInt32, _ a: UInt32) -> UInt32 {
        a << 24 | scaled(r, a) << 16 | scaled(g, a) << 8 | scaled(b, a)
    }

    /// The same word with colours that are not multiplied.
    static func straight(_ word: UInt32) -> UInt32 {
        let alpha = word >> 24
        guard alpha != 0, alpha != 255 else { return word }
        func divided(_ value: UInt32) -> UInt32 { min((value * 255 + alpha / 2) / alpha, 255) }
        return alpha << 24 | divided(word >> 16 & 255) << 16 | divided(word >> 8 & 255) << 8
            | divided(word & 255)
    }

    /// value · alpha / 255, rounded to nearest.
    @inline(__always)
    private static func scaled(_ value: UInt32, _ alpha: UInt32) -> UInt32 {
        let product = value &* alpha &+ 128
        return (product &+ product &>> 8) &>> 8
    }
}
