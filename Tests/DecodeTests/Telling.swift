import CLinux
import DecodeClient
import Glibc
import Pictures
import TestKit

/// What a file tells of its picture, asked through the real process as the viewer does.
struct Telling {
    var info: PictureInfo?
    var metadata = PictureMetadata()
    var failure: DecodeFailure?

    init(_ bytes: [UInt8], decoder: String = Binaries.decoder) throws {
        let client = try DecodeClient(decoderPath: decoder, patience: 20_000)
        let memory = clinux_memfd_create("picture")
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(max(1, write(memory, Array(rest), rest.count)))
        }
        client.metadata(3, descriptor: memory, now: Decoding.now())
        while true {
            var polls = client.pollDescriptors.map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&polls, nfds_t(polls.count), 20)
            var events = client.handleDeadline(now: Decoding.now())
            for poll in polls { events += client.handleReadable(poll.fd, now: Decoding.now()) }
            for event in events {
                switch event {
                case .info(_, let info): self.info = info
                case .metadata(_, let part):
                    metadata.entries += part.entries
                    metadata.position = part.position ?? metadata.position
                case .finished: return
                case .failed(_, let failure):
                    self.failure = failure
                    return
                case .pixels, .frame, .part: break
                }
            }
        }
    }

    /// The value with that label.
    subscript(label: String) -> String? {
        metadata.entries.first { $0.label == label }?.value
    }
}
