import Geometry
import ImageTypes
import TestKit
import Testing

/// Frames of animations from the real decoder, requested as the viewer does.
@Suite struct AnimationTests {
    private struct Shown: Equatable {
        var number: Int
        var duration: Double
        /// The sampled pixels, 0xAARRGGBB, premultiplied.
        var pixels: [UInt32]
    }

    /// Plays `count` frames and samples the pixels at `points`.
    private func play(
        _ file: [UInt8], _ count: Int, at points: [(Int, Int)]
    ) throws -> (frames: [Shown], failure: DecodeFailure?, info: PictureInfo?) {
        let played = try AnimationPlayback(file, count)
        let frames = played.frames.map { frame, bitmap in
            let pixels = points.map { x, y in
                let (a, r, g, b) = bitmap.pixel(x, y)
                return UInt32(a << 24 | r << 16 | g << 8 | b)
            }
            return Shown(number: frame.number, duration: frame.duration, pixels: pixels)
        }
        return (frames, played.failure, played.info)
    }

    /// A red background; a blue square that stays; a translucent green square over both, disposed to the
    /// previous canvas; a grey square disposed to the background; a transparent frame.
    private static let card = TestAnimation.apng(
        [
            .init((255, 0, 0, 255), 40, 30, duration: 50),
            .init((0, 0, 255, 255), 10, 10, x: 5, y: 5, duration: 200),
            .init(
                (0, 255, 0, 128), 20, 10, x: 5, y: 5, duration: 30, disposal: .previous,
                blends: true),
            .init((9, 9, 9, 255), 4, 4, x: 0, y: 0, duration: 40, disposal: .background),
            .init((0, 0, 0, 0), 1, 1, x: 39, y: 29, duration: 60),
        ], loops: 3)

    @Test func aLoopCountBeyondTheMessageFieldPlays() throws {
        let file = TestAnimation.apng(
            [.init((255, 0, 0, 255), 8, 8), .init((0, 255, 0, 255), 8, 8)], loops: 4_000_000_000)
        let (frames, failure, _) = try play(file, 2, at: [(1, 1)])
        #expect(failure == nil && frames.map(\.pixels) == [[0xFFFF_0000], [0xFF00_FF00]])
    }

    @Test func framesAreComposedAsTheFileSays() throws {
        let points = [(20, 20), (8, 8), (18, 8), (1, 1), (39, 29)]
        let (frames, failure, info) = try play(Self.card, 7, at: points)
        #expect(failure == nil && info?.isAnimated == true)
        let (red, blue) = (UInt32(0xFFFF_0000), UInt32(0xFF00_00FF))
        let first = Shown(number: 0, duration: 50, pixels: [red, red, red, red, red])
        let second = Shown(number: 1, duration: 200, pixels: [red, blue, red, red, red])
        #expect(
            frames == [
                first, second,
                Shown(
                    number: 2, duration: 30, pixels: [red, 0xFF00_807F, 0xFF7F_8000, red, red]),
                Shown(number: 3, duration: 40, pixels: [red, blue, red, 0xFF09_0909, red]),
                Shown(number: 4, duration: 60, pixels: [red, blue, red, 0, 0]),
                // The animation repeats from the start.
                first, second,
            ])
    }

    @Test func theStillIsTheFirstFrame() throws {
        let decoding = try Decoding(Self.card)
        #expect(decoding.info?.isAnimated == true && decoding.failure == nil)
        #expect(decoding.bitmaps.last?.pixel(20, 20) ?? (0, 0, 0, 0) == (255, 255, 0, 0))
    }

    @Test func aTruncatedFilePlaysItsCompleteFrames() throws {
        let (frames, failure, _) = try play(
            Array(Self.card.prefix(Self.card.count * 2 / 3)), 5, at: [(20, 20)])
        #expect(failure == nil)
        #expect(Set(frames.map(\.number)).count > 1)
        #expect(frames.contains { $0.number == 0 })
    }

    @Test func aStillIsNotAnimated() throws {
        let still = TestPicture.card(40, 30).png()
        let (frames, failure, info) = try play(still, 1, at: [])
        #expect(frames.isEmpty && failure != nil && info?.isAnimated == false)
    }

    @Test(arguments: 0..<40)
    func damagedFilesDoNotCrashTheDecoder(seed: Int) throws {
        var file = Self.card
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        for _ in 0..<6 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // The size in the header stays: ForgedHeaderTests forges sizes.
            let header = 8 + 25
            file[header + Int(state >> 33) % (file.count - header)] ^=
                UInt8(truncatingIfNeeded: state >> 20)
        }
        let (_, failure, _) = try play(file, 8, at: [(0, 0)])
        #expect(failure != .crashed && failure != .hung && failure != .invalidReply)
    }
}
