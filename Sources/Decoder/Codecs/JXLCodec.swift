import CCodecs
import Geometry
import Glibc
import ImageTypes

/// JPEG XL, by libjxl, which turns it as the file says: pictures that stand still and animations.
struct JXLCodec: AnimatedCodec {
    static let format = PictureFormat.jpegXL
    static var isAvailable: Bool { ccodecs_jxl_is_available() != 0 }
    let size: PixelSize
    let taken: Int?
    let isAnimated: Bool
    private let layout: SampleLayout
    private let isLossless: Bool
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let picture = try JXLPicture(bytes)
        (size, isAnimated) = (picture.size, picture.isAnimated)
        layout = JXLRows.layout(of: picture)
        isLossless = picture.isLossless
        taken = MetadataBlocks.exif(inJXL: bytes).map { Exif(tiff: $0) }?.taken
    }

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        try JXLRows(try JXLPicture(bytes))
    }

    /// Bytes that the library holds for each pixel besides what it gives: measured with 0.7, up to these
    /// for pictures that are coded with loss, and for others.
    private static let (lossyCost, losslessCost) = (4, 24)

    var streaming: RowStreaming? {
        RowStreaming(
            scratch: layout.bytesPerPixel,
            isPlaced: layout == .opaqueWords && PictureDecoders.screen.isEmpty,
            held: size.width * size.height * (isLossless ? Self.losslessCost : Self.lossyCost))
    }

    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        try JXLRows(try JXLPicture(bytes), scratch)
    }

    func frames() throws(DecodeFailure) -> any FrameSource {
        JXLFrames(try JXLPicture(bytes))
    }
}

/// Owns a file in the hands of the library.
private final class JXLPicture {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let isAnimated: Bool
    /// Whether its colours are coded as they are, which pictures without loss have in common.
    let isLossless: Bool
    let loops: Int
    private let raw: OpaquePointer

    /// Reads what comes before the pixels.
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let raw = ccodecs_jxl_create(bytes.bytes, bytes.count) else {
            throw Self.failure(CCODECS_JXL_NO_MEMORY)
        }
        var info = ccodecs_jxl_info()
        let status = ccodecs_jxl_read_info(raw, &info)
        guard status == CCODECS_JXL_FINE else {
            ccodecs_jxl_destroy(raw)
            throw Self.failure(status)
        }
        self.raw = raw
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        (isAnimated, loops) = (info.is_animated != 0, Int(info.loops))
        isLossless = info.is_lossless != 0
        color = Self.color(raw, info)
        layout = Self.layout(info, color)
    }

    deinit { ccodecs_jxl_destroy(raw) }

    static func failure(_ status: ccodecs_jxl_status) -> DecodeFailure {
        switch status {
        case CCODECS_JXL_CUT_SHORT, CCODECS_JXL_OVER: .cutShort
        case CCODECS_JXL_NO_MEMORY: .unreadable(reason: "there is not enough memory for it")
        default: .damaged(reason: "libjxl cannot make sense of it")
        }
    }

    private static func color(_ raw: OpaquePointer, _ info: ccodecs_jxl_info) -> ColorSource {
        if let encoding = ColorEncoding(info) { return .encoded(encoding) }
        let length = ccodecs_jxl_profile(raw, nil)
        var profile = [UInt8](repeating: 0, count: length)
        guard length > 0, ccodecs_jxl_profile(raw, &profile) == length else { return .standard }
        return .profile(profile)
    }

    private static func layout(_ info: ccodecs_jxl_info, _ color: ColorSource) -> SampleLayout {
        var isDeep = info.bits > 8
        // Grey whose curve is another has to go through colour conversion.
        var isPlain = true
        if case .encoded(let encoding) = color {
            if info.is_float != 0, encoding.transfer == .linear {
                return info.has_alpha != 0 ? .rgbaFloat : .rgbFloat
            }
            isPlain = encoding.transfer == .sRGB
            isDeep = isDeep || !isPlain
        }
        if info.has_alpha != 0 { return isDeep ? .rgba16 : .rgba8 }
        if info.is_gray != 0, isPlain { return isDeep ? .gray16 : .gray8 }
        return isDeep ? .rgb16 : .rgb8
    }

    /// Decodes the next frame, rows without gaps; how long it is shown in milliseconds, and what
    /// ended it.
    func decode(
        to pixels: UnsafeMutableRawPointer
    ) -> (status: ccodecs_jxl_status, isBegun: Bool, duration: Double) {
        let (samples, channels): (ccodecs_jxl_samples, Int) =
            switch layout {
            case .gray8: (CCODECS_JXL_8, 1)
            case .rgb8: (CCODECS_JXL_8, 3)
            case .rgba8: (CCODECS_JXL_8, 4)
            case .gray16: (CCODECS_JXL_16, 1)
            case .rgb16: (CCODECS_JXL_16, 3)
            case .rgba16: (CCODECS_JXL_16, 4)
            case .rgbFloat: (CCODECS_JXL_FLOAT, 3)
            default: (CCODECS_JXL_FLOAT, 4)
            }
        var (isBegun, duration) = (Int32(0), 0.0)
        let length = size.width * size.height * layout.bytesPerPixel
        let status = ccodecs_jxl_decode(
            raw, samples, Int32(channels), pixels, length, &isBegun, &duration)
        return (status, isBegun != 0, duration)
    }

    /// Decodes the first frame to words 0xFFRRGGBB, and what ended it.
    func decodeWords(to place: RowPlace) -> (status: ccodecs_jxl_status, isBegun: Bool) {
        var isBegun = Int32(0)
        let status = ccodecs_jxl_decode_words(raw, place.base, place.stride, &isBegun)
        return (status, isBegun != 0)
    }

    func rewind() { ccodecs_jxl_rewind(raw) }
}

