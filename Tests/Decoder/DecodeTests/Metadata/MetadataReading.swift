import DecodeClient
import ImageTypes
import TestKit

/// The metadata of a file, requested from the real decoder process as the viewer does.
struct MetadataReading {
    var info: PictureInfo?
    var metadata = PictureMetadata()
    var failure: DecodeFailure?

    init(_ bytes: [UInt8], decoder: String = Binaries.decoder) throws {
        let client = try DecodeClient(DecoderLauncher(DecoderProgram(decoder)), patience: 20_000)
        client.start(.metadata, 3, descriptor: Decoding.file(bytes), now: Decoding.now())
        while true {
            for event in Decoding.events(of: client) {
                switch event {
                case .info(_, let info): self.info = info
                case .metadata(_, let part):
                    metadata.entries += part.entries
                    metadata.alternativeTexts += part.alternativeTexts
                    metadata.position = part.position ?? metadata.position
                case .finished: return
                case .failed(_, let failure):
                    self.failure = failure
                    return
                case .opened, .waiting, .pixels, .gain, .frame, .tile, .edited: break
                }
            }
        }
    }

    /// The value of the first entry with that label.
    subscript(label: String) -> String? {
        metadata.entries.first { $0.label == label }?.value
    }
}
