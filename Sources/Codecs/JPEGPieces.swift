import CCodecs
import Geometry
import Pictures

/// The pieces that a JPEG with restart markers can be decoded in.
///
/// At such a marker the entropy decoder begins anew, so that a decoder can be put there. Colour that is
/// stored coarser than light is smoothed across rows of MCUs: so each piece but the first begins some
/// rows before its own, which it leaves out.
struct JPEGPieces {
    /// Fewer pixels are decoded as quickly by one thread.
    private static let leastPixels = 1 << 20

    private let bytes: UnsafeRawBufferPointer
    private let exponent: Int
    private let restarts: OpaquePointer

    /// Whether it may be worth it to look for pieces of a picture whose header was read.
    static func mayBeFound(in header: JPEGRows) -> Bool {
        header.size.width * header.size.height >= leastPixels
            && ccodecs_jpeg_has_restarts(header.raw) != 0
    }

    /// At most `count` pieces of the picture, reduced; none where it has to be decoded as a whole.
    static func of(
        _ bytes: UnsafeRawBufferPointer, reducedBy exponent: Int, count: Int
    ) throws(DecodeFailure) -> [RowPiece] {
        let first = try JPEGRows(header: bytes)
        try first.start(exponent: exponent)
        guard let restarts = ccodecs_jpeg_find_restarts(first.raw) else { return [] }
        defer { ccodecs_jpeg_restarts_destroy(restarts) }
        let pieces = JPEGPieces(bytes: bytes, exponent: exponent, restarts: restarts)
        return try pieces.divide(first, count)
    }

    /// `first` is what decodes the first piece.
    private func divide(_ first: JPEGRows, _ count: Int) throws(DecodeFailure) -> [RowPiece] {
        let height = Int(ccodecs_jpeg_mcu_height(first.raw)) >> exponent
        let total = Int(ccodecs_jpeg_restarts_rows(restarts))
        let strip = UprightWriter.stripHeight
        // Rows of MCUs that make whole strips; of three blocks, as hardly anyone stores them, few do.
        guard height > 0, height.isMultiple(of: strip) || strip.isMultiple(of: height) else {
            return []
        }
        let step = max(1, strip / height)
        var starts: [(row: Int, own: Int)] = [(0, 0)]
        for number in 1..<count {
            let own = total * number / count / step * step
            let row = Int(ccodecs_jpeg_restarts_before(restarts, Int32(own - 1)))
            // What is decoded twice shall be a small part.
            guard own > starts[starts.count - 1].own, row > 0, own - row <= total / count / 4 else {
                continue
            }
            starts.append((row, own))
        }
        guard starts.count > 1 else { return [] }
        var pieces: [RowPiece] = []
        for (index, start) in starts.enumerated() {
            let end =
                index + 1 < starts.count ? starts[index + 1].own * height : first.size.height
            let rows = index == 0 ? first : try JPEGRows(header: bytes)
            if index > 0 {
                try rows.start(exponent: exponent)
                guard ccodecs_jpeg_enter(rows.raw, restarts, Int32(start.row)) == 0 else {
                    return []
                }
            }
            let own = start.own * height..<end
            let left = (start.own - start.row) * height
            pieces.append(RowPiece(rows: own, source: PieceRows(rows, leaving: left, own.count)))
        }
        return pieces
    }
}

/// The rows of a decoder without the first ones.
private final class PieceRows: RowSource {
    let size: PixelSize
    var layout: SampleLayout { rows.layout }
    var color: ColorSource { rows.color }
    var isComplete: Bool { rows.isComplete }
    private let rows: JPEGRows
    /// So many rows are still to be left out.
    private var left: Int

    init(_ rows: JPEGRows, leaving left: Int, _ height: Int) {
        self.rows = rows
        self.left = left
        size = PixelSize(width: rows.size.width, height: height)
    }

    func read(_ targets: [UnsafeMutableRawPointer]) -> Int {
        // Where the first of its own rows will be there is room for the others.
        while left > 0 {
            guard let target = targets.first, rows.read([target]) == 1 else { return 0 }
            left -= 1
        }
        return rows.read(targets)
    }
}
