import DecodeClient
import ImageTypes
import TestKit
import Testing

/// Plays a file in the real decoder, as the viewer does: two frames ahead.
struct Playing {
    private(set) var frames: [(info: FrameInfo, bitmap: Bitmap)] = []
    private(set) var info: PictureInfo?
    private(set) var failure: DecodeFailure?

    /// Until there are so many frames, or it fails.
    init(_ file: [UInt8], _ count: Int) throws {
        let client = try DecodeClient(decoderPath: Binaries.decoder, patience: 20_000)
        client.play(7, descriptor: Decoding.file(file), now: Decoding.now())
        client.frame(7, now: Decoding.now())
        client.frame(7, now: Decoding.now())
        while frames.count < count, failure == nil {
            for event in Decoding.events(of: client) where frames.count < count {
                hear(event, client)
            }
        }
    }

    private mutating func hear(_ event: DecodeEvent, _ client: DecodeClient) {
        switch event {
        case .info(_, let told): info = told
        case .frame(_, let frame, let bitmap):
            frames.append((frame, bitmap))
            client.frame(7, now: Decoding.now())
        case .failed(_, let failure): self.failure = failure
        case .pixels, .part, .finished, .metadata: Issue.record("not asked for: \(event)")
        }
    }

    /// Every frame's number in the file.
    var numbers: [Int] { frames.map(\.info.number) }
    /// How long each is shown, in milliseconds.
    var durations: [Double] { frames.map(\.info.duration) }
}
