import CCodecs
import ImageWire
import Geometry
import ImageTypes

@testable import Codecs
@testable import Thumbnails

/// All that a decoder is asked of a still or animated picture: the header, pixels for a small window
/// and then in full, a thumbnail with its file, frames.
struct PictureHarness: Harness {
    /// Takes every input for its format; nil where the content decides.
    let codec: (any StillCodec.Type)?

    var name: String { codec?.format.harnessName ?? "any" }
    var seeds: [[UInt8]] { Seeds.pictures(codec?.format) }

    /// So small that an input takes milliseconds.
    private static let pixels = 1 << 17
    private static let mostFrames = 6
    private static let target = PixelSize(width: 40, height: 40)

    func prepare() { PictureDecoders.limits.pixels = Self.pixels }

    func run(_ bytes: UnsafeRawBufferPointer) {
        do throws(DecodeFailure) {
            let decoder = try open(bytes)
            checkArrives(.info(id: 1, decoder.info))
            var whole = decoder
            let notice = try whole.decode(for: Self.target, to: Recipient(decoder.info))
            checkArrives(.finished(id: 1, notice: notice))
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
        let request = ThumbnailRequest(side: 32, wantsFile: true)
        let sink = Recipient(decoder.info, thumbnail: request)
        _ = try Thumbnail.make(decoder, request, for: sink)
    }

    /// What is shown first of a progressive picture that is larger than those that are decoded here.
    private func readFirstScans(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let means = JPEGDCImage(bytes) else { return }
        Recipient.read(JPEGDCRows(means, .standard))
    }

    private func play(_ decoder: any PictureDecoder) throws(DecodeFailure) {
        guard let frames = try decoder.animation() else { return }
        let sink = Recipient(decoder.info)
        for _ in 0..<Self.mostFrames {
            let (memory, info) = try frames.next(sink)
            checkArrives(.frame(id: 1, info))
            sink.deliver(memory, isFinal: true)
        }
    }
}
