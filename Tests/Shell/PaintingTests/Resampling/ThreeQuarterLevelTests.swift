import Geometry
import Glibc
import Painting
import ImageTypes
import SceneModel
import Testing

/// The three-quarter level shows the same picture as the levels around it, from fewer pixels.
@Suite struct ThreeQuarterLevelTests {
    private static let surface = PixelSize(width: 260, height: 220)

    /// A bitmap with a level of half its size, of averages of 2 × 2 pixels as decoders make them.
    private static func bitmap(
        _ size: PixelSize, _ format: PixelFormat = .rgb24, from mipLevel: Int = 0,
        _ channels: (Int, Int) -> (Double, Double, Double)
    ) -> Bitmap {
        func word(_ x: Int, _ y: Int) -> UInt32 {
            let (red, green, blue) = channels(min(x, size.width - 1), min(y, size.height - 1))
            return [red, green, blue].reduce(0xFF) { $0 << 8 | UInt32($1.rounded()) }
        }
        let half = size.reduced(by: 1)
        var pixels: [UInt32] = []
        for y in 0..<size.height { for x in 0..<size.width { pixels.append(word(x, y)) } }
        for y in 0..<half.height {
            for x in 0..<half.width {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map { word(2 * x + $0, 2 * y + $1) }
                pixels.append(
                    [16, 8, 0].reduce(0xFF) { mean, shift in
                        mean << 8 | four.reduce(0) { $0 + ($1 >> shift & 255) } / 4
                    })
            }
        }
        let levels: [Bitmap.Level] = [
            .init(mipLevel: 0, size: size, stride: size.width * 4, offset: 0),
            .init(
                mipLevel: 1, size: half, stride: half.width * 4,
                offset: size.width * size.height * 4),
        ]
        return Bitmap(
            size: size, format: format, levels: Array(levels[mipLevel...]),
            memory: GuardedMemory(pixels, at: .last))
    }

    /// A zone plate: rings that grow finer towards the edge, up to the Nyquist frequency.
    private static let rings: Bitmap = {
        let size = PixelSize(width: 401, height: 299)
        return bitmap(size) { x, y in
            let (dx, dy) = (Double(x - size.width / 2), Double(y - size.height / 2))
            let grey = 127.5 + 127.5 * cos((dx * dx + dy * dy) * .pi / Double(size.width))
            return (grey, grey, grey)
        }
    }()

    /// A linear gradient in each channel.
    private static let slope: Bitmap = {
        let size = PixelSize(width: 401, height: 299)
        return bitmap(size) { x, y in
            let (u, v) = (Double(x) / 400, Double(y) / 298)
            return (u * 255, v * 255, (2 - u - v) / 2 * 255)
        }
    }()

    private static func oneByOne(_ count: Int, _ band: @Sendable (Int) -> Void) {
        for number in 0..<count { band(number) }
    }

    private static func makeLevel(
        of bitmap: Bitmap, on surface: PixelSize = surface, most: Int = 1 << 20,
        minimumVisiblePixels: Int = 0
    ) -> ThreeQuarterLevel? {
        ThreeQuarterLevel(
            of: bitmap, on: surface, filterSpace: .encoded, most: most,
            minimumVisiblePixels: minimumVisiblePixels)
    }

    private static func withLevel(_ bitmap: Bitmap) throws -> Bitmap {
        let made = try #require(makeLevel(of: bitmap)).make(
            concurrently: oneByOne, until: PaintingCancellation())
        return bitmap.adding(try #require(made))
    }

    private static func scene(_ size: PixelSize, zoom: Double, rotation: Double = 0) -> Scene {
        let item = PictureItem(
            source: .init(picture: 1, revision: 1), size: size,
            placement: Placement(
                center: Point(x: 129.3, y: 111.6), zoom: zoom, rotation: rotation))
        return Scene(size: surface.size, scale: 1, backdrop: 1, items: [.picture(item)])
    }

