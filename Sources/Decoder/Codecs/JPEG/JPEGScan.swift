import CCodecs
import Geometry
import ImageTypes
import RasterPipeline

/// An index of the MCU rows of a baseline JPEG, from one pass over its coefficients.
///
/// The pass takes less time than decoding, and also yields the DC coefficients if it reads all rows.
///
/// `@unchecked Sendable`: only `read` changes the C object behind the pointer, before the scan is
/// shared. From then on the C object and the bytes are only read. The C object is freed with the
/// last reference.
final class JPEGScan: PlaneIndex, @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer
    private let raw: OpaquePointer
    private let mcuHeight: Int

    private init(_ bytes: UnsafeRawBufferPointer, _ raw: OpaquePointer, mcuHeight: Int) {
        (self.bytes, self.raw, self.mcuHeight) = (bytes, raw, mcuHeight)
    }

    deinit { ccodecs_jpeg_scan_destroy(raw) }

    /// The rows of MCUs that the pass has read, and their share of all rows.
    private var rowsRead: Int { Int(ccodecs_jpeg_index_correct_rows(ccodecs_jpeg_scan_index(raw))) }
    private var share: Double {
        Double(rowsRead) / Double(ccodecs_jpeg_index_rows(ccodecs_jpeg_scan_index(raw)))
    }
    private var isWhole: Bool { ccodecs_jpeg_scan_is_done(raw) != 0 }

    /// Runs the pass; nil if the data has any error, or once `isWanted` returns false.
    ///
    /// The pass ends early, without a DC image, once `isEnough` returns true for the share of the rows that were
    /// read. `bytes` has to outlive the scan.
    static func read(
        _ bytes: UnsafeRawBufferPointer, while isWanted: () -> Bool,
        until isEnough: (Double) -> Bool = { _ in false }
    ) -> (scan: JPEGScan, dcImage: JPEGDCImage?)? {
        guard let rows = try? JPEGRows(header: bytes) else { return nil }
        let size = rows.size
        // This reduction needs the least memory.
        guard (try? rows.start(mipLevel: JPEGCodec.blockMipLevel)) != nil,
            let raw = ccodecs_jpeg_scan_create(rows.raw)
        else { return nil }
        let scan = JPEGScan(bytes, raw, mcuHeight: Int(ccodecs_jpeg_mcu_height(rows.raw)))
        while !scan.isWhole {
            guard isWanted(), ccodecs_jpeg_scan_row(raw, rows.raw) == 0 else { return nil }
            if !scan.isWhole, isEnough(scan.share) { return (scan, nil) }
        }
        return dcImage(raw, rows.raw, of: size).map { (scan, $0) }
    }

    private static func dcImage(
        _ raw: OpaquePointer, _ jpeg: OpaquePointer, of size: PixelSize
    ) -> JPEGDCImage? {
        let planes = (0..<ccodecs_jpeg_channels(jpeg)).map { component in
            var (count, columns, rows) = (0, Int32(0), Int32(0))
            let start = ccodecs_jpeg_scan_dc_means(raw, jpeg, component, &count, &columns, &rows)
            let samples = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
            return (samples: samples, columns: Int(columns), rows: Int(rows))
        }
        var image = JPEGDCImage(size, planes.map { ($0.columns, $0.rows) })
        for (index, plane) in planes.enumerated() {
            guard image.planes[index].means.count == plane.samples.count else { return nil }
            image.planes[index].means = Array(plane.samples)
        }
        return image
    }

    func step(reducedBy mipLevel: Int) -> Int { mcuHeight >> mipLevel }

    func lastStart(reducedBy mipLevel: Int) -> Int? {
        isWhole ? nil : (rowsRead - 1) * mcuHeight >> mipLevel
    }

    func rows(
        _ rows: Range<Int>, reducedBy mipLevel: Int
    ) throws(DecodeFailure) -> any RowSource {
        try JPEGRows(header: bytes)
            .start(at: rows, of: ccodecs_jpeg_scan_index(raw), reducedBy: mipLevel)
    }

    func planes(_ rows: Range<Int>) throws(DecodeFailure) -> any PlaneSource {
        let planes = try JPEGPlanes(try JPEGRows(header: bytes))
        try planes.enter(ccodecs_jpeg_scan_index(raw), at: rows.lowerBound)
        return planes
    }
}
