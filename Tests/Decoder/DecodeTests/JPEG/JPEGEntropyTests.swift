import SeededRandom
import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// The JPEG entropy reader, which must give the same rows as libjpeg for all files, and the library
/// alone, which reads the data where its version is not that of the headers.
@Suite struct JPEGEntropyTests {
    private let folder = TemporaryFolder()
    private static let size = PixelSize(width: 217, height: 131)

    private func encoded(_ options: [String], quality: Int = 85) throws -> [UInt8] {
        let picture = TestPicture.photograph(Self.size.width, Self.size.height)
        return try #require(picture.jpeg(by: options, quality: quality, in: folder))
    }

    /// Whether the rows and their completeness equal libjpeg's, from memory and from a file.
    private func isAlike(_ file: [UInt8], mipLevel: Int) -> Bool {
        let wanted = TestPicture.rows(ofJPEG: file, reducedBy: 1 << mipLevel)
        let descriptor = open(folder.file("read.jpg", file), O_RDONLY)
        defer { close(descriptor) }
        func matches(_ source: () throws -> JPEGRows) -> Bool {
            guard let rows = try? source(), (try? rows.start(mipLevel: mipLevel)) != nil else {
                return wanted == nil
            }
            let seen = JPEGReading(rows)
            return areSame(seen.rows, wanted?.rows) && seen.isComplete == wanted?.isComplete
        }
        return file.withUnsafeBytes { bytes in
            matches { try JPEGRows(header: bytes) }
                && matches { try JPEGRows(header: bytes, isLibraryAlone: true) }
                && matches { try JPEGRows(file: descriptor) }
        }
    }

    static let variants: [[String]] = [
        ["-sample", "1x1"], ["-sample", "2x1"], ["-sample", "2x2"], ["-sample", "1x2"],
        ["-sample", "4x1"], ["-sample", "1x3"], ["-grayscale"], ["-sample", "2x2", "-optimize"],
        ["-sample", "2x2", "-restart", "1"], ["-sample", "1x1", "-restart", "5B"],
        ["-grayscale", "-restart", "3"], ["-sample", "2x2", "-progressive"],
        ["-sample", "2x2", "-arithmetic"],
    ]

    @Test(arguments: variants) func rowsMatchLibjpeg(options: [String]) throws {
        for quality in [5, 85, 100] {
            let file = try encoded(options, quality: quality)
            for mipLevel in 0...3 {
                #expect(isAlike(file, mipLevel: mipLevel), "quality \(quality), 1/\(1 << mipLevel)")
            }
        }
    }

    /// Truncates in the scan header, in the last bytes of the data and in the end marker; then also pads
    /// the end.
    @Test(arguments: variants) func truncatedFilesMatchLibjpeg(options: [String]) throws {
        let file = try encoded(options, quality: 30)
        let scan = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
        let start = scan + 2 + Int(file[scan + 3])
        for end in Array(start - 4...start + 3) + Array(file.count - 9..<file.count) {
            let cut = Array(file[..<end])
            #expect(isAlike(cut, mipLevel: 0) && isAlike(cut, mipLevel: 3), "\(end)")
            #expect(isAlike(cut + [0xFF], mipLevel: 0), "\(end), filled up")
            #expect(isAlike(cut + [0xFF, 0xFF, 0xD9], mipLevel: 0), "\(end), filled up and ended")
        }
    }

    /// Files with random changes and truncations.
    @Test(arguments: [
        ["-sample", "2x2"], ["-sample", "1x1", "-optimize"], ["-sample", "2x1", "-restart", "1"],
        ["-grayscale"],
    ])
    func damagedFilesMatchLibjpeg(options: [String]) throws {
        let file = try encoded(options)
        let scan = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
        var generator = SeededGenerator(seed: 11)
        var damaged = 0
        for round in 0..<120 {
            var changed = file
            // In the headers change only tables, because a larger size would take long.
            let first = round % 4 == 0 ? scan - 120 : scan + 14
            for _ in 0...round % 3 {
                let place = Int.random(in: first..<file.count, using: &generator)
                changed[place] = UInt8.random(in: 0...255, using: &generator)
            }
            if round % 5 == 0 {
                changed.removeLast(Int.random(in: 0..<file.count - first, using: &generator))
            }
            let mipLevel = round % 2 == 0 ? 0 : round % 8 / 2
            #expect(isAlike(changed, mipLevel: mipLevel), "round \(round), 1/\(1 << mipLevel)")
            if TestPicture.rows(ofJPEG: changed)?.isComplete == false { damaged += 1 }
        }
        #expect(damaged > 20)
    }
}

/// All rows of a source, up to the first failure.
struct JPEGReading {
    var rows: [[UInt8]] = []
    let isComplete: Bool

    init(_ source: any RowSource) {
        var row = [UInt8](repeating: 0, count: source.size.width * source.layout.bytesPerPixel)
        for _ in 0..<source.size.height {
            let count = row.withUnsafeMutableBytes {
                source.read([$0.baseAddress].compactMap(\.self))
            }
            guard count == 1 else { break }
            rows.append(row)
        }
        isComplete = source.isComplete
    }
}
