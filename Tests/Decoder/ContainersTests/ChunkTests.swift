import Containers
import Testing

/// The chunks of RIFF and PNG files, and the segments of JPEG files.
@Suite struct ChunkTests {
    private func little(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    // MARK: RIFF

    private func riff(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        let body = chunks.flatMap { name, data in
            joined(
                Array(name.utf8), little(data.count), data,
                [UInt8](repeating: 0, count: data.count % 2))
        }
        return joined(
            Array("RIFF".utf8), little(body.count + 4), Array("WEBP".utf8), body)
    }

    @Test func riffChunksArePaddedToEvenLengths() {
        let file = riff([("ICCP", [1, 2, 3]), ("EXIF", [4, 5])])
        file.withUnsafeBytes { bytes in
            let chunks = RIFFChunks(bytes)
            #expect(chunks.map(\.name) == ["ICCP", "EXIF"])
            #expect(chunks.first("EXIF")?.elementsEqual([4, 5]) == true)
            #expect(chunks.first("XMP ") == nil)
            #expect(chunks.repaired(after: "EXIF") == nil)
        }
    }

    @Test func exifMayHaveTheNameOfASegment() {
        for name in ["", "Exif\0\0"] {
            let file = riff([("EXIF", Array(name.utf8) + [0x49, 0x49])])
            file.withUnsafeBytes {
                #expect(RIFFChunks($0).exif?.elementsEqual([0x49, 0x49]) == true)
            }
        }
    }

    @Test func aCutFileIsRepairedAfterItsLastWholeChunk() throws {
        let file = riff([("ANMF", [1, 2]), ("ANMF", [3, 4]), ("ANMF", [5, 6])]).dropLast(3)
        try Array(file).withUnsafeBytes { bytes in
            let copy = try #require(RIFFChunks(bytes).repaired(after: "ANMF"))
            defer { copy.deallocate() }
            #expect(copy.elementsEqual(riff([("ANMF", [1, 2]), ("ANMF", [3, 4])])))
        }
    }

    // MARK: PNG

    private func png(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        joined(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            chunks.flatMap { name, data in
                joined(Array(little(data.count).reversed()), Array(name.utf8), data, [0, 0, 0, 0])
            })
    }

    @Test func pngChunksBeforeThePixelsAreFound() {
        let file = png([("iCCP", [1]), ("IDAT", [2]), ("eXIf", [3]), ("IEND", [])])
        file.withUnsafeBytes { bytes in
            let chunks = PNGChunks(bytes)
            #expect(chunks.map(\.name) == ["iCCP", "IDAT", "eXIf", "IEND"])
            #expect(chunks.first("iCCP")?.elementsEqual([1]) == true)
            #expect(chunks.first("eXIf") == nil)
            #expect(chunks.end == bytes.count && PNGChunks.isEnded(bytes))
        }
    }

    @Test func aCutPNGEndsAfterItsLastWholeChunk() {
        let whole = png([("iCCP", [1])])
        let file = joined(whole, png([("IDAT", [2, 3, 4])]).dropFirst(8).dropLast(5).map(\.self))
        file.withUnsafeBytes { bytes in
            #expect(PNGChunks(bytes).end == whole.count && !PNGChunks.isEnded(bytes))
        }
    }

    // MARK: JPEG

    private func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        let length = data.count + 2
        return joined([0xFF, marker, UInt8(length >> 8), UInt8(length & 255)], data)
    }

    @Test func jpegSegmentsEndAtTheFirstScan() {
        let name = Array("Exif\0\0".utf8)
        let file = joined(
            [0xFF, 0xD8], segment(0xE0, [1]), [0xFF], segment(0xE1, name + [9]),
            segment(0xDA, [0]), segment(0xE2, [2]))
        file.withUnsafeBytes { bytes in
            let segments = JPEGSegments(bytes)
            #expect(segments.map(\.marker) == [0xE0, 0xE1])
            let exif = segments.first(JPEGSegments.application + 1, named: "Exif\0\0")
            #expect(exif?.elementsEqual([9]) == true)
            #expect(segments.first(JPEGSegments.application + 2, named: "") == nil)
        }
    }

    // MARK: All

    /// A file truncated at any length never causes a read past the end.
    @Test func everyTruncationIsReadSafely() {
        let files = [
            riff([("ICCP", [1, 2, 3]), ("ANMF", [4, 5])]),
            png([("iCCP", [1, 2, 3]), ("IDAT", [4]), ("IEND", [])]),
            joined([0xFF, 0xD8], segment(0xE0, [1, 2]), segment(0xE1, [3, 4, 5])),
        ]
        for file in files {
            for length in 0...file.count {
                // Debug builds check every index against the truncated length.
                Array(file.prefix(length)).withUnsafeBytes { bytes in
                    RIFFChunks(bytes).repaired(after: "ANMF")?.deallocate()
                    #expect(PNGChunks(bytes).end <= max(bytes.count, 8))
                    for segment in JPEGSegments(bytes) { #expect(segment.data.count <= length) }
                }
            }
        }
    }

    // MARK: PNG from its end

    @Test func theTailHasTheLastChunks() {
        // Data that look like chunks, and are none.
        let noise = joined([0, 0, 0, 3], Array("tEXtabc".utf8), [0, 0, 0, 0], [1])
        let pixels = (0..<20).map { _ in ("IDAT", [UInt8](repeating: 65, count: 16 << 10) + noise) }
        let last: [(String, [UInt8])] = [("eXIf", noise), ("tEXt", [1])]
        let file = png([("IHDR", [])] + pixels + last + [("IEND", [])])
        file.withUnsafeBytes { bytes in
            let (all, tail) = (Array(PNGChunks(bytes)), PNGChunks(bytes).tail)
            #expect(tail.count < all.count)
            #expect(tail.map(\.data) == all.suffix(tail.count).map(\.data))
            #expect(tail.map(\.name).suffix(3) == ["eXIf", "tEXt", "IEND"])
        }
        // A small file is its own tail.
        let small = png([("IHDR", []), ("IDAT", [1, 2]), ("eXIf", [3]), ("IEND", [])])
        small.withUnsafeBytes { bytes in
            #expect(PNGChunks(bytes).tail.map(\.name) == PNGChunks(bytes).map(\.name))
        }
        for length in 0..<small.count {
            Array(small.prefix(length)).withUnsafeBytes {
                #expect(PNGChunks($0).tail.isEmpty)
            }
        }
    }
}
