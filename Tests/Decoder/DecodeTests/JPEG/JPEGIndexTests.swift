import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import TestKit
import Testing
import Threads

@testable import Codecs

/// JPEG rows decoded in any order, which must be bit-identical to a sequential decode.
@Suite struct JPEGIndexTests {
    private let folder = TemporaryFolder()
    private static let size = PixelSize(width: 637, height: 871)

    private func encoded(_ options: [String]) throws -> [UInt8] {
        let picture = TestPicture.photograph(Self.size.width, Self.size.height)
        return try #require(picture.jpeg(by: options, in: folder))
    }

    // MARK: Random access

    /// Compares row ranges read by an index with a whole decode; returns whether they are complete.
    private func compare(
        _ index: any RowIndex, with file: [UInt8], mipLevel: Int
    ) throws -> Bool {
        let whole = try #require(TestPicture.rows(ofJPEG: file, reducedBy: 1 << mipLevel)).rows
        let step = index.step(reducedBy: mipLevel)
        let (start, end) = (whole.count / 3 / step * step, whole.count)
        var isComplete = true
        for rows in [
            0..<end, start..<end, start..<start + 1, end / step * step..<end, step..<start,
        ]
        where !rows.isEmpty {
            let seen = JPEGReading(try index.rows(rows, reducedBy: mipLevel))
            let isSame = areSame(seen.rows, Array(whole[rows]))
            #expect(isSame, "\(rows) at 1/\(1 << mipLevel)")
            isComplete = isComplete && seen.isComplete
        }
        return isComplete
    }

    static let variants: [(options: [String], haveRestarts: Bool)] = [
        (["-sample", "1x1", "-restart", "1"], true), (["-sample", "2x1", "-restart", "1"], true),
        (["-sample", "2x2", "-restart", "1"], true), (["-sample", "1x2", "-restart", "1"], true),
        (["-sample", "4x1", "-restart", "1"], true), (["-grayscale", "-restart", "1"], true),
        (["-sample", "2x2", "-restart", "3"], true), (["-sample", "1x3", "-restart", "1"], true),
        (["-sample", "2x2", "-restart", "20B"], true),
        (["-sample", "2x1", "-restart", "2B"], true),
        (["-sample", "2x2", "-restart", "1", "-optimize"], true),
        // Restarts do not coincide with starts of rows, or do so too rarely.
        (["-sample", "2x2", "-restart", "41B"], false),
        (["-sample", "2x2", "-restart", "54"], false),
        (["-sample", "1x1", "-restart", "5"], false),
        (["-sample", "2x2"], false), (["-sample", "1x1", "-optimize"], false),
        (["-grayscale"], false),
    ]

    @Test(arguments: variants)
    func indexedRowsMatchAWholeDecode(options: [String], haveRestarts: Bool) throws {
        let file = try encoded(options)
        try file.withUnsafeBytes { bytes in
            let restarts = JPEGRestarts(bytes)
            #expect((restarts != nil) == haveRestarts)
            let scan = try #require(JPEGScan.read(bytes, while: { true })).scan
            let indexes: [(any RowIndex)?] = [
                restarts, JPEGRestarts(bytes, isLibraryAlone: true), scan,
            ]
            for index in indexes.compactMap(\.self) {
                for mipLevel in 0...3 {
                    #expect(try compare(index, with: file, mipLevel: mipLevel))
                }
            }
        }
    }

    @Test(arguments: [["-progressive"], ["-arithmetic"]])
    func progressiveAndArithmeticFilesHaveNoIndex(options: [String]) throws {
        for options in [options, options + ["-restart", "1"]] {
            let file = try encoded(options)
            file.withUnsafeBytes { bytes in
                #expect(JPEGRestarts(bytes) == nil)
                #expect(JPEGScan.read(bytes, while: { true }) == nil)
            }
        }
    }

    /// Which files get an index for parallel decoding, and a preview from the scan.
    @Test(arguments: [
        (["-sample", "2x2"], true, true), (["-sample", "2x2", "-restart", "1"], true, false),
        (["-grayscale"], true, true), (["-rgb"], false, false),
        (["-rgb", "-restart", "1"], true, false), (["-progressive"], false, false),
    ])
    func indexableFilesAreIndexed(options: [String], isIndexed: Bool, hasPreview: Bool) throws {
        let file = try encoded(options)
        try file.withUnsafeBytes { bytes in
            let codec = try JPEGCodec(bytes)
            #expect(codec.mayBeIndexed == isIndexed)
            let found = codec.indexed(while: { true }, until: { _ in false })
            #expect((found != nil) == isIndexed && (found?.preview != nil) == hasPreview)
        }
    }

