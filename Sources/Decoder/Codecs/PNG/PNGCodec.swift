import CCodecs
import Containers
import Geometry
import ImageTypes
import Localization
import Metadata
import RasterPipeline

/// PNG and APNG, by libspng.
struct PNGCodec: OrientedCodec, CapturedCodec, StreamingCodec, AnimatedCodec {
    static let format = PictureFormat.png
    let size: PixelSize
    let orientation: Orientation
    let capture: Capture
    let isAnimated: Bool
    let streaming: RowStreaming?
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let png = try PNGRows(header: bytes)
        size = png.size
        let chunks = PNGChunks(bytes)
        let exif = Exif(png: bytes)
        (orientation, capture) = (exif.orientation, exif.capture)
        isAnimated = PNGFrames.count(chunks) > 1
        streaming =
            png.isInterlaced ? RowStreaming(scratch: png.layout.bytesPerPixel) : .rowByRow
    }

    func frames() throws(DecodeFailure) -> any FrameSource { try PNGFrames(bytes) }

    func rows() throws(DecodeFailure) -> any RowSource {
        let png = try PNGRows(header: bytes)
        try png.start()
        return png
    }

    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        let png = try PNGRows(header: bytes)
        try png.start(scratch, while: isWanted)
        return png
    }
}

/// Owns the library's decoder of one PNG.
final class PNGRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let isGray: Bool
    private(set) var isComplete = true
    private let raw: OpaquePointer
    private let input: PNGInput
    /// Why the library refuses the chunks before the pixels; 0 if it does not.
    private let refusal: Int32
    /// All rows of an interlaced picture, as every pass adds pixels to them.
    private var whole: ScratchMemory?
    private var y = 0

    /// The largest chunk kept in memory, in bytes, and the largest colour profile.
    private static let chunkLimit = 64 << 20

    /// Reads the header; with a `depth` of 8 the library reduces 16-bit samples to 8 bits.
    init(header bytes: UnsafeRawBufferPointer, depth: Int = 16) throws(DecodeFailure) {
        var input = PNGInput(bytes, withProfile: true)
        var raw = try Self.context(input)
        // A profile beyond the limits is left out: the colours are then those of a picture without.
        var refusal = spng_decode_chunks(raw)
        if refusal != 0, !Self.isEnd(refusal), PNGChunks(bytes).first("iCCP") != nil {
            spng_ctx_free(raw)
            input = PNGInput(bytes, withProfile: false)
            raw = try Self.context(input)
            refusal = spng_decode_chunks(raw)
        }
        var header = spng_ihdr()
        let code = spng_get_ihdr(raw, &header)
        guard code == 0 else {
            spng_ctx_free(raw)
            throw Self.failure(code)
        }
        (self.raw, self.input, self.refusal) = (raw, input, refusal)
        size = PixelSize(width: Int(header.width), height: Int(header.height))
        isInterlaced = header.interlace_method != 0
        isGray = header.color_type & 2 == 0
        var transparency = spng_trns()
        let hasAlpha = header.color_type & 4 != 0 || spng_get_trns(raw, &transparency) == 0
        isDeep = min(Int(header.bit_depth), depth) == 16
        layout = isDeep ? (hasAlpha ? .rgba16 : .rgbx16) : (hasAlpha ? .rgba8 : .rgbx8)
        color = PNGColor.source(raw, PNGChunks(bytes))
    }

    deinit { spng_ctx_free(raw) }

    private static func context(_ input: PNGInput) throws(DecodeFailure) -> OpaquePointer {
        guard let raw = spng_ctx_new(0) else {
            throw .unreadable(reason: localized("there is not enough memory"))
        }
        input.attach(to: raw)
        spng_set_image_limits(raw, UInt32(Int32.max), UInt32(Int32.max))
        spng_set_chunk_limits(raw, chunkLimit, chunkLimit)
        // Pictures with a wrong CRC are shown all the same.
        spng_set_crc_action(raw, Int32(SPNG_CRC_USE.rawValue), Int32(SPNG_CRC_USE.rawValue))
        return raw
    }

    let isInterlaced: Bool
    private let isDeep: Bool
    private var rowLength: Int { size.width * layout.bytesPerPixel }

    private static func failure(_ code: Int32) -> DecodeFailure {
        if isEnd(code) { return .cutShort }
        return LibraryMessage.damaged(String(cString: spng_strerror(code)))
    }

    /// Whether the file ended early.
    private static func isEnd(_ code: Int32) -> Bool {
        code == Int32(SPNG_EOF.rawValue) || code == Int32(SPNG_IO_EOF.rawValue)
    }

    /// Starts decoding; an interlaced picture is decoded at once, while `isWanted` returns true.
    ///
    /// `scratch` receives all rows of an interlaced picture; without it memory is allocated.
    func start(
        _ scratch: ScratchMemory? = nil, while isWanted: () -> Bool = { true }
    ) throws(DecodeFailure) {
        let flags = Int32(SPNG_DECODE_PROGRESSIVE.rawValue | SPNG_DECODE_TRNS.rawValue)
        let format = isDeep ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8
        let code = spng_decode_image(raw, nil, 0, Int32(format.rawValue), flags)
        guard code == 0 else { throw Self.failure(refusal == 0 ? code : refusal) }
        guard isInterlaced else { return }
        let whole =
            if let scratch { scratch } else { try ScratchMemory(bytes: rowLength * size.height) }
        readPasses(to: whole, while: isWanted)
        self.whole = whole
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for (index, row) in rows.enumerated() {
            if let whole {
                row.copyMemory(from: whole.base + y * rowLength, byteCount: rowLength)
            } else {
                let code = spng_decode_row(raw, row, rowLength)
                guard code == 0 || code == Int32(SPNG_EOI.rawValue) else {
                    isComplete = false
                    return index
                }
            }
            y += 1
        }
        return rows.count
    }

    /// Rows between two calls of `isWanted`.
    private static let rowsPerCheck = 64

    private func readPasses(to whole: ScratchMemory, while isWanted: () -> Bool) {
        var count = 0
        while true {
            count += 1
            if count.isMultiple(of: Self.rowsPerCheck), !isWanted() { break }
            var row = spng_row_info()
            guard spng_get_row_info(raw, &row) == 0 else { break }
            let code = spng_decode_row(raw, whole.base + Int(row.row_num) * rowLength, rowLength)
            if code == Int32(SPNG_EOI.rawValue) { return }
            guard code == 0 else {
                fill(whole, from: row, while: isWanted)
                break
            }
        }
        isComplete = false
    }

    /// Fills the pixels of missing passes with pixels of earlier passes, if the file ends early.
    private func fill(_ whole: ScratchMemory, from row: spng_row_info, while isWanted: () -> Bool) {
        let passes = PNGPasses(
            base: whole.base, width: size.width, height: size.height,
            bytesPerPixel: layout.bytesPerPixel)
        passes.fill(from: Int(row.pass), row: Int(row.row_num), while: isWanted)
    }
}

