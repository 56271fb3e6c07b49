import DecodeClient
import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

/// A picture that is held, and one that is laid on the disk: the same, or what is left of it.
struct Spilling {
    let held: Decoding
    let spilled: Decoding
    /// The one that has laid the picture on the disk.
    private let client: DecodeClient
    private static let id = 1

    init(_ file: [UInt8], held whole: [UInt8]? = nil, screen: ScreenProfile? = nil) throws {
        held = Decoding(
            try DecodeClient(decoderPath: Binaries.decoder, screen: screen), id: Self.id,
            whole ?? file)
        client = try Self.client(screen: screen)
        spilled = Decoding(client, id: Self.id, file)
    }

    /// Lays pictures on the disk from a limit on that is low for a test; held, they may have `pixels`.
    static func client(
        pixels: Int = PictureLimits.pixels, screen: ScreenProfile? = nil
    ) throws -> DecodeClient {
        var limits = DecodeLimits.standard
        limits.wholePixels = 1_000_000
        limits.pixels = pixels
        return try DecodeClient(decoderPath: Binaries.decoder, limits: limits, screen: screen)
    }

    /// The picture held.
    var whole: Bitmap { get throws { try #require(held.bitmaps.last) } }
    /// All of the spilled one, as it is first seen.
    var overview: Bitmap { get throws { try #require(spilled.bitmaps.last) } }

    /// A part of the spilled one as the viewer asks for it; nil where the decoder fails.
    func part(_ part: PicturePart) -> Bitmap? {
        client.part(Self.id, part, now: Decoding.now())
        while true {
            for event in Decoding.events(of: client) {
                switch event {
                case .part(_, _, let bitmap): return bitmap
                case .failed: return nil
                default: break
                }
            }
        }
    }

    /// Expects that the overview and a part of every level are what is held, to the last bit.
    func expectAlike(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let info = try #require(spilled.info, sourceLocation: sourceLocation)
        #expect(
            info.isTiled && info.room > info.size.width * info.size.height * 5,
            sourceLocation: sourceLocation)
        #expect(info.size == held.info?.size, sourceLocation: sourceLocation)
        #expect(spilled.failure == nil && spilled.notice == nil, sourceLocation: sourceLocation)
        let (whole, overview) = (try whole, try overview)
        #expect(overview.format == whole.format, sourceLocation: sourceLocation)
        try #require(
            overview.levels.map(\.size) == whole.levels.map(\.size),
            sourceLocation: sourceLocation)
        for (level, place) in whole.levels.enumerated() {
            #expect(
                overview.rowOfDifference(in: level, from: whole, level: level) == nil,
                "overview, level \(level)", sourceLocation: sourceLocation)
            guard place.exponent < 4 else { continue }
            let (width, height) = (place.size.width, place.size.height)
            let rect = PixelRect(x: width / 3, y: height / 4, width: width / 2, height: height / 2)
            let part = try #require(
                self.part(PicturePart(exponent: place.exponent, rect: rect)),
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
    /// The pixels of some columns of a level's row.
    func row(_ y: Int, level: Int, _ columns: Range<Int>) -> UnsafeRawBufferPointer {
        let place = levels[level]
        let start = place.offset + y * place.stride
        return UnsafeRawBufferPointer(
            rebasing: memory.bytes[
                (start + columns.lowerBound * 4)..<(start + columns.upperBound * 4)])
    }

    /// The first row of a level, or of some of its rows, that differs in any bit from what `other` has
    /// there, in a level of its own from `place` on; nil where none does.
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

    /// How far the colours of many pixels of some rows are from those of `other`, on average, and how
    /// many of them are black that are not black there.
    func distance(from other: Bitmap, rows: Range<Int>) -> (mean: Double, black: Int) {
        var (sum, black, count) = (0, 0, 0)
        // Steps that have every column and row of a block of eight among them.
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
