import CCodecs
import Geometry
import ImageTypes

/// One pass over all coefficients of a baseline JPEG, in less time than it takes to decode them: the mean
/// of each block, and where rows of MCUs begin.
///
/// `@unchecked Sendable`: only `read`, before anyone else hears of it, changes what is noted behind the
/// pointer; that and the bytes are only read from then on, and the first is freed with the last reference.
final class JPEGScan: RowIndex, @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer
    private let raw: OpaquePointer
    private let mcuHeight: Int

    private init(_ bytes: UnsafeRawBufferPointer, _ raw: OpaquePointer, mcuHeight: Int) {
        (self.bytes, self.raw, self.mcuHeight) = (bytes, raw, mcuHeight)
    }

    deinit { ccodecs_jpeg_scan_destroy(raw) }

    /// Nil where there is any doubt of what the file says, and once it is not wanted any more; the bytes
    /// have to outlive it.
    static func read(
        _ bytes: UnsafeRawBufferPointer, while isWanted: () -> Bool
    ) -> (scan: JPEGScan, means: JPEGDCImage)? {
        guard let rows = try? JPEGRows(header: bytes) else { return nil }
        let size = rows.size
        // At the reduction that asks for the least memory.
        guard (try? rows.start(exponent: JPEGCodec.blockExponent)) != nil,
            let raw = ccodecs_jpeg_scan_create(rows.raw)
        else { return nil }
        let scan = JPEGScan(bytes, raw, mcuHeight: Int(ccodecs_jpeg_mcu_height(rows.raw)))
        while ccodecs_jpeg_scan_is_done(raw) == 0 {
            guard isWanted(), ccodecs_jpeg_scan_row(raw, rows.raw) == 0 else { return nil }
        }
        return means(raw, rows.raw, of: size).map { (scan, $0) }
    }

    private static func means(
        _ raw: OpaquePointer, _ jpeg: OpaquePointer, of size: PixelSize
    ) -> JPEGDCImage? {
        let planes = (0..<ccodecs_jpeg_inks(jpeg)).map { component in
            var (count, columns, rows) = (0, Int32(0), Int32(0))
            let start = ccodecs_jpeg_scan_means(raw, jpeg, component, &count, &columns, &rows)
            let means = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
            return (means: means, columns: Int(columns), rows: Int(rows))
        }
        var means = JPEGDCImage(size, planes.map { ($0.columns, $0.rows) })
        for (index, plane) in planes.enumerated() {
            guard means.planes[index].means.count == plane.means.count else { return nil }
            means.planes[index].means = Array(plane.means)
        }
        return means
    }

    func step(reducedBy exponent: Int) -> Int { mcuHeight >> exponent }

    func rows(
        _ rows: Range<Int>, reducedBy exponent: Int
    ) throws(DecodeFailure) -> any RowSource {
        let height = step(reducedBy: exponent)
        // One more before them: colour is smoothed across rows of MCUs.
        let first = Int32(max(0, rows.lowerBound / height - 1))
        return try JPEGRows.rows(rows, of: bytes, reducedBy: exponent, from: first) {
            ccodecs_jpeg_enter_scan($0, raw, first)
        }
    }
}
