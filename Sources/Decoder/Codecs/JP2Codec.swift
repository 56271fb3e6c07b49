import CCodecs
import Geometry
import ImageTypes

/// JPEG 2000, by OpenJPEG: in its container or bare.
struct JP2Codec: StillCodec {
    static let format = PictureFormat.jpeg2000
    static var isAvailable: Bool { ccodecs_jp2_is_available() != 0 }
    let size: PixelSize
    let deepestReduction: Int
    let streaming: RowStreaming?
    private let strips: JP2Strips
    private let file: JP2File

    /// Smaller reductions than this nobody needs.
    private static let usefulReduction = 5

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        file = JP2File(bytes)
        let picture = try JP2Rows(header: file, exponent: 0)
        size = picture.size
        deepestReduction = min(picture.deepestReduction, Self.usefulReduction)
        strips = JP2Strips(of: picture)
        streaming = RowStreaming(held: file.held + strips.height * size.width * Self.pixelCost)
    }

    /// Bytes of memory for each pixel that is decoded: the library's numbers, twice.
    private static let pixelCost = 32

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        let rows = try JP2Rows(header: file, exponent: exponent)
        try rows.decode()
        return rows
    }

    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        try JP2StripRows(file, size, strips)
    }
}

/// A file, and what has to be made of its end.
struct JP2File {
    let bytes: UnsafeRawBufferPointer
    fileprivate let ending: ccodecs_jp2_ending?

    init(_ bytes: UnsafeRawBufferPointer) {
        (self.bytes, ending) = (bytes, JP2Codestream.ending(of: bytes))
    }

    /// Whether there is less of it than it says.
    var isCut: Bool { ending.map { $0.is_cut != 0 } ?? false }

    /// Bytes that the library holds of it at most.
    var held: Int { bytes.count + (ending.map { Int($0.padding) } ?? 0) }

    fileprivate func open(_ exponent: Int) -> OpaquePointer? {
        guard var ending else {
            return ccodecs_jp2_create(bytes.bytes, bytes.count, Int32(exponent), nil)
        }
        return ccodecs_jp2_create(bytes.bytes, bytes.count, Int32(exponent), &ending)
    }
}

/// Owns a file in the hands of the library.
final class JP2Rows: RowSource {
    private(set) var size: PixelSize
    private(set) var layout = SampleLayout.rgb8
    private(set) var color = ColorSource.standard
    private let raw: OpaquePointer
    private var y = 0

    /// Reads what comes before the pixels.
    init(header file: JP2File, exponent: Int) throws(DecodeFailure) {
        guard let raw = file.open(exponent) else {
            throw .unreadable(reason: "there is not enough memory")
        }
        let reason = String(cString: ccodecs_jp2_message(raw))
        guard reason.isEmpty else {
            ccodecs_jp2_destroy(raw)
            throw .damaged(reason: reason)
        }
        self.raw = raw
        var (width, height) = (Int32(0), Int32(0))
        ccodecs_jp2_size(raw, &width, &height)
        size = PixelSize(width: Int(width), height: Int(height))
    }

    deinit { ccodecs_jp2_destroy(raw) }

    var deepestReduction: Int { Int(ccodecs_jp2_deepest_reduction(raw)) }
    /// At least 1.
    var tileHeight: Int { max(1, Int(ccodecs_jp2_tile_height(raw))) }

    var isComplete: Bool { ccodecs_jp2_is_complete(raw) != 0 }

    /// All of it, or only some rows.
    func decode(_ rows: Range<Int>? = nil) throws(DecodeFailure) {
        if let rows { ccodecs_jp2_select_rows(raw, Int32(rows.lowerBound), Int32(rows.count)) }
        guard ccodecs_jp2_decode(raw) == 0 else {
            throw .damaged(reason: String(cString: ccodecs_jp2_message(raw)))
        }
        var (width, height, samples, isDeep) = (Int32(0), Int32(0), Int32(0), Int32(0))
        ccodecs_jp2_layout(raw, &width, &height, &samples, &isDeep)
        size = PixelSize(width: Int(width), height: Int(height))
        layout =
            switch (samples, isDeep != 0) {
            case (1, false): .gray8
            case (1, true): .gray16
            case (4, _) where ccodecs_jp2_is_inks(raw) != 0: .cmyk8
            case (4, false): .rgba8
            case (4, true): .rgba16
            case (_, false): .rgb8
            case (_, true): .rgb16
            }
        var length = 0
        if let profile = ccodecs_jp2_profile(raw, &length) {
            color = .profile(Array(UnsafeBufferPointer(start: profile, count: length)))
        }
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            ccodecs_jp2_read_row(raw, Int32(y), row)
            y += 1
        }
        return rows.count
    }
}
