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
            for level in header.levels + [header.sRGBCopy].compactMap(\.self) {
                precondition(
                    level.offset >= PixelHeader.length
                        && level.offset + level.stride * level.size.height <= length,
                    "a level lies outside the memory")
            }
        }
    }
}

/// Files of the desktop's thumbnail cache, and thumbnails that the viewer encodes for the cache.
struct CacheHarness: Harness {
    let name = "thumbnail-cache"
    var seeds: [[UInt8]] { Seeds.thumbnails }

    func run(_ bytes: UnsafeRawBufferPointer) {
        if let file = try? PNGFile(Array(bytes)) {
            _ = (file.text("Thumb::URI"), file.text("Thumb::MTime")) as ([UInt8]?, [UInt8]?)
        }
        encode(bytes)
    }

    /// Encodes the input as pixels; the first byte selects width and format.
    private func encode(_ bytes: UnsafeRawBufferPointer) {
        let (selector, pixels) = (Int(bytes.first ?? 0), Pixels(bytes))
        let width = 1 + selector / 2
        let size = PixelSize(width: width, height: pixels.bytes.count / 4 / width)
        guard size.height > 0 else { return }
        let level = Bitmap.Level(mipLevel: 0, size: size, stride: width * 4, offset: 0)
        let bitmap = Bitmap(
            size: size, format: selector.isMultiple(of: 2) ? .rgb24 : .argb32, levels: [level],
            memory: pixels)
        let texts = [(keyword: "Thumb::URI", text: Array("file:///a".utf8))]
        let kept = try? PNGFile(PNGFile.picture(bitmap, texts))
        precondition(kept?.text("Thumb::URI") == texts[0].text, "the text is not found again")
    }
}

/// A copy of the input as the memory of a bitmap.
///
/// `@unchecked Sendable`: the memory does not change and exists as long as the object.
private final class Pixels: PixelMemory, @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer

    init(_ source: UnsafeRawBufferPointer) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
        copy.copyMemory(from: source)
        bytes = UnsafeRawBufferPointer(copy)
    }

    deinit { bytes.deallocate() }
}
