import Geometry
import ImageTypes
import TestKit
import Testing

@testable import Codecs

/// Files that are no sequences, not quite, or not any more.
extension AVIFTests {
    /// The file with other bytes behind every box of that name, at a distance.
    private func changed(
        _ file: [UInt8], _ name: String, at distance: Int = 0, to bytes: [UInt8]
    ) throws -> [UInt8] {
        var file = file
        let places = file.indices.dropLast(64).filter { file[$0...].starts(with: name.utf8) }
        try #require(!places.isEmpty)
        for place in places {
            file.replaceSubrange((place + distance)..<(place + distance + bytes.count), with: bytes)
        }
        return file
    }

    // MARK: What does not play

    @Test func aStillIsNoAnimation() throws {
        bench.put("in.jpg", TestPicture.card(96, 64).jpeg())
        let played = try Playing(try encode("in.jpg"), 1)
        #expect(played.info?.isAnimated == false && played.failure != nil)
    }

    @Test func oneThatIsAPictureFirstOfAllStandsStill() throws {
        let file = try changed(try sequence(), "ftyp", at: 4, to: Array("avif".utf8))
        let result = try Decoding(file)
        #expect(result.info?.isAnimated == false && !result.bitmaps.isEmpty)
    }

    @Test func framesOfAnotherSizeThanTheStillAreNotPlayed() throws {
        // Width and height are the box's last numbers, with 16 bits for parts of a pixel.
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

    // MARK: Sequences alone

    @Test func aSequenceWithoutAStillShowsItsFirstFrame() throws {
        var file = try cards("--irot 1")
        // No box for pictures that stand still, nor the brands that ask for one.
        file = try changed(file, "meta", to: Array("free".utf8))
        for brand in ["avif", "mif1", "miaf"] {
            file = try changed(file, brand, to: Array("iso8".utf8))
        }
        let result = try Decoding(file)
        #expect(result.info?.isAnimated == true)
        #expect(result.info?.size == PixelSize(width: 64, height: 96))
        let still = try #require(result.bitmaps.last)
        let frame = try #require(try Playing(file, 1).frames.first?.bitmap)
        #expect(still.size == frame.size)
        #expect(still.pixel(5, 5) == frame.pixel(5, 5) && still.pixel(5, 90) == frame.pixel(5, 90))
    }

    // MARK: Bad input

    @Test func whatIsThereOfACutFileIsPlayed() throws {
        let file = try sequence("-k 1")
        // The frames come last, one after another, the first two of nearly the same size.
        let length = try #require(
            file.indices.dropLast(8).last { file[$0...].starts(with: "mdat".utf8) })
        let frames = file.count - length
        let shown = [0.5, 0.8, 0.97].map { part in
            try? Playing(Array(file.prefix(length + Int(Double(frames) * part))), 6)
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
    func damagedSequencesHarmNobody(seed: Int) throws {
        let isClear = seed.isMultiple(of: 3)
        var file = try sequence(isClear ? "-d 10" : "-y 420", from: isClear ? "png" : "jpg")
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        // Every other time among the boxes alone.
        let reach = seed.isMultiple(of: 2) ? file.count - 200 : file.count
        for _ in 0..<(2 + seed % 5) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            file[12 + Int(state >> 33) % (reach - 12)] ^= UInt8(truncatingIfNeeded: state >> 20)
        }
        let played = try Playing(file, 7)
        let failures: [DecodeFailure] = [.crashed, .hung, .badReply]
        #expect(!failures.contains { $0 == played.failure })
        let still = try Decoding(file)
        #expect(!failures.contains { $0 == still.failure })
    }
}
