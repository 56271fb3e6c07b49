import ImageWire
import Geometry
import ImageTypes
import RasterPipeline
import TestKit
import Threads

@testable import Codecs

/// Parallel JPEG decoding compared with libjpeg alone, and the previews embedded in a JPEG file.
///
/// The pictures are far smaller than those that are decoded in parallel normally.
struct JPEGPartsHarness: Harness {
    let name = "jpeg-parts"
    var seeds: [[UInt8]] { Seeds.jpegParts }

    private static let pixels = 1 << 17
    private static let workers = WorkerPool(width: 2)

    func prepare() { DecodeSettings.limits.pixels = Self.pixels }

    func run(_ bytes: UnsafeRawBufferPointer) {
        do throws(DecodeFailure) {
            let info = try StillDecoder(try JPEGCodec(bytes), fileLength: bytes.count).info
            let header = try JPEGRows(header: bytes)
            // Larger pictures are decoded in tiles; all of their rows would not fit into memory here.
            guard header.size.width * header.size.height <= Self.pixels else { return }
            for embedded in EmbeddedJPEG.all(in: bytes, of: header.size) {
                let preview = try embedded.preview(of: header.size, header.color)
                if let preview { ViewerSink.read(preview.rows) }
            }
            for mipLevel in 0...3 {
                compare(bytes, mipLevel, isLibraryAlone: false)
                compare(bytes, mipLevel, isLibraryAlone: true)
            }
            let indexes: [(any RowIndex)?] = [
                JPEGRestarts(bytes), JPEGRestarts(bytes, isLibraryAlone: true),
                JPEGScan.read(bytes, while: { true })?.scan,
                JPEGScan.read(bytes, while: { true }, until: { $0 > 0.5 })?.scan,
            ]
            for index in indexes.compactMap(\.self) {
                for mipLevel in [0, 2] { try decode(bytes, index, info, mipLevel) }
            }
        } catch {
            checkArrives(.failed(id: 1, error))
        }
    }

    /// Requires that the rows equal those of libjpeg, also for damaged files.
    private func compare(
        _ bytes: UnsafeRawBufferPointer, _ mipLevel: Int, isLibraryAlone: Bool
    ) {
        guard let rows = try? JPEGRows(header: bytes, isLibraryAlone: isLibraryAlone),
            rows.layout != .cmyk8, (try? rows.start(mipLevel: mipLevel)) != nil,
            let wanted = TestPicture.rows(ofJPEG: Array(bytes), reducedBy: 1 << mipLevel)
        else { return }
        var row = [UInt8](repeating: 0, count: rows.size.width * rows.layout.bytesPerPixel)
        for expected in wanted.rows {
            let count = row.withUnsafeMutableBytes {
                rows.read([$0.baseAddress].compactMap(\.self))
            }
            guard count == 1 else { break }
            precondition(row == expected, "a row differs from libjpeg's")
        }
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ index: any RowIndex, _ info: PictureInfo, _ mipLevel: Int
    ) throws(DecodeFailure) {
        let rows = try JPEGRows(header: bytes)
        try rows.start(mipLevel: mipLevel)
        let sink = ViewerSink(info)
        let decoding = try ParallelDecode(
            rows, as: info.size, from: mipLevel, info.orientation, on: Self.workers)
        decoding.help(index, reducedBy: mipLevel)
        if let memory = try decoding.seal(rows, sink) { sink.deliver(memory, isFinal: true) }
    }
}
