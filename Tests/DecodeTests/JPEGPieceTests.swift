import DecodeWire
import Geometry
import Glibc
import Pictures
import TestKit
import Testing
import Threads

@testable import Codecs

/// JPEGs with restart markers, in pieces: to the last bit what they are in one.
@Suite struct JPEGPieceTests {
    private let folder = TemporaryFolder()
    private static let size = PixelSize(width: 1237, height: 871)

    private func encoded(_ options: [String]) throws -> [UInt8] {
        let picture = TestPicture.photograph(Self.size.width, Self.size.height)
        return try #require(picture.jpeg(by: options, in: folder))
    }

    /// The rows of a source, and whether all are there.
    private func read(_ source: any RowSource) -> (rows: [[UInt8]], isComplete: Bool) {
        var row = [UInt8](repeating: 0, count: source.size.width * source.layout.bytesPerPixel)
        let rows = (0..<source.size.height).map { _ in
            let count = row.withUnsafeMutableBytes {
                source.read([$0.baseAddress].compactMap(\.self))
            }
            return count == 1 ? row : []
        }
        return (rows, source.isComplete)
    }

    /// Reads a file in pieces and in one; how many pieces there were.
    @discardableResult
    private func compare(_ file: [UInt8], exponent: Int = 0, count: Int = 2) throws -> Int {
        try file.withUnsafeBytes { bytes in
            let pieces = try JPEGPieces.of(bytes, reducedBy: exponent, count: count)
            guard !pieces.isEmpty else { return 0 }
            let whole = try JPEGRows(header: bytes)
            try whole.start(exponent: exponent)
            let wanted = read(whole)
            var next = 0
            var isComplete = true
            for piece in pieces {
                #expect(piece.rows.lowerBound == next)
                #expect(piece.rows.lowerBound.isMultiple(of: UprightWriter.stripHeight))
                let seen = read(piece.source)
                for (index, row) in seen.rows.enumerated() where row != wanted.rows[next + index] {
                    Issue.record("row \(next + index) differs at 1/\(1 << exponent)")
                    break
                }
                next = piece.rows.upperBound
                isComplete = isComplete && seen.isComplete
            }
            #expect(next == wanted.rows.count)
            #expect(isComplete == wanted.isComplete)
            return pieces.count
        }
    }

    static let variants: [(options: [String], arePieces: Bool)] = [
        (["-sample", "1x1", "-restart", "1"], true), (["-sample", "2x1", "-restart", "1"], true),
        (["-sample", "2x2", "-restart", "1"], true), (["-sample", "1x2", "-restart", "1"], true),
        (["-sample", "4x1", "-restart", "1"], true), (["-grayscale", "-restart", "1"], true),
        (["-sample", "2x2", "-restart", "3"], true), (["-sample", "1x1", "-restart", "5"], true),
        (["-sample", "2x2", "-restart", "39B"], true),
        (["-sample", "2x1", "-restart", "2B"], true),
        (["-sample", "2x2", "-restart", "1", "-optimize"], true),
        // Rows do not begin where it restarts, or only the first does.
        (["-sample", "2x2", "-restart", "79B"], false),
        (["-sample", "2x2", "-restart", "54"], false),
        // Three blocks high they do not make whole strips.
        (["-sample", "1x3", "-restart", "1"], false),
        (["-sample", "2x2"], false), (["-sample", "2x2", "-progressive", "-restart", "1"], false),
    ]

    @Test(arguments: variants)
    func piecesAreWhatTheWholeIs(options: [String], arePieces: Bool) throws {
        let file = try encoded(options)
        for count in [2, 3, 4] {
            #expect(try compare(file, count: count) == (arePieces ? count : 0))
        }
        for exponent in 1...3 {
            #expect(try compare(file, exponent: exponent) == (arePieces ? 2 : 0))
        }
    }

    private final class Sink: DecodeSink {
        func shouldContinue() -> Bool { true }
        func deliver(_ memory: Int32, isFinal: Bool) { close(memory) }
    }