/// The colour space of a PNG.
///
/// cICP takes precedence over iCCP, iCCP over sRGB, and sRGB over gAMA and cHRM. Source: PNG, third
/// edition (W3C), section 4.3.
private enum PNGColor {
    static func source(_ raw: OpaquePointer, _ chunks: PNGChunks) -> ColorSource {
        // Some versions of libspng do not know cICP.
        if let codePoints = chunks.first("cICP"), codePoints.count == 4,
            let encoding = ColorEncoding(
                primaries: Int(codePoints[0]), transfer: Int(codePoints[1]))
        {
            return .encoded(encoding)
        }
        var profile = spng_iccp()
        if spng_get_iccp(raw, &profile) == 0, let data = profile.profile {
            return .profile(Array(UnsafeRawBufferPointer(start: data, count: profile.profile_len)))
        }
        var intent = UInt8(0)
        if spng_get_srgb(raw, &intent) == 0 { return .standard }
        return encoding(raw).map(ColorSource.encoded) ?? .standard
    }

    private static func encoding(_ raw: OpaquePointer) -> ColorEncoding? {
        var gamma = 0.0
        guard spng_get_gama(raw, &gamma) == 0, (0.1...10).contains(gamma) else { return nil }
        var chrm = spng_chrm()
        var primaries = ColorEncoding.Primaries.bt709
        if spng_get_chrm(raw, &chrm) == 0 {
            primaries = ColorEncoding.Primaries(
                white: .init(chrm.white_point_x, chrm.white_point_y),
                red: .init(chrm.red_x, chrm.red_y),
                green: .init(chrm.green_x, chrm.green_y),
                blue: .init(chrm.blue_x, chrm.blue_y))
            guard primaries.isValid else { return nil }
        }
        // Programs that mean sRGB write a gamma of 1/2.2.
        let isSRGB = abs(gamma - 1 / 2.2) < 0.002
        return ColorEncoding(
            primaries: primaries, transfer: isSRGB ? .sRGB : .gamma(1 / gamma))
    }
}

extension ColorEncoding.Primaries {
    /// Whether all chromaticities are in the range of real colours.
    fileprivate var isValid: Bool {
        [white, red, green, blue].allSatisfy {
            (0...1).contains($0.x) && $0.y > 0.001 && $0.y <= 1
        }
    }
}
