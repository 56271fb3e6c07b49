import CCodecs
package import Geometry
package import Pictures

/// PNG, by libspng.
package struct PNGDecoder: PictureDecoder {
    package let info: PictureInfo
    private let bytes: UnsafeRawBufferPointer
    private let stored: PixelSize

    package init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = bytes
        let png = try PNGReader(bytes)
        stored = png.size
        _ = try PictureDecoders.firstExponent(for: stored)
        let exif = png.exif
        info = PictureInfo(
            size: exif.orientation.upright(stored), orientation: exif.orientation,
            format: PictureFormat.png.name, taken: exif.taken)
    }

    package mutating func decode(for target: PixelSize, to sink: some DecodeSink)
        throws(DecodeFailure) -> String?
    {
        let png = try PNGReader(bytes)
        let store = try PixelStore(
            size: info.size, format: png.hasAlpha ? .argb32 : .rgb24, from: 0,
            profile: png.profile)
        try png.start()
        let whole = png.isInterlaced ? png.readInterlaced(sink) : nil
        if png.isInterlaced, whole == nil { return nil }
        do throws(Stopped) {
            try StripDecoding.run(store, info.orientation, sink) { rows, count, y in
                guard let whole else { return png.read(rows, count) }
                for index in 0..<count { whole.copyRow(y + index, to: rows[index]) }
                return count
            }
        } catch {
            return nil
        }
        sink.deliver(try store.seal(orientation: info.orientation), isFinal: true)
        return png.isComplete
            ? nil : "The file is damaged or cut short; what could be read is shown."
    }

    package func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream? {
        let png = try PNGReader(bytes)
        // A small one, such as a thumbnail, is best handed on as it is.
        guard !png.isInterlaced, info.size.width > 2 * size.width else { return nil }
        try png.start()
        return RowStream(
            size: stored, format: png.hasAlpha ? .argb32 : .rgb24, profile: png.profile
        ) { png.read([$0], 1) == 1 }
    }
}

/// Owns a PNG in the hands of the library.
private final class PNGReader {
    let size: PixelSize
    let isInterlaced: Bool
    let hasAlpha: Bool
    /// Whether every row came.
    private(set) var isComplete = true
    private let raw: OpaquePointer
    private var line: [UInt8]

    /// The largest chunk kept in memory, in bytes.
    private static let chunkLimit = 64 << 20

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let raw = spng_ctx_new(0) else {
            throw .unreadable(reason: "there is not enough memory")
        }
        spng_set_png_buffer(raw, bytes.baseAddress, bytes.count)
        spng_set_image_limits(raw, UInt32(Int32.max), UInt32(Int32.max))
        spng_set_chunk_limits(raw, Self.chunkLimit, Self.chunkLimit)
        // A wrong checksum is no reason to show nothing.
        spng_set_crc_action(raw, Int32(SPNG_CRC_USE.rawValue), Int32(SPNG_CRC_USE.rawValue))
        var header = spng_ihdr()
        let code = spng_get_ihdr(raw, &header)
        guard code == 0 else {
            spng_ctx_free(raw)
            throw Self.failure(code)
        }
        self.raw = raw
        size = PixelSize(width: Int(header.width), height: Int(header.height))
        isInterlaced = header.interlace_method != 0
        var transparency = spng_trns()
        hasAlpha = header.color_type & 4 != 0 || spng_get_trns(raw, &transparency) == 0
        line = []
    }

    deinit { spng_ctx_free(raw) }

    private static func failure(_ code: Int32) -> DecodeFailure {
        if code == Int32(SPNG_EOF.rawValue) || code == Int32(SPNG_IO_EOF.rawValue) {
            return .cutShort
        }
        return .damaged(reason: String(cString: spng_strerror(code)))
    }

    var exif: Exif {
        var exif = spng_exif()
        guard spng_get_exif(raw, &exif) == 0, let data = exif.data else { return Exif() }
        return Exif(tiff: UnsafeRawBufferPointer(start: data, count: exif.length))
    }

    var profile: [UInt8] {
        var profile = spng_iccp()
        guard spng_get_iccp(raw, &profile) == 0, let data = profile.profile else { return [] }
        return Array(UnsafeRawBufferPointer(start: data, count: profile.profile_len))
    }

    func start() throws(DecodeFailure) {
        let flags = Int32(SPNG_DECODE_PROGRESSIVE.rawValue | SPNG_DECODE_TRNS.rawValue)
        let code = spng_decode_image(raw, nil, 0, Int32(SPNG_FMT_RGBA8.rawValue), flags)
        guard code == 0 else { throw Self.failure(code) }
        line = [UInt8](repeating: 0, count: size.width * 4)
    }

    /// Decodes up to `count` rows, premultiplied; fewer when the file ends.
    func read(_ rows: [UnsafeMutablePointer<UInt32>], _ count: Int) -> Int {
        for index in 0..<count {
            let code = spng_decode_row(raw, &line, line.count)
            guard code == 0 || code == Int32(SPNG_EOI.rawValue) else {
                isComplete = false
                return index
            }
            line.withUnsafeBytes { Premultiplication.convert($0, to: rows[index], size.width) }
        }
        return count
    }

    /// Decodes all passes; nil when told to stop.
    func readInterlaced(_ sink: some DecodeSink) -> WholePicture? {
        let whole = WholePicture(size)
        while sink.shouldContinue() {
            var row = spng_row_info()
            guard spng_get_row_info(raw, &row) == 0 else {
                isComplete = false
                return whole
            }
            let code = whole.withRow(Int(row.row_num)) { spng_decode_row(raw, $0, $1) }
            if code == Int32(SPNG_EOI.rawValue) { return whole }
            guard code == 0 else {
                isComplete = false
                return whole
            }
        }
        return nil
    }
}

/// An RGBA picture in ordinary memory, for passes that come back to rows.
private final class WholePicture {
    private let width: Int
    private var pixels: [UInt8]

    init(_ size: PixelSize) {
        width = size.width
        pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
    }

    func withRow<Result>(_ y: Int, _ body: (UnsafeMutableRawPointer?, Int) -> Result) -> Result {
        pixels.withUnsafeMutableBytes { bytes in
            body(bytes.baseAddress?.advanced(by: y * width * 4), width * 4)
        }
    }

    func copyRow(_ y: Int, to row: UnsafeMutablePointer<UInt32>) {
        pixels.withUnsafeBytes { bytes in
            Premultiplication.convert(
                UnsafeRawBufferPointer(rebasing: bytes[(y * width * 4)...]), to: row, width)
        }
    }
}

/// From R, G, B, A bytes to premultiplied 0xAARRGGBB words.
private enum Premultiplication {
    static func convert(
        _ source: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt32>, _ width: Int
    ) {
        for x in 0..<width {
            let (r, g) = (UInt32(source[4 * x]), UInt32(source[4 * x + 1]))
            let (b, a) = (UInt32(source[4 * x + 2]), UInt32(source[4 * x + 3]))
            target[x] = a << 24 | scaled(r, a) << 16 | scaled(g, a) << 8 | scaled(b, a)
        }
    }

    /// value · alpha / 255, rounded to nearest.
    @inline(__always)
    private static func scaled(_ value: UInt32, _ alpha: UInt32) -> UInt32 {
        let product = value &* alpha &+ 128
        return (product &+ product &>> 8) &>> 8
    }
}
