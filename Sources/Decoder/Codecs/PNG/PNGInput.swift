import CCodecs
import Containers
import Glibc

/// A PNG as the library may read it: without chunks that could make the library refuse the file, and
/// with a corrected length of a truncated chunk.
///
/// - libspng refuses the whole file if texts or other chunks before the pixels are longer, expand to
///   more, or are more than its limits allow. The chunks that nobody needs for the pixels are left out.
/// - libspng reads a chunk from memory at once and decodes nothing of an incomplete chunk. Some programs
///   write all pixels into a single chunk, so the length of a truncated IDAT chunk is corrected.
final class PNGInput {
    private let bytes: UnsafeRawBufferPointer
    /// The ranges of the file that the library reads, in order.
    private var ranges: [Range<Int>]
    /// The place of the length of the truncated chunk, with the corrected length.
    private let correction: (place: Int, length: [UInt8])?
    /// Whether the file is presented as it is.
    var isWhole: Bool { correction == nil && ranges == [0..<bytes.count] }

    /// The ancillary chunks that the library needs; all are short except iCCP.
    private static let neededChunks: Set = ["tRNS", "gAMA", "cHRM", "sRGB", "iCCP"]

    /// Selects the chunks of a file, which has to outlive this object; without `withProfile` the
    /// colour profile is left out, too.
    init(_ bytes: UnsafeRawBufferPointer, withProfile: Bool) {
        self.bytes = bytes
        ranges = Self.ranges(bytes, withProfile: withProfile)
        correction = Self.correction(bytes)
    }

    private static func ranges(
        _ bytes: UnsafeRawBufferPointer, withProfile: Bool
    ) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for chunk in PNGChunks(bytes) {
            if chunk.name == "IDAT" { break }
            // The case of the first letter says whether a decoder may ignore the chunk.
            let isAncillary = chunk.name.utf8.first.map { $0 & 0x20 != 0 } ?? false
            let isNeeded =
                neededChunks.contains(chunk.name) && (chunk.name != "iCCP" || withProfile)
            guard isAncillary, !isNeeded else { continue }
            let begin = chunk.data.lowerBound - PNGChunks.headerLength
            if start < begin { ranges.append(start..<begin) }
            start = chunk.data.upperBound + PNGChunks.checksumLength
        }
        return ranges + [start..<bytes.count]
    }

    /// Nil unless the file ends inside an IDAT chunk.
    private static func correction(
        _ bytes: UnsafeRawBufferPointer
    ) -> (place: Int, length: [UInt8])? {
        guard !PNGChunks.isEnded(bytes) else { return nil }
        let start = PNGChunks(bytes).end
        guard bytes.count > start + PNGChunks.headerLength,
            bytes[(start + 4)..<(start + PNGChunks.headerLength)].elementsEqual("IDAT".utf8),
            let length = UInt32(exactly: bytes.count - start - PNGChunks.headerLength)
        else { return nil }
        return (start, withUnsafeBytes(of: length.bigEndian, Array.init))
    }

    /// Makes this object the input of the library's decoder `raw`, which it has to outlive.
    func attach(to raw: OpaquePointer) {
        guard !isWhole else {
            spng_set_png_buffer(raw, bytes.baseAddress, bytes.count)
            return
        }
        let user = Unmanaged.passUnretained(self).toOpaque()
        spng_set_png_stream(
            raw,
            { _, user, target, count in
                guard let user, let target else { return Int32(SPNG_IO_ERROR.rawValue) }
                let input = Unmanaged<PNGInput>.fromOpaque(user).takeUnretainedValue()
                return input.read(target, count) ? 0 : Int32(SPNG_IO_EOF.rawValue)
            }, user)
    }

    /// Copies the next `count` bytes; false if the file ends before.
    private func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Bool {
        var done = 0
        while done < count {
            guard let range = ranges.first else { return false }
            let offset = range.lowerBound
            let length = min(count - done, range.count)
            guard let slice = bytes.part(at: offset, length: length), let base = slice.baseAddress
            else { return false }
            (target + done).copyMemory(from: base, byteCount: length)
            correct(target + done, offset, length)
            done += length
            ranges[0] = (offset + length)..<range.upperBound
            if ranges[0].isEmpty { ranges.removeFirst() }
        }
        return true
    }

    /// Replaces the length in the file by the corrected one.
    private func correct(_ target: UnsafeMutableRawPointer, _ offset: Int, _ count: Int) {
        guard let correction else { return }
        for (place, byte) in zip(correction.place..., correction.length)
        where place >= offset && place - offset < count {
            target.storeBytes(of: byte, toByteOffset: place - offset, as: UInt8.self)
        }
    }
}
