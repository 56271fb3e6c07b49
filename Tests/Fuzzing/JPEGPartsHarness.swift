import DecodeWire
import Geometry
import Pictures
import Threads

@testable import Codecs

/// A JPEG in pieces, and the small ones that it holds of itself, at sizes far below those that are worth
/// it.
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
            if let embedded = EmbeddedJPEG(in: bytes, of: header.size),
                let preview = try embedded.preview(of: header.size, header.color)
            {
                Recipient.read(preview.rows)
            }
            for exponent in [0, 2] { try decode(bytes, header.size, info, exponent) }
        } catch {
            checkArrives(.failed(id: 1, error))
        }
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ size: PixelSize, _ info: PictureInfo, _ exponent: Int
    ) throws(DecodeFailure) {
        let pieces = try JPEGPieces.of(bytes, reducedBy: exponent, count: 3)
        let reduced = size.reduced(by: exponent)
        guard pieces.last?.rows.upperBound == reduced.height,
            pieces.allSatisfy({ $0.source.size.width == reduced.width })
        else { return }
        let sink = Recipient(info)
        let decoding = try PieceDecoding(
            pieces, as: info.size, from: exponent, info.orientation, sink, on: Self.workers)
        if case .sealed(let memory, _) = try decoding.seal() {
            sink.deliver(memory, isFinal: true)
        }
    }
}
