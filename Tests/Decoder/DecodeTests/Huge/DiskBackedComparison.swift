import DecodeClient
import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

/// Decodes one picture in memory and one with a backing file, to compare the two.
struct DiskBackedComparison {
    let held: Decoding
    let diskBacked: Decoding
    /// The client that decoded with the backing file.
    private let client: DecodeClient
    private static let id = 1

    init(_ file: [UInt8], held whole: [UInt8]? = nil, screen: ScreenProfile? = nil) throws {
        held = Decoding(
            try DecodeClient(DecoderLauncher(DecoderProgram(Binaries.decoder), screen: screen)),
            id: Self.id,
            whole ?? file)
        client = try Self.client(screen: screen)
        diskBacked = Decoding(client, id: Self.id, file)
    }

    /// A client that uses backing files above 1,000,000 pixels.
    ///
    /// `pixels` is the limit for pictures decoded in memory.
    static func client(
        pixels: Int = PictureLimits.pixels, screen: ScreenProfile? = nil
    ) throws -> DecodeClient {
        var limits = DecodeLimits.standard
        limits.wholePixels = 1_000_000
        limits.pixels = pixels
        return try DecodeClient(
            DecoderLauncher(DecoderProgram(Binaries.decoder), limits: limits, screen: screen))
    }

    /// The picture decoded in memory.
    var whole: Bitmap { get throws { try #require(held.bitmaps.last) } }
    /// The overview of the picture with the backing file.
    var overview: Bitmap { get throws { try #require(diskBacked.bitmaps.last) } }

    /// Requests a tile of the picture with the backing file; nil if the decoder fails.
    func part(_ part: PictureTile) -> Bitmap? {
        client.tile(Self.id, part, now: Decoding.now())
        while true {
            for event in Decoding.events(of: client) {
                switch event {
                case .tile(_, _, let bitmap): return bitmap
                case .failed: return nil
                default: break
                }
            }
        }
    }

    /// Expects that the overview and a tile of every mip level equal the in-memory picture exactly.
    func expectAlike(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let info = try #require(diskBacked.info, sourceLocation: sourceLocation)
        #expect(
            info.isTiled && info.backingFileBytes > info.size.width * info.size.height * 5,
            sourceLocation: sourceLocation)
        #expect(info.size == held.info?.size, sourceLocation: sourceLocation)
        #expect(
            diskBacked.failure == nil && diskBacked.message == nil, sourceLocation: sourceLocation)
        let (whole, overview) = (try whole, try overview)
        #expect(overview.format == whole.format, sourceLocation: sourceLocation)
        try #require(
            overview.levels.map(\.size) == whole.levels.map(\.size),
            sourceLocation: sourceLocation)
        for (level, place) in whole.levels.enumerated() {
            #expect(
                overview.rowOfDifference(in: level, from: whole, level: level) == nil,
                "overview, level \(level)", sourceLocation: sourceLocation)
            guard place.mipLevel < 4 else { continue }
            let (width, height) = (place.size.width, place.size.height)
            let rect = PixelRect(x: width / 3, y: height / 4, width: width / 2, height: height / 2)
            let part = try #require(
                self.part(PictureTile(mipLevel: place.mipLevel, rect: rect)),
                sourceLocation: sourceLocation)
            #expect(part.format == whole.format, sourceLocation: sourceLocation)
            try #require(
                part.size == rect.size,
                sourceLocation: sourceLocation)
            #expect(
                part.rowOfDifference(from: whole, level: level, at: (x: rect.x, y: rect.y)) == nil,
                "part of level \(level)", sourceLocation: sourceLocation)
        }
    }
}

extension Bitmap {
    /// The pixels of a range of columns in a row of a mip level.
    func row(_ y: Int, level: Int, _ columns: Range<Int>) -> UnsafeRawBufferPointer {
        let place = levels[level]
        let start = place.offset + y * place.stride
        return UnsafeRawBufferPointer(
            rebasing: memory.bytes[
                (start + columns.lowerBound * 4)..<(start + columns.upperBound * 4)])
    }

    /// The first row of a mip level that differs from `other`, or nil if all are equal.
    ///
    /// `rows` limits the comparison. `place` is the position of this bitmap's origin in level `otherLevel`
    /// of `other`.
    func rowOfDifference(
        in level: Int = 0, rows: Range<Int>? = nil, from other: Bitmap, level otherLevel: Int,
        at place: (x: Int, y: Int) = (0, 0)
    ) -> Int? {
        let size = levels[level].size
        return (rows ?? 0..<size.height).first { y in
            let row = self.row(y, level: level, 0..<size.width)
            let wanted = other.row(
                place.y + y, level: otherLevel, place.x..<(place.x + size.width))
            guard let start = row.baseAddress, let wantedStart = wanted.baseAddress else {
                return true
            }
            return memcmp(start, wantedStart, row.count) != 0
        }
    }

    /// The mean colour difference from `other` at sample points, and the number of points that are black
    /// only here.
    func distance(from other: Bitmap, rows: Range<Int>) -> (mean: Double, black: Int) {
        var (sum, black, count) = (0, 0, 0)
        // Steps of 7 and 5 sample every column and row of the 8 × 8 blocks.
        for (number, y) in stride(from: rows.lowerBound, to: rows.upperBound, by: 7).enumerated() {
            for x in stride(from: number % 5, to: size.width, by: 5) {
                let (seen, wanted) = (pixel(x, y), other.pixel(x, y))
                sum += max(
                    abs(seen.r - wanted.r), abs(seen.g - wanted.g), abs(seen.b - wanted.b))
                if seen.r + seen.g + seen.b == 0, wanted.r + wanted.g + wanted.b > 0 { black += 1 }
                count += 1
            }
        }
        return (Double(sum) / Double(max(count, 1)), black)
    }
}
