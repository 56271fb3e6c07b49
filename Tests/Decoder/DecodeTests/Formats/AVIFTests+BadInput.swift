import Geometry
import ImageTypes
import RasterPipeline
import TestKit
import Testing

@testable import Codecs

/// Stills, malformed sequences and damaged sequences.
extension AVIFTests {
    /// Replaces bytes in every box named `name`, `distance` bytes after the start of the name.
    private func changed(
        _ file: [UInt8], _ name: String, at distance: Int = 0, to bytes: [UInt8]
    ) throws -> [UInt8] {
        var file = file
        let starts = file.indices.dropLast(64).filter { file[$0...].starts(with: name.utf8) }
        try #require(!starts.isEmpty)
        for start in starts {
            file.replaceSubrange((start + distance)..<(start + distance + bytes.count), with: bytes)
        }
        return file
    }

    // MARK: Stills

    @Test func aStillIsNotAnimated() throws {
        bench.put("in.jpg", TestPicture.card(96, 64).jpeg())
        let played = try AnimationPlayback(try encode("in.jpg"), 1)
        #expect(played.info?.isAnimated == false && played.failure != nil)
    }

    @Test func aFileWithTheStillBrandFirstIsNotAnimated() throws {
        let file = try changed(try sequence(), "ftyp", at: 4, to: Array("avif".utf8))
        let result = try Decoding(file)
        #expect(result.info?.isAnimated == false && !result.bitmaps.isEmpty)
    }

    @Test func framesOfADifferentSizeAreNotPlayed() throws {
        // Width and height are the last fields of the box, in 16.16 fixed point.
        let size: [UInt8] = [0, 32, 0, 0, 0, 24, 0, 0]
        let result = try Decoding(try changed(try sequence(), "tkhd", at: 88, to: size))
        #expect(result.info?.size == Self.size && result.info?.isAnimated == false)
        #expect(!result.bitmaps.isEmpty)
    }

    @Test func anAbsurdSizeIsRefused() throws {
        var file = try changed(
            try sequence(), "tkhd", at: 88, to: [0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0])
        let small = try Decoding(file)
        #expect(small.info?.isAnimated == false && !small.bitmaps.isEmpty)
        file = try changed(file, "ispe", at: 8, to: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
        let result = try Decoding(file)
        #expect(result.bitmaps.isEmpty && result.failure != nil && result.failure != .crashed)
    }

    // MARK: Sequences without a still

    @Test(.enabled(if: toolTurnsSequences)) func aSequenceWithoutAStillShowsItsFirstFrame() throws {
        var file = try cards("--irot 1")
        // Remove the box of still images, and the brands that require the box.
        file = try changed(file, "meta", to: Array("free".utf8))
        for brand in ["avif", "mif1", "miaf"] {
            file = try changed(file, brand, to: Array("iso8".utf8))
        }
        let result = try Decoding(file)
        #expect(result.info?.isAnimated == true)
        #expect(result.info?.size == PixelSize(width: 64, height: 96))
        let still = try #require(result.bitmaps.last)
        let frame = try #require(try AnimationPlayback(file, 1).frames.first?.bitmap)
        #expect(still.size == frame.size)
        #expect(still.pixel(5, 5) == frame.pixel(5, 5) && still.pixel(5, 90) == frame.pixel(5, 90))
    }

    // MARK: Bad input

    @Test func aTruncatedSequencePlaysItsCompleteFrames() throws {
        let file = try sequence("-k 1")
        // The frames are last in the file, in order; the first two have nearly the same size.
        let length = try #require(
            file.indices.dropLast(8).last { file[$0...].starts(with: "mdat".utf8) })
        let frames = file.count - length
        let shown = [0.5, 0.8, 0.97].map { part in
            try? AnimationPlayback(Array(file.prefix(length + Int(Double(frames) * part))), 6)
        }
        for played in shown {
            let played = try #require(played)
            guard played.info?.isAnimated == true else { continue }
            #expect(played.failure == nil)
            #expect(played.numbers == [0, 1, 0, 1, 0, 1])
        }
        #expect(shown.last??.info?.isAnimated == true)
        #expect(shown.first??.info?.isAnimated != true)
    }

    @Test(arguments: 0..<24)
    func damagedSequencesDoNotCrashTheDecoder(seed: Int) throws {
        let hasAlpha = seed.isMultiple(of: 3)
        var file = try sequence(hasAlpha ? "-d 10" : "-y 420", from: hasAlpha ? "png" : "jpg")
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        // Even seeds damage only the boxes before the frames.
        let reach = seed.isMultiple(of: 2) ? file.count - 200 : file.count
        for _ in 0..<(2 + seed % 5) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            file[12 + Int(state >> 33) % (reach - 12)] ^= UInt8(truncatingIfNeeded: state >> 20)
        }
        let played = try AnimationPlayback(file, 7)
        let failures: [DecodeFailure] = [.crashed, .hung, .invalidReply]
        #expect(!failures.contains { $0 == played.failure })
        let still = try Decoding(file)
        #expect(!failures.contains { $0 == still.failure })
    }
}
