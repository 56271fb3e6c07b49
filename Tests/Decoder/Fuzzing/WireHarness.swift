import ImageWire
import Geometry
import ImageTypes

@testable import Thumbnails
@testable import ImageWire

/// Messages and headers from a compromised decoder; those that parse must also parse after a round trip.
struct WireHarness: Harness {
    let name = "wire"
    var seeds: [[UInt8]] { Seeds.messages }

    func run(_ bytes: UnsafeRawBufferPointer) {
        let bytes = Array(bytes)
        if let reply = try? DecodeReply(bytes) {
            // Not compared in full: replacing control characters can make a text too long.
            precondition((try? DecodeReply(reply.bytes))?.id == reply.id, "\(reply)")
        }
        if let request = try? DecodeRequest(bytes) {
            precondition((try? DecodeRequest(request.bytes)) == request, "\(request)")
        }
        for length in [1 << 14, 1 << 20, 1 << 31] {
            guard let header = try? PixelHeader(checking: bytes, memoryLength: length) else {
                continue
            }
            for level in header.levels {
                precondition(
                    level.offset >= PixelHeader.length
                        && level.offset + level.stride * level.size.height <= length,
                    "a level lies outside the memory")
            }
            precondition(header.file.upperBound <= length, "a file lies outside the memory")
        }
    }
}

/// Files of the desktop's thumbnail cache, and thumbnails that a decoder made for the cache.
struct CacheHarness: Harness {
    let name = "thumbnail-cache"
    var seeds: [[UInt8]] { Seeds.thumbnails }

    func run(_ bytes: UnsafeRawBufferPointer) {
        guard let file = try? PNGFile(Array(bytes)) else { return }
        let texts = [(keyword: "Thumb::URI", text: Array("file:///a".utf8))]
        _ = (file.text("Thumb::URI"), file.text("Thumb::MTime")) as ([UInt8]?, [UInt8]?)
        guard file.isBarePicture(of: PixelSize(width: 2, height: 2)) else { return }
        let kept = try? PNGFile(file.inserting(texts))
        precondition(kept?.text("Thumb::URI") == texts[0].text, "the text is not found again")
        precondition(kept?.isWhole == true, "the file is no longer whole")
    }
}
