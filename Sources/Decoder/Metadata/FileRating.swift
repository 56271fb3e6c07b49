import ImageTypes

/// The stars that a picture file has inside, in its XMP.
package enum FileRating {
    /// The number of stars, 0…5; nil where the file says nothing.
    package static func stars(of bytes: UnsafeRawBufferPointer) -> Int? {
        stars(in: MetadataBlocks(bytes))
    }

    /// The number of stars, 0…5; nil where the metadata say nothing.
    package static func stars(in blocks: MetadataBlocks) -> Int? {
        defer { withExtendedLifetime(blocks) {} }
        guard let xmp = blocks.xmp, xmp.mentions("Rating") else { return nil }
        return stars(in: XMPReader(xmp).values)
    }

    /// The number of stars in the values of XMP, of which the first one counts.
    static func stars(in xmp: [XMPReader.Property: [String]]) -> Int? {
        xmp[.rating]?.first.flatMap(StarRating.number)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a packet has a word: few packets have some, and the others are not parsed.
    func mentions(_ word: String) -> Bool {
        let word = Array(word.utf8)
        guard count >= word.count else { return false }
        return (0...count - word.count).contains { start in
            self[start] == word[0] && self[start..<start + word.count].elementsEqual(word)
        }
    }
}
