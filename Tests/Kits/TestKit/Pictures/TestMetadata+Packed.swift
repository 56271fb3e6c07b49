/// Metadata in forms that have to be unpacked, and dates.
extension TestMetadata {
    /// A brob box of JPEG XL with at most 64 KiB, which are stored without compression.
    ///
    /// Source: RFC 7932, 9.1 and 9.2: a window of 16 bits, a stored meta-block, an empty last one.
    package static func brob(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let header = 1 << 20 | (content.count - 1) << 4
        return box("brob", Array(type.utf8) + number(header, 3).reversed() + content + [3])
    }

    /// The text of a raw profile in a PNG.
    package static func rawProfile(_ kind: String, _ data: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        var text = Array("\n\(kind)\n    \(data.count)\n".utf8)
        for (index, byte) in data.enumerated() {
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            if index % 36 == 35 { text.append(UInt8(ascii: "\n")) }
        }
        return text
    }

    /// The chunk of a PNG with a text: "tEXt", "zTXt", "iTXt", or "iTXt" with a compressed text as "ziTXt".
    package static func text(_ kind: String, _ keyword: String, _ text: [UInt8]) -> [UInt8] {
        let name = Array(keyword.utf8) + [0]
        return switch kind {
        case "zTXt": TestAnimation.chunk("zTXt", name + [0] + TestPicture.packed(text))
        case "iTXt": TestAnimation.chunk("iTXt", name + [0, 0, 0, 0] + text)
        case "ziTXt":
            TestAnimation.chunk("iTXt", name + [1, 0, 0, 0] + TestPicture.packed(text))
        default: TestAnimation.chunk("tEXt", name + text)
        }
    }

    /// A PNG with further chunks: after its header, or behind its pixels.
    package static func png(_ picture: [UInt8], _ chunks: [UInt8], isLate: Bool) -> [UInt8] {
        // The header is a chunk of 13 bytes, the last chunk is empty.
        picture.inserting(chunks, at: isLate ? picture.count - 12 : 8 + 25)
    }

    /// The offsets of dates from UTC.
    package struct Offsets {
        var original: String?
        var digitized: String?
        var changed: String?

        package init(original: String? = nil, digitized: String? = nil, changed: String? = nil) {
            (self.original, self.digitized, self.changed) = (original, digitized, changed)
        }
    }

    /// EXIF data with the model "Dated" and the dates of when a picture was taken, scanned and changed.
    package static func dated(
        original: String? = nil, digitized: String? = nil, changed: String? = nil,
        offsets: Offsets = Offsets()
    ) -> [UInt8] {
        let lower = [
            (0x9003, original), (0x9004, digitized), (0x9010, offsets.changed),
            (0x9011, offsets.original), (0x9012, offsets.digitized),
        ].compactMap { tag, text in text.map { (tag: tag, text: Array($0.utf8) + [0]) } }
        let directory = behind(changed == nil ? 2 : 3)
        var place = directory + 2 + 12 * lower.count + 4
        var values: [UInt8] = []
        func text(_ tag: Int, _ bytes: [UInt8]) -> [UInt8] {
            defer { place += bytes.count }
            values += bytes
            return entry(tag, type: 2, count: bytes.count, number(place, 4))
        }
        var entries = [text(0x0110, Array("Dated\0".utf8))]
        if let changed { entries.append(text(0x0132, Array(changed.utf8) + [0])) }
        entries.append(entry(0x8769, type: 4, count: 1, number(directory, 4)))
        let below = lower.map { text($0.tag, $0.text) }
        return tiff(entries, behind: Self.directory(below) + values)
    }
}
