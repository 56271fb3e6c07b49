import CoreTestKit
import Geometry
import ImageTypes
import TestKit
import Testing

@testable import Codecs

/// The reader of entropy-coded data: whatever a file is like, its rows are those of the library alone.
@Suite struct JPEGEntropyTests {
    private let folder = TemporaryFolder()
    private static let size = PixelSize(width: 217, height: 131)

    private func encoded(_ options: [String], quality: Int = 85) throws -> [UInt8] {
        let picture = TestPicture.photograph(Self.size.width, Self.size.height)
        return try #require(picture.jpeg(by: options, quality: quality, in: folder))
    }

    /// Whether rows and what is said of them are the library's.
    private func isAlike(_ file: [UInt8], exponent: Int) -> Bool {
        let wanted = TestPicture.rows(ofJPEG: file, reducedBy: 1 << exponent)
        let seen = file.withUnsafeBytes { bytes -> JPEGReading? in
            guard let rows = try? JPEGRows(header: bytes),
                (try? rows.start(exponent: exponent)) != nil
            else { return nil }
            return JPEGReading(rows)
        }
        guard let wanted, let seen else { return wanted == nil && seen == nil }
        return seen.rows == wanted.rows && seen.isComplete == wanted.isComplete
    }

    static let variants: [[String]] = [
        ["-sample", "1x1"], ["-sample", "2x1"], ["-sample", "2x2"], ["-sample", "1x2"],
        ["-sample", "4x1"], ["-sample", "1x3"], ["-grayscale"], ["-sample", "2x2", "-optimize"],
        ["-sample", "2x2", "-restart", "1"], ["-sample", "1x1", "-restart", "5B"],
        ["-grayscale", "-restart", "3"], ["-sample", "2x2", "-progressive"],
        ["-sample", "2x2", "-arithmetic"],
    ]

    @Test(arguments: variants) func rowsAreTheLibrarys(options: [String]) throws {
        for quality in [5, 85, 100] {
            let file = try encoded(options, quality: quality)
            for exponent in 0...3 {
                #expect(isAlike(file, exponent: exponent), "quality \(quality), 1/\(1 << exponent)")
            }
        }
    }

    /// Cut within what comes before the data, in the data's last bytes, in the marker after them, and filled
    /// up there.
    @Test(arguments: variants) func whatIsMissingIsMissed(options: [String]) throws {
        let file = try encoded(options, quality: 30)
        let scan = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
        let start = scan + 2 + Int(file[scan + 3])
        for end in Array(start - 4...start + 3) + Array(file.count - 9..<file.count) {
            let cut = Array(file[..<end])
            #expect(isAlike(cut, exponent: 0) && isAlike(cut, exponent: 3), "\(end)")
            #expect(isAlike(cut + [0xFF], exponent: 0), "\(end), filled up")
            #expect(isAlike(cut + [0xFF, 0xFF, 0xD9], exponent: 0), "\(end), filled up and ended")
        }
    }

    /// Files that are changed anywhere, and cut anywhere.
    @Test(arguments: [
        ["-sample", "2x2"], ["-sample", "1x1", "-optimize"], ["-sample", "2x1", "-restart", "1"],
        ["-grayscale"],
    ])
    func damageIsWhatItIsToTheLibrary(options: [String]) throws {
        let file = try encoded(options)
        let scan = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
        var generator = SeededGenerator(seed: 11)
        var damaged = 0
        for round in 0..<120 {
            var changed = file
            // Of the headers only tables: a size that is another one takes long.
            let first = round % 4 == 0 ? scan - 120 : scan + 14
            for _ in 0...round % 3 {
                let place = Int.random(in: first..<file.count, using: &generator)
                changed[place] = UInt8.random(in: 0...255, using: &generator)
            }
            if round % 5 == 0 {
                changed.removeLast(Int.random(in: 0..<file.count - first, using: &generator))
            }
            let exponent = round % 2 == 0 ? 0 : round % 8 / 2
            #expect(isAlike(changed, exponent: exponent), "round \(round), 1/\(1 << exponent)")
            if TestPicture.rows(ofJPEG: changed)?.isComplete == false { damaged += 1 }
        }
        #expect(damaged > 20)
    }
}

/// All rows of a source.
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
