import CCodecs
import ImageWire
import Geometry
import ImageTypes
import RasterPipeline

@testable import Codecs
@testable import Thumbnails

/// All requests for a still or animated picture: header, pixels for a small window and in full, thumbnail
/// with its copy in sRGB, frames.
struct PictureHarness: Harness {
    /// The codec for all inputs; nil selects the codec by the content.
    let codec: (any Codec.Type)?

    var name: String { codec?.format.harnessName ?? "any" }
    var seeds: [[UInt8]] { Seeds.pictures(codec?.format) }

    /// The picture limit, small enough that one input takes milliseconds.
    private static let pixels = 1 << 17
    private static let mostFrames = 6
    private static let target = PixelSize(width: 40, height: 40)

    func prepare() { DecodeSettings.limits.pixels = Self.pixels }

    func run(_ bytes: UnsafeRawBufferPointer) {
        do throws(DecodeFailure) {
            let decoder = try open(bytes)
            checkArrives(.info(id: 1, decoder.info))
            var whole = decoder
            let message = try whole.decode(for: Self.target, to: ViewerSink(decoder.info))
            checkArrives(.finished(id: 1, message: message))
            try makeThumbnail(decoder)
            try play(decoder)
            if codec?.format == .jpeg { try readFirstScans(bytes) }
        } catch {
            checkArrives(.failed(id: 1, error))
        }
    }

    private func open(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> any PictureDecoder {
        guard let codec else { return try PictureDecoders.open(bytes) }
        return try codec.decoder(bytes)
    }

    private func makeThumbnail(_ decoder: any PictureDecoder) throws(DecodeFailure) {
        let request = ThumbnailRequest(side: 32, wantsSRGBCopy: true)
        let sink = ViewerSink(decoder.info, thumbnail: request)
        _ = try Thumbnail.make(decoder, request, for: sink)
    }

    /// Decodes the DC preview directly; pictures within the limit here are too small to get one.
    private func readFirstScans(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let dcImage = JPEGDCImage(bytes) else { return }
        ViewerSink.read(JPEGDCRows(dcImage, .standard))
    }

    private func play(_ decoder: any PictureDecoder) throws(DecodeFailure) {
        guard let frames = try decoder.animation() else { return }
        let sink = ViewerSink(decoder.info)
        for _ in 0..<Self.mostFrames {
            let (memory, info) = try frames.next(sink)
            checkArrives(.frame(id: 1, info))
            sink.deliver(memory, isFinal: true)
        }
    }
}
