import CCodecs
import Geometry
import ImageTypes
import RasterPipeline

/// An index of the MCU rows that begin at a restart marker of a JPEG in memory.
///
/// The entropy decoder is reset at a restart marker. So decoding can start there without the data
/// before it.
///
/// `@unchecked Sendable`: the C object behind the pointer is complete after `init`. From then on
/// the C object and the bytes are only read. The C object is freed with the last reference.
final class JPEGRestarts: PlaneIndex, @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer
    private let isLibraryAlone: Bool
    private let raw: OpaquePointer
    private let mcuHeight: Int
    /// The largest distance between two entry points, in MCU rows.
    private let gap: Int

    /// Limit of `gap`: the rows from an entry point to the requested row are decoded twice.
    private static let maxGap = 4

    /// Nil if there are too few restart markers, or if one of them is missing or out of order.
    ///
    /// The decoded rows are therefore identical to those of a decode of the whole picture. `bytes`
    /// has to outlive the index. `isLibraryAlone` tells that the library alone reads the data.
    init?(_ bytes: UnsafeRawBufferPointer, isLibraryAlone: Bool = false) {
        // This reduction needs the least memory.
        guard let first = try? JPEGRows(header: bytes), ccodecs_jpeg_has_restarts(first.raw) != 0,
            (try? first.start(mipLevel: JPEGCodec.blockMipLevel)) != nil,
            let raw = ccodecs_jpeg_find_restarts(first.raw)
        else { return nil }
        (self.bytes, self.isLibraryAlone, self.raw) = (bytes, isLibraryAlone, raw)
        mcuHeight = Int(ccodecs_jpeg_mcu_height(first.raw))
        let starts = (0..<ccodecs_jpeg_index_rows(raw)).filter {
            ccodecs_jpeg_index_before(raw, $0) == $0
        }
        let ends = starts.dropFirst() + [ccodecs_jpeg_index_rows(raw)]
        gap = Int(zip(starts, ends).map { $1 - $0 }.max() ?? .max)
        guard gap <= Self.maxGap else { return nil }
    }

    deinit { ccodecs_jpeg_index_destroy(raw) }

    func step(reducedBy mipLevel: Int) -> Int { gap * mcuHeight >> mipLevel }

    func rows(
        _ rows: Range<Int>, reducedBy mipLevel: Int
    ) throws(DecodeFailure) -> any RowSource {
        try JPEGRows(header: bytes, isLibraryAlone: isLibraryAlone)
            .start(at: rows, of: raw, reducedBy: mipLevel)
    }

    func planes(_ rows: Range<Int>) throws(DecodeFailure) -> any PlaneSource {
        let planes = try JPEGPlanes(try JPEGRows(header: bytes, isLibraryAlone: isLibraryAlone))
        try planes.enter(raw, at: rows.lowerBound)
        return planes
    }
}
