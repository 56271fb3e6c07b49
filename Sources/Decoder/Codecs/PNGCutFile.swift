import CCodecs
import Glibc

/// A PNG that ends within its pixels, as one whose last chunk is as long as what there is of it.
///
/// libspng reads a chunk from memory in one go, and of one that is not all there it gives nothing; some
/// programs write all pixels into a single one.
final class PNGCutFile {
    private let bytes: UnsafeRawBufferPointer
    /// Where the last chunk begins, and the length it is taken for.
    private let start: Int
    private let length: UInt32
    private var offset = 0

    /// None where the file does not end so.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard !PNGChunks.isEnded(bytes) else { return nil }
        let start = PNGChunks(bytes).end
        guard bytes.count > start + PNGChunks.headerLength,
            bytes[(start + 4)..<(start + PNGChunks.headerLength)].elementsEqual("IDAT".utf8),
            let length = UInt32(exactly: bytes.count - start - PNGChunks.headerLength)
        else { return nil }
        (self.bytes, self.start, self.length) = (bytes, start, length)
    }

    /// Has the library read from it, which has to outlive that.
    func attach(to raw: OpaquePointer) {
        let user = Unmanaged.passUnretained(self).toOpaque()
        spng_set_png_stream(
            raw,
            { _, user, target, count in
                guard let user, let target else { return Int32(SPNG_IO_ERROR.rawValue) }
                let file = Unmanaged<PNGCutFile>.fromOpaque(user).takeUnretainedValue()
                return file.read(target, count) ? 0 : Int32(SPNG_IO_EOF.rawValue)
            }, user)
    }

    private func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Bool {
        guard let part = bytes.part(at: offset, length: count), let base = part.baseAddress else {
            return false
        }
        target.copyMemory(from: base, byteCount: count)
        // The length is put over the file's.
        for (place, byte) in zip(start..., withUnsafeBytes(of: length.bigEndian, Array.init)) {
            if place >= offset, place - offset < count {
                target.storeBytes(of: byte, toByteOffset: place - offset, as: UInt8.self)
            }
        }
        offset += count
        return true
    }
}
