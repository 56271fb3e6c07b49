import Geometry
import ImageTypes

/// Converts the samples of a codec to 32-bit pixels in the colours of the screen.
///
/// Any thread may convert any row.
package struct RowConverter: Sendable {
    let layout: SampleLayout
    private let transform: ColorTransform?
    /// From sRGB pixels to the screen's colours, if the first conversion only reaches sRGB.
    private let finish: ColorTransform?
    let mapping: ToneMapping?
    let decoding: HDRDecoding?

    /// Makes a converter from the samples of `source` to the colours of the screen.
    package init(_ source: any RowSource) {
        self.init(source, screen: DecodeSettings.screen)
    }

    /// The same for the screen with the ICC profile `screen`, or for sRGB if that is empty.
    init(_ source: any RowSource, screen: [UInt8]) {
        self.init(
            source.layout, source.color, peak: source.peak, isGray: source.isGray, screen: screen)
    }

    /// Makes a converter to the screen with the ICC profile `screen`, or to sRGB if that is empty.
    ///
    /// `peak` is the brightest linear value of float samples; 1 is white. `isGray` tells that all pixels
    /// are grey, which they always are in a layout of greys.
    init(
        _ layout: SampleLayout, _ color: ColorSource, peak: Float = 1, isGray: Bool = false,
        screen: [UInt8] = DecodeSettings.screen
    ) {
        self.layout = layout
        let light = Self.light(layout, color, peak: peak)
        (mapping, decoding) = (light?.mapping, light?.decoding)
        let isGray = isGray || layout.isGray
        let direct =
            mapping == nil ? ColorTransform(color, layout, isGray: isGray, screen: screen) : nil
        transform = direct.flatMap { $0.isIdentity ? nil : $0 }
        let needsScreenStep = direct == nil && !screen.isEmpty
        let screenStep =
            needsScreenStep
            ? ColorTransform(.standard, .bgrx8, isGray: isGray, screen: screen) : nil
        finish = screenStep.flatMap { $0.isIdentity ? nil : $0 }
    }

    /// How samples of light that may be brighter than white are decoded and mapped; nil for others.
    static func light(
        _ layout: SampleLayout, _ color: ColorSource, peak: Float
    ) -> (mapping: ToneMapping, decoding: HDRDecoding?)? {
        var encoding = ColorEncoding(primaries: .bt709, transfer: .linear)
        if case .encoded(let declared) = color { encoding = declared }
        switch layout {
        case .rgbFloat, .rgbaFloat:
            return (ToneMapping(primaries: encoding.primaries, peak: peak), nil)
        case .rgb16, .rgba16, .rgbx16:
            guard let decoding = HDRDecoding(encoding.transfer) else { return nil }
            return (ToneMapping(primaries: encoding.primaries, peak: decoding.peak), decoding)
        default: return nil
        }
    }

    /// Whether samples of `color` are shown as they are, without conversion to the colours of the
    /// screen.
    package static func showsUnchanged(
        _ color: ColorSource, as layout: SampleLayout = .bgrx8
    ) -> Bool {
        // Light brighter than white is reduced to the range of the screen.
        if case .encoded(let encoding) = color, encoding.transfer.isHighRange { return false }
        // A profile of greys changes the pixels if all of them are grey.
        if color.isGrayProfile, !layout.isGray { return false }
        let converter = RowConverter(layout, color)
        return converter.transform == nil && converter.finish == nil
    }

    /// Whether the samples are the final pixels already.
    var isIdentity: Bool {
        transform == nil && finish == nil
            && (layout == .bgrx8 || layout == .premultipliedBGRA8)
    }

    /// The format of the pixels: `.argb32` if the samples have alpha.
    var format: PixelFormat { layout.hasAlpha ? .argb32 : .rgb24 }

    /// Converts row `y`, of `width` pixels.
    func convert(
        _ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt32>, width: Int, y: Int
    ) {
        convertToPixels(source, to: target, width: width, y: y)
        if let finish { toScreen(target, finish, width, y) }
    }

    /// Converts sRGB pixels to the screen's colours in place.
    private func toScreen(
        _ pixels: UnsafeMutablePointer<UInt32>, _ finish: ColorTransform, _ width: Int, _ y: Int
    ) {
        withDeepRow(width * 4) { deep in
            if layout.hasAlpha {
                for x in 0..<width { pixels[x] = Premultiplication.straight(pixels[x]) }
            }
            finish.run(pixels, to: deep + width, pixels: width)
            if layout.hasAlpha {
                for x in 0..<width {
                    for sample in 0..<3 { deep[4 * x + sample] = deep[width + 3 * x + sample] }
                    deep[4 * x + 3] = UInt16(pixels[x] >> 24) * 257
                }
                Self.pack(deep, 4, true, to: pixels, width, y)
            } else {
                Self.pack(deep + width, 3, false, to: pixels, width, y)
            }
        }
    }

    private func convertToPixels(
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
        case .bgrx8, .premultipliedBGRA8:
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
                mapDeep(deep, mapping, decoding, to: target, width, y)
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
                target[x] = Premultiplication.pixel(
                    UInt32(source[4 * x]), UInt32(source[4 * x + 1]), UInt32(source[4 * x + 2]),
                    UInt32(source[4 * x + 3]))
            }
        case .cmyk8:
            // Without a profile: R = (1 − C) · (1 − K), and likewise G and B.
            for x in 0..<width {
                let black = 255 - UInt32(source[4 * x + 3])
                func channel(_ sample: Int) -> UInt32 {
                    ((255 - UInt32(source[4 * x + sample])) * black + 127) / 255
                }
                target[x] = 0xFF00_0000 | channel(0) << 16 | channel(1) << 8 | channel(2)
            }
        default: preconditionFailure("not 8 bits")
        }
    }

    // MARK: 16 bits and linear light

    /// Dithers R, G, B (and straight A) of 16 bits to pixels; `samples` is their number per pixel.
    private static func pack(
        _ deep: UnsafePointer<UInt16>, _ samples: Int, _ hasAlpha: Bool,
        to target: UnsafeMutablePointer<UInt32>, _ width: Int, _ y: Int
    ) {
        let thresholds = Dithering.row(y)
        if hasAlpha {
            for x in 0..<width {
                let threshold = thresholds[x & 7]
                let alpha = Dithering.reduced(UInt32(deep[4 * x + 3]), 32768)
                target[x] = Premultiplication.pixel(
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

    private func mapDeep(
        _ encoded: UnsafePointer<UInt16>, _ mapping: ToneMapping, _ decoding: HDRDecoding,
        to target: UnsafeMutablePointer<UInt32>, _ width: Int, _ y: Int
    ) {
        let samples = layout.bytesPerPixel / 2
        withDeepRow(width * samples) { deep in
            for x in 0..<width {
                let pixel = encoded + x * samples
                let linear = SIMD4(
                    decoding.light(pixel[0]), decoding.light(pixel[1]), decoding.light(pixel[2]), 0)
                mapping.map(linear, to: deep + x * samples)
                if samples == 4 { deep[x * samples + 3] = pixel[3] }
            }
            Self.pack(deep, samples, layout.hasAlpha, to: target, width, y)
        }
    }

    private func mapFloats(
        _ floats: UnsafePointer<Float>, to target: UnsafeMutablePointer<UInt32>, _ width: Int,
        _ y: Int
    ) {
        guard let mapping else { return }
        let samples = layout.hasAlpha ? 4 : 3
        withDeepRow(width * samples) { deep in
            for x in 0..<width {
                let pixel = floats + x * samples
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

/// Converts between straight alpha and premultiplied pixels 0xAARRGGBB.
enum Premultiplication {
    /// The premultiplied pixel of samples with straight alpha.
    @inline(__always)
    static func pixel(_ r: UInt32, _ g: UInt32, _ b: UInt32, _ a: UInt32) -> UInt32 {
        a << 24 | scaled(r, a) << 16 | scaled(g, a) << 8 | scaled(b, a)
    }

    /// The pixel 0xAARRGGBB with straight alpha of a premultiplied pixel.
    static func straight(_ pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        guard alpha != 0, alpha != 255 else { return pixel }
        func divided(_ value: UInt32) -> UInt32 { min((value * 255 + alpha / 2) / alpha, 255) }
        return alpha << 24 | divided(pixel >> 16 & 255) << 16 | divided(pixel >> 8 & 255) << 8
            | divided(pixel & 255)
    }

    /// value · alpha / 255, rounded to nearest.
    @inline(__always)
    private static func scaled(_ value: UInt32, _ alpha: UInt32) -> UInt32 {
        let product = value &* alpha &+ 128
        return (product &+ product &>> 8) &>> 8
    }
}
