import CCodecs
import Containers
import Geometry
import Glibc
import ImageTypes
import Localization
import Metadata
import RasterPipeline

/// JPEG XL stills and animations, by libjxl, which also applies the orientation.
struct JXLCodec: LibraryCodec, CapturedCodec, StreamingCodec, AnimatedCodec {
    static let format = PictureFormat.jpegXL
    static var isAvailable: Bool { ccodecs_open_jxl() != nil }
    let size: PixelSize
    let capture: Capture
    let isAnimated: Bool
    let framesOrientation = Orientation.upright
    private let layout: SampleLayout
    private let isLossless: Bool
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let picture = try JXLPicture(bytes)
        (size, isAnimated) = (picture.size, picture.isAnimated)
        layout = JXLRows.layout(of: picture)
        isLossless = picture.isLossless
        capture = Exif(jpegXL: bytes).capture
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        try JXLRows(try JXLPicture(bytes))
    }

    /// Bytes per pixel that libjxl holds besides its output, for lossy and for lossless pictures.
    ///
    /// Upper bounds, measured with libjxl 0.7.
    private static let (lossyCost, losslessCost) = (4, 24)

    var streaming: RowStreaming? {
        RowStreaming(
            scratch: layout.bytesPerPixel,
            isPlaced: layout == .bgrx8 && DecodeSettings.screen.isEmpty,
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

/// Owns the library's decoder of one file.
private final class JXLPicture {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let isGray: Bool
    let isAnimated: Bool
    /// Whether the colours are coded without conversion, as they are in every lossless picture.
    let isLossless: Bool
    let loops: Int
    private let library: ccodecs_jxl_library
    private let raw: OpaquePointer

    /// Reads the header.
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let library = ccodecs_open_jxl()?.pointee,
            let raw = library.create(bytes.bytes, bytes.count)
        else {
            throw Self.failure(CCODECS_JXL_NO_MEMORY)
        }
        var info = ccodecs_jxl_info()
        let status = library.read_info(raw, &info)
        guard status == CCODECS_JXL_FINE else {
            library.destroy(raw)
            throw Self.failure(status)
        }
        (self.library, self.raw) = (library, raw)
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        (isAnimated, loops) = (info.is_animated != 0, Int(info.loops))
        (isGray, isLossless) = (info.is_gray != 0, info.is_lossless != 0)
        color = Self.color(library, raw, info)
        layout = Self.layout(info, color)
    }

    deinit { library.destroy(raw) }

    static func failure(_ status: ccodecs_jxl_status) -> DecodeFailure {
        switch status {
        case CCODECS_JXL_CUT_SHORT, CCODECS_JXL_NO_MORE_FRAMES: .cutShort
        case CCODECS_JXL_NO_MEMORY: .unreadable(reason: localized("there is not enough memory"))
        default: .damaged(reason: localized("libjxl cannot decode the file"))
        }
    }

    private static func color(
        _ library: ccodecs_jxl_library, _ raw: OpaquePointer, _ info: ccodecs_jxl_info
    ) -> ColorSource {
        if let encoding = ColorEncoding(info) { return .encoded(encoding) }
        let length = library.profile(raw, nil)
        var profile = [UInt8](repeating: 0, count: length)
        guard length > 0, library.profile(raw, &profile) == length else { return .standard }
        return .profile(profile)
    }

    private static func layout(_ info: ccodecs_jxl_info, _ color: ColorSource) -> SampleLayout {
        var isDeep = info.bits > 8
        // Grey with another transfer function than sRGB's needs colour conversion.
        var hasSRGBTransfer = true
        if case .encoded(let encoding) = color {
            if info.is_float != 0, encoding.transfer == .linear {
                return info.has_alpha != 0 ? .rgbaFloat : .rgbFloat
            }
            hasSRGBTransfer = encoding.transfer == .sRGB
            isDeep = isDeep || !hasSRGBTransfer
        }
        if info.has_alpha != 0 { return isDeep ? .rgba16 : .rgba8 }
        if info.is_gray != 0, hasSRGBTransfer { return isDeep ? .gray16 : .gray8 }
        return isDeep ? .rgb16 : .rgb8
    }

    /// Decodes the next frame to rows without gaps.
    ///
    /// `isBegun` tells whether any pixels were decoded; `duration` is in milliseconds.
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
        let status = library.decode(
            raw, samples, Int32(channels), pixels, length, &isBegun, &duration)
        return (status, isBegun != 0, duration)
    }

    /// Decodes the first frame to opaque pixels 0xFFRRGGBB.
    ///
    /// `isBegun` tells whether any pixels were decoded.
    func decodeOpaque(to place: RowPlace) -> (status: ccodecs_jxl_status, isBegun: Bool) {
        var isBegun = Int32(0)
        let status = library.decode_bgrx8(raw, place.base, place.stride, &isBegun)
        return (status, isBegun != 0)
    }

    func rewind() { library.rewind(raw) }
}