    /// Where the library's version is not that of the headers, only restart markers make an index.
    @Test(arguments: [
        (["-sample", "2x2"], false), (["-sample", "2x2", "-restart", "1"], true),
        (["-grayscale"], false), (["-grayscale", "-restart", "2"], true),
    ])
    func libraryAloneNeedsRestarts(options: [String], isIndexed: Bool) throws {
        let file = try encoded(options)
        try file.withUnsafeBytes { bytes in
            let codec = try JPEGCodec(bytes, isLibraryAlone: true)
            #expect(codec.mayBeIndexed == isIndexed)
            let found = codec.indexed(while: { true }, until: { _ in false })
            #expect((found != nil) == isIndexed && found?.preview == nil)
            let whole = try #require(TestPicture.rows(ofJPEG: file)).rows
            let isSame = areSame(
                JPEGReading(try codec.rows(reducedBy: 0)).rows, whole)
            #expect(isSame)
            guard let index = found?.index else { return }
            #expect(try compare(index, with: file, mipLevel: 0))
        }
    }

    // MARK: Scan index

    /// The DC image equals libjpeg's 1/8 picture exactly.
    ///
    /// 2x2 chroma subsampling is left out: libjpeg then has four chroma samples per block, of which the DC
    /// coefficient is the mean.
    @Test(arguments: [
        ["-sample", "1x1"], ["-sample", "2x1"], ["-sample", "1x2"], ["-sample", "4x1"],
        ["-grayscale"], ["-sample", "1x1", "-restart", "7B"],
    ])
    func dcImagesMatchLibjpeg(options: [String]) throws {
        let file = try encoded(options)
        let wanted = try #require(TestPicture.rows(ofJPEG: file, reducedBy: 8))
        try file.withUnsafeBytes { bytes in
            let means = try #require(JPEGScan.read(bytes, while: { true })?.dcImage)
            let isSame = areSame(
                JPEGReading(JPEGDCRows(means, .standard)).rows, wanted.rows)
            #expect(isSame)
        }
    }

    /// A damaged file or a cancelled scan gives no index; libjpeg decodes the file.
    @Test func suspectFilesHaveNoScanIndex() throws {
        let file = try encoded(["-sample", "2x2"])
        func isFound(_ change: (inout [UInt8]) -> Void) -> Bool {
            var file = file
            change(&file)
            return file.withUnsafeBytes { JPEGScan.read($0, while: { true }) != nil }
        }
        #expect(isFound { _ in })
        let middle = file.count / 2
        for part in [0.1, 0.5, 0.99] {
            #expect(!isFound { $0.removeLast(Int(Double($0.count) * part)) })
        }
        #expect(!isFound { $0.insert(contentsOf: [0xFF, 0xD0], at: middle) })
        #expect(!isFound { $0.insert(contentsOf: [0xFF, 0xD9], at: middle) })
        #expect(!isFound { $0.removeSubrange(middle..<middle + 4000) })
        var patience = 10
        let found = file.withUnsafeBytes {
            JPEGScan.read(
                $0,
                while: {
                    patience -= 1
                    return patience > 0
                })
        }
        #expect(found == nil && patience == 0)
    }

    // MARK: Restart markers

    /// The offsets of the restart markers.
    private func markers(in file: [UInt8]) -> [Int] {
        let scan = (2..<file.count - 12).first { file[$0] == 0xFF && file[$0 + 1] == 0xDA } ?? 0
        return (scan..<file.count - 1).filter {
            file[$0] == 0xFF && (0xD0...0xD7).contains(file[$0 + 1])
        }
    }

