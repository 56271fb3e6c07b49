import CCodecs
import Geometry
import ImageTypes

/// An index of the MCU rows that begin at a restart marker of a JPEG in memory.
///
/// The entropy decoder is reset at a restart marker. So decoding can start there without the data
/// before it.
///
/// `@unchecked Sendable`: the C object behind the pointer is complete after `init`. From then on
/// the C object and the bytes are only read. The C object is freed with the last reference.
final class JPEGRestarts: RowIndex, @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer
    private let raw: OpaquePointer
    private let mcuHeight: Int
    /// The largest distance between two entry points, in MCU rows.
    private let gap: Int

    /// Limit of `gap`: the rows from an entry point to the requested row are decoded twice.
    private static let maxGap = 4

    /// Nil if there are too few restart markers, or if one of them is missing or out of order.
    ///
    /// The decoded rows are therefore identical to those of a decode of the whole picture. `bytes`
    /// has to outlive the index.
    init?(_ bytes: UnsafeRawBufferPointer) {
        // This reduction needs the least memory.
        guard let first = try? JPEGRows(header: bytes), ccodecs_jpeg_has_restarts(first.raw) != 0,
            (try? first.start(mipLevel: JPEGCodec.blockMipLevel)) != nil,
            let raw = ccodecs_jpeg_find_restarts(first.raw)
        else { return nil }
        self.bytes = bytes
        self.raw = raw
        mcuHeight = Int(ccodecs_jpeg_mcu_height(first.raw))
        let starts = (0..<ccodecs_jpeg_restarts_rows(raw)).filter {
            ccodecs_jpeg_restarts_before(raw, $0) == $0
        }
        let ends = starts.dropFirst() + [ccodecs_jpeg_restarts_rows(raw)]
        gap = Int(zip(starts, ends).map { $1 - $0 }.max() ?? .max)
        guard gap <= Self.maxGap else { return nil }
    }

    deinit { ccodecs_jpeg_restarts_destroy(raw) }

    func step(reducedBy mipLevel: Int) -> Int { gap * mcuHeight >> mipLevel }

    func rows(
        _ rows: Range<Int>, reducedBy mipLevel: Int
    ) throws(DecodeFailure) -> any RowSource {
        // Chroma is interpolated across MCU rows, so decoding starts one MCU row earlier.
        let wanted = max(0, rows.lowerBound / (mcuHeight >> mipLevel) - 1)
        let first = ccodecs_jpeg_restarts_before(raw, Int32(wanted))
        return try JPEGRows.rows(rows, of: bytes, reducedBy: mipLevel, from: first) {
            ccodecs_jpeg_enter($0, raw, first)
        }
    }
}
