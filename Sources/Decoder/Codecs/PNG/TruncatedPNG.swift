import CCodecs
import Containers
import Glibc

/// A PNG that is truncated in its last IDAT chunk, presented with a corrected chunk length.
///
/// libspng reads a chunk from memory at once and decodes nothing of an incomplete chunk. Some
/// programs write all pixels into a single chunk.
final class TruncatedPNG {
    private let bytes: UnsafeRawBufferPointer
    /// The offset of the last chunk, and its corrected length.
    private let start: Int
    private let length: UInt32
    private var offset = 0

    /// Nil unless the file ends inside an IDAT chunk.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard !PNGChunks.isEnded(bytes) else { return nil }
        let start = PNGChunks(bytes).end
        guard bytes.count > start + PNGChunks.headerLength,
            bytes[(start + 4)..<(start + PNGChunks.headerLength)].elementsEqual("IDAT".utf8),
            let length = UInt32(exactly: bytes.count - start - PNGChunks.headerLength)
        else { return nil }
        (self.bytes, self.start, self.length) = (bytes, start, length)
    }

    /// Makes this object the input of the library's decoder `raw`, which it has to outlive.
    func attach(to raw: OpaquePointer) {
        let user = Unmanaged.passUnretained(self).toOpaque()
        spng_set_png_stream(
            raw,
            { _, user, target, count in
                guard let user, let target else { return Int32(SPNG_IO_ERROR.rawValue) }
                let file = Unmanaged<TruncatedPNG>.fromOpaque(user).takeUnretainedValue()
                return file.read(target, count) ? 0 : Int32(SPNG_IO_EOF.rawValue)
            }, user)
    }

    private func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Bool {
        guard let slice = bytes.part(at: offset, length: count), let base = slice.baseAddress else {
            return false
        }
        target.copyMemory(from: base, byteCount: count)
        // The corrected length replaces the length in the file.
        for (index, byte) in zip(start..., withUnsafeBytes(of: length.bigEndian, Array.init)) {
            if index >= offset, index - offset < count {
                target.storeBytes(of: byte, toByteOffset: index - offset, as: UInt8.self)
            }
        }
        offset += count
        return true
    }
}