extension ColorEncoding {
    /// Nil if the colour space is given by an ICC profile.
    fileprivate init?(_ info: ccodecs_jxl_info) {
        let xy = info.chromaticities
        let primaries = Primaries(
            white: .init(xy.0, xy.1), red: .init(xy.2, xy.3),
            green: .init(xy.4, xy.5), blue: .init(xy.6, xy.7))
        // Programs that mean sRGB write a gamma of 1/2.2.
        let transfer: Transfer? =
            abs(info.gamma - 1 / 2.2) < 0.002
            ? .sRGB
            : info.gamma > 0.05 && info.gamma <= 1
                ? .gamma(1 / info.gamma) : Transfer(codePoint: Int(info.transfer))
        guard let transfer else { return nil }
        let isGray = info.is_gray != 0
        let isBT709 = isGray || primaries.isNear(.bt709)
        self.init(
            primaries: isBT709 ? .bt709 : primaries, transfer: transfer == .bt709 ? .sRGB : transfer
        )
    }
}

/// Rows of the first frame, which is decoded at once, directly to its destination if possible.
private final class JXLRows: PlacedRows {
    var size: PixelSize { picture.size }
    let layout: SampleLayout
    var color: ColorSource { picture.color }
    var isGray: Bool { picture.isGray }
    private(set) var isComplete = true
    private(set) var peak: Float = 1
    private let picture: JXLPicture
    /// Holds the decoded frame if it cannot be decoded to its destination.
    private var scratch: ScratchMemory?
    private var place: RowPlace?
    private var y = 0

    /// Opaque pixels for sRGB; other colours keep the library's layout for conversion.
    static func layout(of picture: JXLPicture) -> SampleLayout {
        picture.layout == .rgb8 && picture.color.isSRGB ? .bgrx8 : picture.layout
    }

    init(_ picture: JXLPicture, _ scratch: ScratchMemory? = nil) throws(DecodeFailure) {
        (self.picture, self.scratch) = (picture, scratch)
        layout = Self.layout(of: picture)
        guard layout == .rgbFloat || layout == .rgbaFloat else { return }
        // The peak has to be known before the first row is converted.
        let place = try decode()
        var measured = LinearPeak()
        measured.add(
            place.base.assumingMemoryBound(to: Float.self), pixels: size.width * size.height,
            samples: layout.hasAlpha ? 4 : 3)
        peak = measured.value
    }

    func begin(_ place: RowPlace?) throws(DecodeFailure) {
        if self.place == nil { try decode(to: place) }
    }

    @discardableResult
    private func decode(to wanted: RowPlace? = nil) throws(DecodeFailure) -> RowPlace {
        let place = if let wanted { wanted } else { try allocatePlace() }
        let status: ccodecs_jxl_status
        let isBegun: Bool
        if layout == .bgrx8 {
            (status, isBegun) = picture.decodeOpaque(to: place)
        } else {
            (status, isBegun, _) = picture.decode(to: place.base)
        }
        guard isBegun else { throw JXLPicture.failure(status) }
        isComplete = status == CCODECS_JXL_FINE
        self.place = place
        return place
    }

    private func allocatePlace() throws(DecodeFailure) -> RowPlace {
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
            if layout == .bgrx8, !isComplete {
                // Pixels that were not decoded become opaque black.
                let pixels = row.assumingMemoryBound(to: UInt32.self)
                for x in 0..<size.width { pixels[x] |= 0xFF00_0000 }
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
    var isGray: Bool { picture.isGray }
    var loops: Int { picture.loops }

    func next(_ canvas: UnsafeMutableRawPointer) throws(DecodeFailure) -> Double? {
        let (status, _, duration) = picture.decode(to: canvas)
        switch status {
        case CCODECS_JXL_FINE: return duration
        // A truncated animation ends with its last complete frame.
        case CCODECS_JXL_NO_MORE_FRAMES, CCODECS_JXL_CUT_SHORT: return nil
        default: throw JXLPicture.failure(status)
        }
    }

    func rewind() { picture.rewind() }
}