    private static func paint(
        _ bitmap: Bitmap, zoom: Double, rotation: Double = 0, isSharp: Bool = false
    ) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: surface.width * surface.height)
        let scene = scene(bitmap.size, zoom: zoom, rotation: rotation)
        pixels.withUnsafeMutableBytes { memory in
            let canvas = Canvas(memory: memory, size: surface, stride: surface.width * 4)
            guard isSharp else {
                return Painter().paint(
                    scene, into: canvas, damage: [PixelRect(surface)], bitmap: { _ in bitmap },
                    concurrently: oneByOne)
            }
            #expect(
                Painter().paintSharp(
                    scene, into: canvas, filterSpace: .encoded, bitmap: { _ in bitmap },
                    concurrently: oneByOne, until: PaintingCancellation()))
        }
        return pixels
    }

    /// The largest and the root-mean-square difference of channels.
    private static func distance(_ some: [UInt32], _ others: [UInt32]) -> (most: Int, mean: Double)
    {
        var (most, sum) = (0, 0.0)
        for (one, other) in zip(some, others) {
            for shift: UInt32 in [0, 8, 16] {
                let error = abs(Int(one >> shift & 255) - Int(other >> shift & 255))
                most = max(most, error)
                sum += Double(error * error)
            }
        }
        return (most, (sum / Double(some.count * 3)).squareRoot())
    }

    /// Upright, the pictures match up to the edges, and rotated all but there.
    ///
    /// The edges of a rotated picture cut pixels, which cover other areas in another level. Outside of
    /// zooms from 0.5 to 0.675 the level is not used.
    @Test(arguments: [0.4, 0.51, 0.6, 0.674, 0.68], [0.0, 0.3, .pi / 2])
    func theLevelLiesWhereThePictureLies(zoom: Double, rotation: Double) throws {
        let withLevel = try Self.withLevel(Self.slope)
        let before = Self.paint(Self.slope, zoom: zoom, rotation: rotation)
        let after = Self.paint(withLevel, zoom: zoom, rotation: rotation)
        let item = try #require(
            Self.scene(Self.slope.size, zoom: zoom, rotation: rotation).onlyPicture?.item)
        let seen = before.indices.filter { index in
            let (x, y) = (index % Self.surface.width, index / Self.surface.width)
            let place = item.placement.picturePoint(
                at: Point(x: Double(x) + 0.5, y: Double(y) + 0.5), in: item.size)
            return rotation == 0
                || (3...398).contains(place.x) && (3...296).contains(place.y)
        }
        #expect(seen.count > 10_000)
        let (most, mean) = Self.distance(seen.map { before[$0] }, seen.map { after[$0] })
        #expect(most <= 2 && mean < 0.7, "\(most) \(mean)")
        #expect((most == 0) == (zoom < 0.5 || zoom > 0.675), "\(most)")
    }

    /// With the level, a frame in motion is closer to the frame at rest than without it.
    @Test(arguments: [(0.51, 0.8), (0.56, 0.8), (0.62, 0.8), (0.67, 0.95)])
    func framesInMotionFlickerLess(zoom: Double, most: Double) throws {
        let still = Self.paint(Self.rings, zoom: zoom, isSharp: true)
        let withLevel = try Self.withLevel(Self.rings)
        let (_, without) = Self.distance(still, Self.paint(Self.rings, zoom: zoom))
        let (_, with) = Self.distance(still, Self.paint(withLevel, zoom: zoom))
        #expect(with < without * most, "\(with) \(without)")
    }

    /// At rest, frames are sampled from the full levels, not from this one.
    @Test(arguments: [0.51, 0.56, 0.62, 0.67]) func framesAtRestStaySharp(zoom: Double) throws {
        let withLevel = try Self.withLevel(Self.rings)
        let exact = Self.paint(Self.rings, zoom: zoom, isSharp: true)
        #expect(Self.paint(withLevel, zoom: zoom, isSharp: true) == exact)
    }

    @Test func theLevelIsMadeOnlyWhereItHelps() {
        let picture = Self.slope
        #expect(Self.makeLevel(of: picture) != nil)
        // At a zoom of 1/2, 201 × 150 pixels are visible, upright or rotated.
        let seen = 201 * 150
        #expect(Self.makeLevel(of: picture, minimumVisiblePixels: seen - 1) != nil)
        #expect(Self.makeLevel(of: picture, minimumVisiblePixels: seen) == nil)
        let narrow = PixelSize(width: 150, height: 300)
        #expect(Self.makeLevel(of: picture, on: narrow, minimumVisiblePixels: seen - 1) != nil)
        // The level has 300 × 224 pixels of 4 bytes.
        #expect(Self.makeLevel(of: picture, most: 300 * 224 * 4) != nil)
        #expect(Self.makeLevel(of: picture, most: 300 * 224 * 4 - 1) == nil)
        let color = { (_: Int, _: Int) in (1.0, 2.0, 3.0) }
        #expect(Self.makeLevel(of: Self.bitmap(picture.size, .argb32, color)) == nil)
        #expect(Self.makeLevel(of: Self.bitmap(picture.size, from: 1, color)) == nil)
    }

    /// If the level is too large, that of the half-size level is made instead.
    @Test func theFinestLevelWithinTheLimitIsMade() throws {
        let size = PixelSize(width: 64, height: 48)
        let memory = GuardedMemory([UInt32](repeating: ~0, count: 64 * 48 * 2), at: .last)
        let levels = (0...2).map { mipLevel in
            Bitmap.Level(
                mipLevel: mipLevel, size: size.reduced(by: mipLevel), stride: 64 * 4, offset: 0)
        }
        let bitmap = Bitmap(size: size, format: .rgb24, levels: levels, memory: memory)
        for (most, size) in [(48 * 36 * 4, (48, 36)), (48 * 36 * 4 - 1, (24, 18))] {
            let made = try #require(Self.makeLevel(of: bitmap, most: most))
                .make(concurrently: Self.oneByOne, until: PaintingCancellation())
            let level = try #require(made).levels[0]
            #expect(level.size == PixelSize(width: size.0, height: size.1))
            #expect(level.scale == Double(size.0) / 64)
        }
        #expect(Self.makeLevel(of: bitmap, most: 24 * 18 * 4 - 1) == nil)
    }

    @Test func aCancelledLevelIsNil() throws {
        let cancellation = PaintingCancellation()
        cancellation.cancel()
        let made = try #require(Self.makeLevel(of: Self.rings))
            .make(concurrently: Self.oneByOne, until: cancellation)
        #expect(made == nil)
    }
}
