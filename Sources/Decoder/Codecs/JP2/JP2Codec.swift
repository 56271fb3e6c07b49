import CCodecs
import Containers
import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// JPEG 2000 by OpenJPEG, for JP2 files and bare codestreams.
struct JP2Codec: LibraryCodec, ReducibleCodec, StreamingCodec {
    static let format = PictureFormat.jpeg2000
    static var isAvailable: Bool { ccodecs_open_jp2() != nil }
    let size: PixelSize
    let coarsestMipLevel: Int
    let streaming: RowStreaming?
    private let bands: JP2Bands
    private let file: JP2File

    /// The coarsest mip level that is of use.
    private static let coarsestUsefulLevel = 5

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        file = JP2File(bytes)
        let picture = try JP2Rows(header: file, mipLevel: 0)
        size = picture.size
        coarsestMipLevel = min(picture.coarsestMipLevel, Self.coarsestUsefulLevel)
        bands = JP2Bands(of: picture)
        streaming = RowStreaming(held: file.held + bands.height * size.width * Self.pixelCost)
    }

    /// Bytes of memory per decoded pixel: OpenJPEG's 32-bit samples of four components, twice.
    private static let pixelCost = 32

    func rows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource {
        let rows = try JP2Rows(header: file, mipLevel: mipLevel)
        try rows.decode()
        return rows
    }

    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        try JP2BandRows(file, size, bands)
    }
}

/// A JPEG 2000 file, with the repair of its end if it is truncated.
struct JP2File {
    let bytes: UnsafeRawBufferPointer
    fileprivate let ending: ccodecs_jp2_ending?

    init(_ bytes: UnsafeRawBufferPointer) {
        (self.bytes, ending) = (bytes, JP2Codestream.ending(of: bytes))
    }

    /// Whether the file is shorter than its codestream declares.
    var isCut: Bool { ending.map { $0.is_cut != 0 } ?? false }

    /// Upper bound of the file's bytes that the library holds in memory.
    var held: Int { bytes.count + (ending.map { Int($0.padding) } ?? 0) }

    fileprivate func open(_ library: ccodecs_jp2_library, _ mipLevel: Int) -> OpaquePointer? {
        guard var ending else {
            return library.create(bytes.bytes, bytes.count, Int32(mipLevel), nil)
        }
        return library.create(bytes.bytes, bytes.count, Int32(mipLevel), &ending)
    }
}

/// Owns the library's decoder of one file.
final class JP2Rows: RowSource {
    private(set) var size: PixelSize
    private(set) var layout = SampleLayout.rgb8
    private(set) var color = ColorSource.standard
    private let library: ccodecs_jp2_library
    private let raw: OpaquePointer
    private var y = 0

    /// Reads the header; the picture is decoded at mip level `mipLevel`.
    init(header file: JP2File, mipLevel: Int) throws(DecodeFailure) {
        guard let library = ccodecs_open_jp2()?.pointee, let raw = file.open(library, mipLevel)
        else {
            throw .unreadable(reason: localized("there is not enough memory"))
        }
        let reason = String(cString: library.message(raw))
        guard reason.isEmpty else {
            library.destroy(raw)
            throw LibraryMessage.damaged(reason)
        }
        (self.library, self.raw) = (library, raw)
        var (width, height) = (Int32(0), Int32(0))
        library.size(raw, &width, &height)
        size = PixelSize(width: Int(width), height: Int(height))
    }

    deinit { library.destroy(raw) }

    var coarsestMipLevel: Int { Int(library.deepest_reduction(raw)) }
    /// The height of the tiles in rows, at least 1.
    var tileHeight: Int { max(1, Int(library.tile_height(raw))) }

    var isComplete: Bool { library.is_complete(raw) != 0 }

    /// Decodes all rows, or only the given ones; call this once, before `read`.
    func decode(_ rows: Range<Int>? = nil) throws(DecodeFailure) {
        if let rows { library.select_rows(raw, Int32(rows.lowerBound), Int32(rows.count)) }
        guard library.decode(raw) == 0 else {
            throw LibraryMessage.damaged(String(cString: library.message(raw)))
        }
        var (width, height, samples, isDeep) = (Int32(0), Int32(0), Int32(0), Int32(0))
        library.layout(raw, &width, &height, &samples, &isDeep)
        size = PixelSize(width: Int(width), height: Int(height))
        layout =
            switch (samples, isDeep != 0) {
            case (1, false): .gray8
            case (1, true): .gray16
            case (4, _) where library.is_cmyk(raw) != 0: .cmyk8
            case (4, false): .rgba8
            case (4, true): .rgba16
            case (_, false): .rgb8
            case (_, true): .rgb16
            }
        var length = 0
        if let profile = library.profile(raw, &length) {
            color = .profile(Array(UnsafeBufferPointer(start: profile, count: length)))
        }
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            library.read_row(raw, Int32(y), row)
            y += 1
        }
        return rows.count
    }
}