    /// All levels that are sealed, turned and converted.
    @Test(arguments: Orientation.allCases)
    func whatIsSealedIsTheSame(orientation: Orientation) throws {
        for options in [["-sample", "2x2", "-restart", "1"], ["-grayscale", "-restart", "2"]] {
            let file = try encoded(options)
            try file.withUnsafeBytes { bytes in
                let pieces = try JPEGPieces.of(bytes, reducedBy: 0, count: 2)
                try #require(pieces.count == 2)
                let upright = orientation.upright(Self.size)
                let decoding = try PieceDecoding(
                    pieces, as: upright, from: 0, orientation, Sink(),
                    on: WorkerPool(width: 2))
                guard case .sealed(let memory, true) = try decoding.seal() else {
                    Issue.record("not sealed")
                    return
                }
                let rows = try JPEGRows(header: bytes)
                try rows.start(exponent: 0)
                let whole = try #require(
                    try StripDecoding(rows, on: StripDecoding.alone).seal(
                        as: upright, from: 0, orientation, Sink()))
                // Not as arrays: what differs in so many bytes is not worth being looked for.
                let isSame = contents(memory) == contents(whole)
                #expect(isSame, "\(options)")
            }
        }
    }

    /// All that a descriptor has, which is closed.
    private func contents(_ descriptor: Int32) -> [UInt8] {
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        #expect(pread(descriptor, &bytes, bytes.count, 0) == bytes.count)
        return bytes
    }

    /// The places of the restart markers.
    private func markers(in file: [UInt8]) -> [Int] {
        let scan = (2..<file.count - 12).first { file[$0] == 0xFF && file[$0 + 1] == 0xDA } ?? 0
        return (scan..<file.count - 1).filter {
            file[$0] == 0xFF && (0xD0...0xD7).contains(file[$0 + 1])
        }
    }

    /// Wherever there is doubt the file is decoded as a whole.
    @Test func markersThatAreNotAllInPlaceAreNotUsed() throws {
        let file = try encoded(["-sample", "2x2", "-restart", "1"])
        let places = markers(in: file)
        #expect(places.count == 54)
        func changed(_ change: (inout [UInt8]) -> Void) throws -> Int {
            var file = file
            change(&file)
            return try compare(file)
        }
        #expect(try changed { _ in } == 2)
        let middle = places[27]
        #expect(try changed { $0.removeSubrange(middle..<middle + 2) } == 0)
        #expect(try changed { $0.insert(contentsOf: [0xFF, 0xD0], at: middle) } == 0)
        #expect(try changed { $0[middle + 1] ^= 1 } == 0)
        #expect(try changed { $0.swapAt(places[3] + 1, places[40] + 1) } == 0)
        #expect(try changed { $0.insert(0xFF, at: middle) } == 0)
        for part in [0.2, 0.5, 0.8, 0.999] {
            let cut = Array(file.prefix(Int(Double(file.count) * part)))
            #expect(try compare(cut) == 0)
            let decoding = try Decoding(cut)
            #expect(decoding.notice?.contains("cut short") == true && decoding.bitmaps.count == 1)
        }
        // An interval that is not the markers'.
        let interval = try #require(
            (0..<middle).first { file[$0..<$0 + 4].elementsEqual([0xFF, 0xDD, 0, 4]) })
        for lie in [0, 1, 77, 79, 156, 0xFFFF] {
            let count = try changed {
                ($0[interval + 4], $0[interval + 5]) = (UInt8(lie >> 8), UInt8(lie & 255))
            }
            #expect(count == 0, "\(lie)")
        }
    }

    /// Markers are looked for where they count; and damage between them stays there.
    @Test func whatLiesBetweenMarkersIsDecodedAlike() throws {
        let file = try encoded(["-sample", "2x2", "-restart", "1"])
        let comment: [UInt8] = [0xFF, 0xFE, 0, 8, 0xFF, 0xD0, 0xFF, 0xD3, 0xFF, 0xD9]
        #expect(try compare(Array(file.prefix(2)) + comment + file.dropFirst(2)) == 2)
        #expect(try compare(file + [0xFF, 0xD0, 1, 2, 3]) == 2)
        let places = markers(in: file)
        for place in [places[5] + 60, places[27] - 40, places[27] + 30, places[50] + 9] {
            var damaged = file
            for offset in 0..<12 where damaged[place + offset - 1] != 0xFF {
                damaged[place + offset] = UInt8(offset * 37 & 0x7F)
            }
            #expect(try compare(damaged) == 2)
        }
    }
}
