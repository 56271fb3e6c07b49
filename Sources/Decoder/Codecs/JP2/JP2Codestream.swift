import CCodecs
import Containers

/// Walks the tile-parts of a JPEG 2000 codestream by their declared lengths.
///
/// Source: ITU-T T.800, annexes A.4 and I.5.
struct JP2Codestream {
    private let bytes: UnsafeRawBufferPointer
    private let start: Int
    /// End of the `jp2c` box; end of the file for a bare codestream or a truncated box.
    private let end: Int

    private static let eocMarker = 0xFFD9
    private static let sotMarker = 0xFF90
    private static let sodMarker = 0xFF93
    /// Bytes of the SOT marker and its segment.
    private static let sotLength = 12
    /// Offset of the tile-part's length (Psot) from the SOT marker.
    private static let lengthOffset = 6
    /// Limit of the zeros that may follow the data: the rest of a packet, and empty packets.
    private static let padding = 64 << 20

    private init?(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        if bytes.first == 0xFF {
            (start, end) = (0, bytes.count)
            return
        }
        guard let file = bytes.baseAddress,
            let body = ISOBoxes(bytes, endsAnywhere: true).first("jp2c"),
            let first = body.baseAddress
        else { return nil }
        start = first - file
        end = start + body.count
    }

    /// The repair of a codestream whose last tile-part is truncated or declares no length.
    ///
    /// OpenJPEG rejects a truncated file if only some tiles are decoded, or if a tile has several
    /// tile-parts. So the library is given a file whose last tile-part declares a shorter length.
    /// Nil if no repair is needed, or if too little of the file is left to repair it.
    static func ending(of bytes: UnsafeRawBufferPointer) -> ccodecs_jp2_ending? {
        guard let stream = JP2Codestream(bytes), let first = stream.firstSOT else { return nil }
        var tilePart = first
        while let marker = stream.number(tilePart, 2) {
            guard marker == sotMarker else { return nil }
            guard bytes.count - tilePart >= sotLength,
                let length = stream.number(tilePart + lengthOffset, 4)
            else { break }
            guard length == 0 || length >= sotLength else { return nil }
            guard length > 0, length <= bytes.count - tilePart else {
                if let ending = stream.ending(tilePart, of: length) { return ending }
                break
            }
            tilePart += length
        }
        // Too little of the next tile-part is left to be decoded.
        guard tilePart > first else { return nil }
        return ccodecs_jp2_ending(end: tilePart, length_at: 0, length: 0, padding: 0, is_cut: 1)
    }

    /// The repair of a last tile-part with a declared `length` beyond the end of the file, or 0.
    ///
    /// A tile-part of length 0 extends to the end of the codestream.
    private func ending(_ tilePart: Int, of length: Int) -> ccodecs_jp2_ending? {
        guard length == 0 else {
            let padding = min(length - (bytes.count - tilePart), Self.padding)
            return ending(tilePart, at: bytes.count, padding: padding, isCut: true)
        }
        guard number(end - 2, 2) == Self.eocMarker else {
            return ending(tilePart, at: end, padding: Self.padding, isCut: true)
        }
        return ending(tilePart, at: end - 2, padding: 0, isCut: false)
    }

    /// The repair that ends the tile-part at `end`; nil if the tile-part has no data before `end`.
    private func ending(
        _ tilePart: Int, at end: Int, padding: Int, isCut: Bool
    ) -> ccodecs_jp2_ending? {
        guard let data = marker(Self.sodMarker, from: tilePart + Self.sotLength), data + 2 < end,
            let length = UInt32(exactly: end - tilePart + padding)
        else { return nil }
        return ccodecs_jp2_ending(
            end: end, length_at: tilePart + Self.lengthOffset, length: length - UInt32(padding),
            padding: UInt32(padding), is_cut: isCut ? 1 : 0)
    }

    private var firstSOT: Int? { marker(Self.sotMarker, from: start + 2) }

    /// Offset of the first `wanted` marker in the sequence of marker segments from `first` on.
    private func marker(_ wanted: Int, from first: Int) -> Int? {
        var offset = first
        while let marker = number(offset, 2), marker >= 0xFF00 {
            if marker == wanted { return offset }
            guard let length = number(offset + 2, 2), length >= 2 else { return nil }
            offset += 2 + length
        }
        return nil
    }

    private func number(_ offset: Int, _ size: Int) -> Int? {
        guard let slice = bytes.part(at: offset, length: size) else { return nil }
        var reader = BigEndianReader(slice)
        return reader.number(size)
    }
}