extension ColorEncoding {
    /// Nil where a profile says it.
    fileprivate init?(_ info: ccodecs_jxl_info) {
        let places = info.chromaticities
        let primaries = Primaries(
            white: .init(places.0, places.1), red: .init(places.2, places.3),
            green: .init(places.4, places.5), blue: .init(places.6, places.7))
        // 1/2.2 is what programs write that mean sRGB.
        let transfer: Transfer? =
            abs(info.gamma - 1 / 2.2) < 0.002
            ? .sRGB
            : info.gamma > 0.05 && info.gamma <= 1
                ? .gamma(1 / info.gamma) : Transfer(codePoint: Int(info.transfer))
        guard let transfer else { return nil }
        let isGray = info.is_gray != 0
        let isUsual = isGray || primaries.isNear(.bt709)
        self.init(
            primaries: isUsual ? .bt709 : primaries, transfer: transfer == .bt709 ? .sRGB : transfer
        )
    }
}

extension ColorEncoding.Primaries {
    /// Whether they differ by rounding alone.
    fileprivate func isNear(_ other: Self) -> Bool {
        zip([white, red, green, blue], [other.white, other.red, other.green, other.blue])
            .allSatisfy { abs($0.x - $1.x) < 0.001 && abs($0.y - $1.y) < 0.001 }
    }
}

/// The first frame, decoded as a whole: straight to where it is handed over, where that can be.
private final class JXLRows: RowSource {
    var size: PixelSize { picture.size }
    let layout: SampleLayout
    var color: ColorSource { picture.color }
    private(set) var isComplete = true
    private(set) var peak: Float = 1
    private let picture: JXLPicture
    /// What the rows are in where they have no place of their own.
    private var scratch: ScratchMemory?
    private var place: RowPlace?
    private var y = 0

    /// Colours that are converted come as they are.
    static func layout(of picture: JXLPicture) -> SampleLayout {
        picture.layout == .rgb8 && picture.color.isSRGB ? .opaqueWords : picture.layout
    }

    init(_ picture: JXLPicture, _ scratch: ScratchMemory? = nil) throws(DecodeFailure) {
        (self.picture, self.scratch) = (picture, scratch)
        layout = Self.layout(of: picture)
        guard layout == .rgbFloat || layout == .rgbaFloat else { return }
        // The brightest light has to be known before the first row.
        let place = try decode()
        var light = LightPeak()
        light.add(
            place.base.assumingMemoryBound(to: Float.self), pixels: size.width * size.height,
            samples: layout.hasAlpha ? 4 : 3)
        peak = light.value
    }

    func begin(_ place: RowPlace?) throws(DecodeFailure) {
        if self.place == nil { try decode(to: place) }
    }

    @discardableResult
    private func decode(to wanted: RowPlace? = nil) throws(DecodeFailure) -> RowPlace {
        let place = if let wanted { wanted } else { try makeRoom() }
        let status: ccodecs_jxl_status
        let isBegun: Bool
        if layout == .opaqueWords {
            (status, isBegun) = picture.decodeWords(to: place)
        } else {
            (status, isBegun, _) = picture.decode(to: place.base)
        }
        guard isBegun else { throw JXLPicture.failure(status) }
        isComplete = status == CCODECS_JXL_FINE
        self.place = place
        return place
    }

    private func makeRoom() throws(DecodeFailure) -> RowPlace {
        let stride = size.width * layout.bytesPerPixel
        let memory =
            if let scratch { scratch } else { try ScratchMemory(bytes: stride * size.height) }
        scratch = memory
        return RowPlace(base: memory.base, stride: stride)
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        guard let place else { return 0 }
        let length = size.width * layout.bytesPerPixel
        for row in rows {
            let source = place.base + y * place.stride
            if row != source { row.copyMemory(from: source, byteCount: length) }
            if layout == .opaqueWords, !isComplete {
                // What never came is black.
                let words = row.assumingMemoryBound(to: UInt32.self)
                for x in 0..<size.width { words[x] |= 0xFF00_0000 }
            }
            y += 1
        }
        return rows.count
    }
}

private final class JXLFrames: FrameSource {
    private let picture: JXLPicture

    init(_ picture: JXLPicture) { self.picture = picture }

    var size: PixelSize { picture.size }
    var layout: SampleLayout { picture.layout }
    var color: ColorSource { picture.color }
    var loops: Int { picture.loops }

    func next(_ canvas: UnsafeMutableRawPointer) throws(DecodeFailure) -> Double? {
        let (status, _, duration) = picture.decode(to: canvas)
        switch status {
        case CCODECS_JXL_FINE: return duration
        // What is cut short ends with its last whole frame.
        case CCODECS_JXL_OVER, CCODECS_JXL_CUT_SHORT: return nil
        default: throw JXLPicture.failure(status)
        }
    }

    func rewind() { picture.rewind() }
}