    /// Restart markers are used only if all are consistent.
    @Test func inconsistentRestartMarkersAreNotUsed() throws {
        let file = try encoded(["-sample", "2x2", "-restart", "1"])
        let places = markers(in: file)
        #expect(places.count == 54)
        func isUsed(_ change: (inout [UInt8]) -> Void) -> Bool {
            var file = file
            change(&file)
            return file.withUnsafeBytes { JPEGRestarts($0) != nil }
        }
        #expect(isUsed { _ in })
        let middle = places[27]
        #expect(!isUsed { $0.removeSubrange(middle..<middle + 2) })
        #expect(!isUsed { $0.insert(contentsOf: [0xFF, 0xD0], at: middle) })
        #expect(!isUsed { $0[middle + 1] ^= 1 })
        #expect(!isUsed { $0.swapAt(places[3] + 1, places[40] + 1) })
        #expect(!isUsed { $0.insert(0xFF, at: middle) })
        for part in [0.2, 0.5, 0.8, 0.999] {
            #expect(!isUsed { $0.removeLast(Int(Double($0.count) * (1 - part))) })
        }
        // A restart interval that does not match the markers.
        let interval = try #require(
            (0..<middle).first { file[$0..<$0 + 4].elementsEqual([0xFF, 0xDD, 0, 4]) })
        for lie in [0, 1, 39, 41, 80, 0xFFFF] {
            let isBelieved = isUsed {
                ($0[interval + 4], $0[interval + 5]) = (UInt8(lie >> 8), UInt8(lie & 255))
            }
            #expect(!isBelieved, "\(lie)")
        }
    }

    /// Markers are searched only in the scan data, and damage does not spread past the next marker.
    @Test func dataBetweenMarkersIsDecodedAlike() throws {
        let file = try encoded(["-sample", "2x2", "-restart", "1"])
        func compare(_ file: [UInt8]) throws -> Bool {
            try file.withUnsafeBytes { bytes in
                let restarts = try #require(JPEGRestarts(bytes))
                return try self.compare(restarts, with: file, mipLevel: 0)
            }
        }
        let comment: [UInt8] = [0xFF, 0xFE, 0, 8, 0xFF, 0xD0, 0xFF, 0xD3, 0xFF, 0xD9]
        #expect(try compare(file.inserting(comment, at: 2)))
        #expect(try compare(file + [0xFF, 0xD0, 1, 2, 3]))
        let places = markers(in: file)
        for place in [places[5] + 60, places[27] - 40, places[27] + 30, places[50] + 9] {
            var damaged = file
            for offset in 0..<12 where damaged[place + offset - 1] != 0xFF {
                damaged[place + offset] = UInt8(offset * 37 & 0x7F)
            }
            _ = try compare(damaged)
        }
    }

    // MARK: Parallel decoding

    private final class Sink: DecodeSink {
        func shouldContinue() -> Bool { true }
        func deliver(_ memory: Int32, isFinal: Bool) { close(memory) }
    }

    /// All mip levels, oriented and converted, are equal for any share of the other threads.
    @Test(arguments: Orientation.allCases)
    func parallelDecodesMatchASerialDecode(orientation: Orientation) throws {
        for (options, share) in [
            (["-sample", "2x2", "-restart", "1"], 1.0), (["-grayscale"], 1),
            (["-sample", "2x2"], 0.6), (["-sample", "2x1"], 0.1), (["-grayscale"], 0.5),
        ] {
            let file = try encoded(options)
            try file.withUnsafeBytes { bytes in
                let index: any RowIndex =
                    try JPEGRestarts(bytes)
                    ?? #require(
                        JPEGScan.read(bytes, while: { true }, until: { $0 >= share })
                    ).scan
                func rows() throws -> JPEGRows {
                    let rows = try JPEGRows(header: bytes)
                    try rows.start(mipLevel: 0)
                    return rows
                }
                let upright = orientation.upright(Self.size)
                let whole = try #require(
                    try SerialDecode(try rows(), on: SerialDecode.alone).seal(
                        as: upright, from: 0, orientation, Sink()))
                let wanted = contents(whole)
                for order in [Order.before, .beside] {
                    let source = try rows()
                    let decoding = try ParallelDecode(
                        source, as: upright, from: 0, orientation, on: WorkerPool(width: 3))
                    let ended = Signal()
                    if order == .before { decoding.help(index, reducedBy: 0) }
                    if order == .beside {
                        Thread.start {
                            decoding.help(index, reducedBy: 0)
                            ended.raise()
                        }
                    }
                    let sealed = try #require(try decoding.seal(source, Sink()))
                    if order == .beside { ended.wait() }
                    #expect(source.isComplete)
                    // A Boolean, because printing the difference of so many bytes takes too long.
                    let isSame = contents(sealed) == wanted
                    #expect(isSame, "\(options) \(order)")
                }
            }
        }
    }

    /// A helper that has read only the upper rows finds out about an error below; then the first thread decodes
    /// these rows.
    @Test func anErrorBelowTheIndexIsFound() throws {
        let file = try encoded(["-sample", "2x2"])
        let cut = Array(file.prefix(file.count * 4 / 5))
        try cut.withUnsafeBytes { bytes in
            func rows() throws -> JPEGRows {
                let rows = try JPEGRows(header: bytes)
                try rows.start(mipLevel: 0)
                return rows
            }
            let index = try #require(
                JPEGScan.read(bytes, while: { true }, until: { $0 >= 0.4 }))
            #expect(index.dcImage == nil)
            let whole = try #require(
                try SerialDecode(try rows(), on: SerialDecode.alone).seal(
                    as: Self.size, from: 0, .upright, Sink()))
            let source = try rows()
            let decoding = try ParallelDecode(
                source, as: Self.size, from: 0, .upright, on: WorkerPool(width: 2))
            decoding.help(index.scan, reducedBy: 0)
            let sealed = try #require(try decoding.seal(source, Sink()))
            #expect(!source.isComplete)
            let isSame = contents(sealed) == contents(whole)
            #expect(isSame)
        }
    }

    private enum Order { case before, beside }

    /// Reads the whole file and closes the descriptor.
    private func contents(_ descriptor: Int32) -> [UInt8] {
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        #expect(pread(descriptor, &bytes, bytes.count, 0) == bytes.count)
        return bytes
    }
}
