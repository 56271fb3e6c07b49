import DecodeClient
import ImageTypes
import TestKit
import Testing

/// Plays a file in the real decoder, requesting two frames ahead as the viewer does.
struct AnimationPlayback {
    private(set) var frames: [(info: FrameInfo, bitmap: Bitmap)] = []
    private(set) var info: PictureInfo?
    private(set) var failure: DecodeFailure?

    /// Plays until there are `count` frames, or the decoder fails.
    init(_ file: [UInt8], _ count: Int) throws {
        let client = try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.decoder)), patience: 20_000)
        client.start(.animation, 7, descriptor: Decoding.file(file), now: Decoding.now())
        client.frame(7, now: Decoding.now())
        client.frame(7, now: Decoding.now())
        while frames.count < count, failure == nil {
            for event in Decoding.events(of: client) where frames.count < count {
                handle(event, client)
            }
        }
    }

    private mutating func handle(_ event: DecodeEvent, _ client: DecodeClient) {
        switch event {
        case .info(_, let reported): info = reported
        case .frame(_, let frame, let bitmap):
            frames.append((frame, bitmap))
            client.frame(7, now: Decoding.now())
        case .failed(_, let failure): self.failure = failure
        case .waiting: break
        case .opened, .pixels, .gain, .tile, .finished, .metadata, .edited:
            Issue.record("not asked for: \(event)")
        }
    }

    /// The number of each frame in the file.
    var numbers: [Int] { frames.map(\.info.number) }
    /// The duration of each frame, in milliseconds.
    var durations: [Double] { frames.map(\.info.duration) }
}
