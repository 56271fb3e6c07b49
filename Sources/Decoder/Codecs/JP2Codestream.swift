import CCodecs

/// The tile-parts of a JPEG 2000 file, which say how long they are.
///
/// Source: ITU-T T.800, annexes A.4 and I.5.
struct JP2Codestream {
    private let bytes: UnsafeRawBufferPointer
    private let start: Int
    /// Where its box ends; bare, or cut short, the file.
    private let end: Int

    private static let endMarker = 0xFFD9
    private static let partMarker = 0xFF90
    private static let dataMarker = 0xFF93
    /// The length of a part's first marker and what belongs to it.
    private static let partHeader = 12
    /// Where in it the part's length is.
    private static let lengthOffset = 6
    /// As many bytes as what is left of a packet and of others without data might take.
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

    /// What has to be made of the end of a file that does not end as it says; nil where it does, or
    /// where too little can be told.
    ///
    /// The library takes a file that is cut short for broken if it needs less than all tiles, or more
    /// than one part of a tile; so it is shown one whose last part is shorter.
    static func ending(of bytes: UnsafeRawBufferPointer) -> ccodecs_jp2_ending? {
        guard let stream = JP2Codestream(bytes), let first = stream.firstPart else { return nil }
        var part = first
        while let marker = stream.number(part, 2) {
            guard marker == partMarker else { return nil }
            guard bytes.count - part >= partHeader,
                let length = stream.number(part + lengthOffset, 4)
            else { break }
            guard length == 0 || length >= partHeader else { return nil }
            guard length > 0, length <= bytes.count - part else {
                if let ending = stream.ending(part, of: length) { return ending }
                break
            }
            part += length
        }
        // What there is of the next part tells nothing.
        guard part > first else { return nil }
        return ccodecs_jp2_ending(end: part, length_at: 0, length: 0, padding: 0, is_cut: 1)
    }

    /// The same where the last part is `length`, which is too long, or 0: then it goes to the end.
    private func ending(_ part: Int, of length: Int) -> ccodecs_jp2_ending? {
        guard length == 0 else {
            let padding = min(length - (bytes.count - part), Self.padding)
            return ending(part, at: bytes.count, padding: padding, isCut: true)
        }
        guard number(end - 2, 2) == Self.endMarker else {
            return ending(part, at: end, padding: Self.padding, isCut: true)
        }
        return ending(part, at: end - 2, padding: 0, isCut: false)
    }

    /// None where the part has no data yet.
    private func ending(
        _ part: Int, at end: Int, padding: Int, isCut: Bool
    ) -> ccodecs_jp2_ending? {
        guard let data = marker(Self.dataMarker, from: part + Self.partHeader), data + 2 < end,
            let length = UInt32(exactly: end - part + padding)
        else { return nil }
        return ccodecs_jp2_ending(
            end: end, length_at: part + Self.lengthOffset, length: length - UInt32(padding),
            padding: UInt32(padding), is_cut: isCut ? 1 : 0)
    }

    private var firstPart: Int? { marker(Self.partMarker, from: start + 2) }

    /// Where the first such marker is among those that have lengths.
    private func marker(_ wanted: Int, from first: Int) -> Int? {
        var place = first
        while let marker = number(place, 2), marker >= 0xFF00 {
            if marker == wanted { return place }
            guard let length = number(place + 2, 2), length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    private func number(_ offset: Int, _ size: Int) -> Int? {
        guard let part = bytes.part(at: offset, length: size) else { return nil }
        var reader = BigEndianReader(part)
        return reader.number(size)
    }
}
