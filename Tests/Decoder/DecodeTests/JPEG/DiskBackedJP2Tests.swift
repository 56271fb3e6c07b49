import Geometry
import ImageTypes
import TestKit
import Testing

/// JPEG 2000 with a backing file, truncated or with tiles in an unusual order.
@Suite struct DiskBackedJP2Tests {
    private let tests = DiskBackedTests()

    /// A truncated file has the pixels of the same file decoded in memory, and the rest is black.
    @Test(arguments: [
        "tiles.jp2", "odd.j2k", "parts.jp2", "chroma.j2k", "it.jp2", "precincts.jp2", "layers.jp2",
    ])
    func aTruncatedFileMatchesTheInMemoryDecode(name: String) throws {
        let file = try tests.made(name)
        let whole = try #require(try Decoding(file).bitmaps.last)
        let samples = whole.size.height / 7 * (whole.size.width / 5)
        for part in [0.35, 0.75, 0.98] {
            let cut = Array(file.prefix(Int(Double(file.count) * part)))
            let overview = try overview(of: cut, "\(part) of it")
            let (_, black) = overview.distance(from: whole, rows: 0..<whole.size.height)
            #expect(Double(black) < Double(samples) * (1.05 - part), "\(part) of it")
        }
    }

    /// Truncated between two tiles, in a tile-part header, and right before its data.
    @Test(arguments: [0, 1, 5, 12, 14, 15])
    func aTruncatedFileShowsItsCompleteTiles(count: Int) throws {
        let (header, parts) = try parted("tiles.jp2")
        let file = header + parts[..<12].flatMap(\.self) + Array(parts[12].prefix(count))
        let whole = try #require(try Decoding(tests.made("tiles.jp2")).bitmaps.last)
        let overview = try overview(of: file)
        // Two complete rows of five tiles, and two more tiles.
        #expect(overview.rowOfDifference(rows: 0..<400, from: whole, level: 0) == nil)
        let (mean, black) = overview.distance(from: whole, rows: 400..<600)
        #expect(mean > 0 && Double(black) < 0.55 * 29 * 241)
    }

    /// Tiles may come in any order, so the first tiles may be missing.
    @Test func theFirstTilesMayBeMissing() throws {
        let (header, parts) = try parted("tiles.jp2")
        let whole = try #require(try Decoding(tests.made("tiles.jp2")).bitmaps.last)
        let order = Array(parts[10...]) + Array(parts[..<3])
        let overview = try overview(of: header + order.flatMap(\.self))
        #expect(overview.rowOfDifference(rows: 400..<901, from: whole, level: 0) == nil)
        #expect(overview.rowOfDifference(rows: 0..<200, from: whole, level: 0) == 0)
    }

    /// A length of zero in the last tile-part means up to the end of the file.
    @Test(arguments: ["tiles.jp2", "it.jp2"])
    func theLastTilePartMayExtendToTheEnd(name: String) throws {
        var (file, parts) = try parted(name)
        let last = try #require(parts.indices.last)
        parts[last].replaceSubrange(6..<10, with: [0, 0, 0, 0])
        file += parts.joined() + [0xFF, 0xD9]
        try DiskBackedComparison(file).expectAlike()
    }

    /// The overview of a truncated file, after a check that it equals the in-memory decode.
    private func overview(of file: [UInt8], _ comment: Comment? = nil) throws -> Bitmap {
        let comparison = try DiskBackedComparison(file)
        for decoding in [comparison.held, comparison.diskBacked] {
            #expect(decoding.failure == nil && decoding.message != nil, comment)
        }
        let (whole, overview) = (try comparison.whole, try comparison.overview)
        #expect(overview.rowOfDifference(from: whole, level: 0) == nil, comment)
        return overview
    }

    /// Splits a file into the bytes before the first tile-part, and the tile-parts.
    private func parted(_ name: String) throws -> (header: [UInt8], parts: [[UInt8]]) {
        let file = try tests.made(name)
        let marker: [UInt8] = [0xFF, 0x90, 0, 10]
        let first = try #require(file.indices.first { file[$0...].starts(with: marker) })
        var (place, parts) = (first, [[UInt8]]())
        while file[place...].starts(with: marker) {
            let length = file[(place + 6)..<(place + 10)].reduce(0) { $0 << 8 | Int($1) }
            parts.append(Array(file[place..<(place + length)]))
            place += length
        }
        return (Array(file[..<first]), parts)
    }
}
