import ImageWire
import Geometry
import ImageTypes
import TestKit
import Threads

@testable import Codecs

/// A JPEG with help, beside what the library makes of it, and the small ones that it holds of itself, at sizes
/// far below those that are worth it.
struct JPEGPartsHarness: Harness {
    let name = "jpeg-parts"
    var seeds: [[UInt8]] { Seeds.jpegParts }

    private static let pixels = 1 << 17
    private static let workers = WorkerPool(width: 2)

    func prepare() { PictureDecoders.limits.pixels = Self.pixels }

    func run(_ bytes: UnsafeRawBufferPointer) {
        do throws(DecodeFailure) {
            let info = try StillDecoder<JPEGCodec>(bytes).info
            let header = try JPEGRows(header: bytes)
            for embedded in EmbeddedJPEG.all(in: bytes, of: header.size) {
                let preview = try embedded.preview(of: header.size, header.color)
                if let preview { Recipient.read(preview.rows) }
            }
            for exponent in 0...3 { compare(bytes, exponent) }
            let indexes: [(any RowIndex)?] = [
                JPEGRestarts(bytes), JPEGScan.read(bytes, while: { true })?.scan,
            ]
            for index in indexes.compactMap(\.self) {
                for exponent in [0, 2] { try decode(bytes, index, info, exponent) }
            }
        } catch {
            checkArrives(.failed(id: 1, error))
        }
    }

    /// Whatever the file is like, its rows are those of the library alone.
    private func compare(_ bytes: UnsafeRawBufferPointer, _ exponent: Int) {
        guard let rows = try? JPEGRows(header: bytes), rows.layout != .cmyk8,
            (try? rows.start(exponent: exponent)) != nil,
            let wanted = TestPicture.rows(ofJPEG: Array(bytes), reducedBy: 1 << exponent)
        else { return }
        var row = [UInt8](repeating: 0, count: rows.size.width * rows.layout.bytesPerPixel)
        for expected in wanted.rows {
            let count = row.withUnsafeMutableBytes {
                rows.read([$0.baseAddress].compactMap(\.self))
            }
            guard count == 1 else { break }
            precondition(row == expected, "a row is not the library's")
        }
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ index: any RowIndex, _ info: PictureInfo, _ exponent: Int
    ) throws(DecodeFailure) {
        let rows = try JPEGRows(header: bytes)
        try rows.start(exponent: exponent)
        let sink = Recipient(info)
        let decoding = try ParallelDecode(
            rows, as: info.size, from: exponent, info.orientation, on: Self.workers)
        decoding.help(index)
        if let sealed = try decoding.seal(rows, sink) { sink.deliver(sealed.memory, isFinal: true) }
    }
}
