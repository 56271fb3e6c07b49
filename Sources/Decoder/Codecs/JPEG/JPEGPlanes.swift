import CCodecs
import Geometry
import ImageTypes
import RasterPipeline

/// The planes of a JPEG, from a row of MCUs on.
final class JPEGPlanes: PlaneSource {
    let size: PixelSize
    let format: ChromaFormat
    var isComplete: Bool { rows.isComplete }
    private let rows: JPEGRows
    /// The number of luma rows still to be skipped: whole rows of MCUs.
    private var skipped = 0

    /// Starts decoding at the top of the picture.
    init(_ rows: JPEGRows) throws(DecodeFailure) {
        guard let format = rows.planes else { throw JPEGCodec.differs }
        (self.rows, self.format, size) = (rows, format, rows.size)
        guard ccodecs_jpeg_start_planes(rows.raw) == 0 else {
            throw LibraryMessage.damaged(String(cString: ccodecs_jpeg_message(rows.raw)))
        }
    }

    /// Moves to `first`, a multiple of the height of MCUs, by the last entry of the index at or above.
    func enter(_ index: OpaquePointer, at first: Int) throws(DecodeFailure) {
        let height = Int(ccodecs_jpeg_mcu_height(rows.raw))
        let row = ccodecs_jpeg_index_before(index, Int32(first / height))
        try rows.enter(index, at: row)
        skipped = first - Int(row) * height
    }

    func read(luma: [UnsafeMutablePointer<UInt8>], chroma: [UnsafeMutablePointer<UInt8>]) -> Int {
        while skipped > 0 {
            // Skipped rows are overwritten afterwards.
            let count = min(skipped, luma.count)
            guard decode(Array(luma.prefix(count)), chroma) == count else { return 0 }
            skipped -= count
        }
        return decode(luma, chroma)
    }

    private func decode(
        _ luma: [UnsafeMutablePointer<UInt8>], _ chroma: [UnsafeMutablePointer<UInt8>]
    ) -> Int {
        let (luma, chroma) = (luma.map { Optional($0) }, chroma.map { Optional($0) })
        return max(
            0,
            Int(
                ccodecs_jpeg_read_planes(
                    rows.raw, luma, Int32(luma.count), chroma, Int32(chroma.count))))
    }
}

extension JPEGRows {
    /// How the planes are sampled; nil if there are none that can be read.
    var planes: ChromaFormat? {
        var (columns, rows) = (Int32(0), Int32(0))
        guard ccodecs_jpeg_has_planes(raw, &columns, &rows) != 0 else { return nil }
        // JFIF 1.02: BT.601 with all 256 values; chroma samples are centred.
        return ChromaFormat(columnShift: Int(columns), rowShift: Int(rows))
    }
}
