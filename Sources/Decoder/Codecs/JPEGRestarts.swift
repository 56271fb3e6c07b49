import CCodecs
import Geometry
import ImageTypes

/// Where rows of MCUs begin in a JPEG in memory by its restart markers: there the entropy decoder begins
/// anew, so that a decoder can be put there without having read what comes before.
///
/// `@unchecked Sendable`: what is behind the pointer is complete when it is made; that and the bytes are
/// only read from then on, and the first is freed with the last reference.
final class JPEGRestarts: RowIndex, @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer
    private let raw: OpaquePointer
    private let mcuHeight: Int
    /// No more rows of MCUs lie between two that can be gone to.
    private let gap: Int

    /// What is decoded twice, because rows do not begin where they can be gone to, shall be a small part.
    private static let mostGap = 4

    /// Nil where there are too few of them, and where one of them is not where it should be.
    ///
    /// So rows are, to the last bit, what they are in the whole picture. The bytes have to outlive it.
    init?(_ bytes: UnsafeRawBufferPointer) {
        // At the reduction that asks for the least memory.
        guard let first = try? JPEGRows(header: bytes), ccodecs_jpeg_has_restarts(first.raw) != 0,
            (try? first.start(exponent: JPEGCodec.blockExponent)) != nil,
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
        guard gap <= Self.mostGap else { return nil }
    }

    deinit { ccodecs_jpeg_restarts_destroy(raw) }

    func step(reducedBy exponent: Int) -> Int { gap * mcuHeight >> exponent }

    func rows(
        _ rows: Range<Int>, reducedBy exponent: Int
    ) throws(DecodeFailure) -> any RowSource {
        // Colour is smoothed across rows of MCUs: there is one more before them.
        let wanted = max(0, rows.lowerBound / (mcuHeight >> exponent) - 1)
        let first = ccodecs_jpeg_restarts_before(raw, Int32(wanted))
        return try JPEGRows.rows(rows, of: bytes, reducedBy: exponent, from: first) {
            ccodecs_jpeg_enter($0, raw, first)
        }
    }
}
