import Geometry
import Glibc
import Pictures
import TestKit
import Testing

@testable import Resampling

/// The reduction that is shown at rest, against one in double precision.
@Suite struct SharpReductionTests {
    private static let picture = TestPicture.photograph(640, 401)

    /// A bitmap with reductions, each the mean of four.
    private static func bitmap(_ picture: TestPicture, levels count: Int) throws -> Bitmap {
        var levels: [Bitmap.Level] = []
        var offset = 0
        for exponent in 0..<count {
            let size = picture.size.reduced(by: exponent)
            levels.append(
                Bitmap.Level(exponent: exponent, size: size, stride: size.width * 4, offset: offset)
            )
            offset += size.width * size.height * 4
        }
        let memory = try #require(OwnPixels(length: offset))
        for level in levels {
            let side = 1 << level.exponent
            for y in 0..<level.size.height {
                for x in 0..<level.size.width {
                    var sums = (0, 0, 0, 0)
                    for v in y * side..<min((y + 1) * side, picture.size.height) {
                        for u in x * side..<min((x + 1) * side, picture.size.width) {
                            let color = picture.color(u, v)
                            sums = (
                                sums.0 + color.r, sums.1 + color.g, sums.2 + color.b, sums.3 + 1
                            )
                        }
                    }
                    let half = sums.3 / 2
                    let word =
                        0xFF00_0000 | UInt32((sums.0 + half) / sums.3) << 16
                        | UInt32((sums.1 + half) / sums.3) << 8 | UInt32((sums.2 + half) / sums.3)
                    let row = memory.row(0, width: level.size.width) + level.offset / 4
                    row[y * level.size.width + x] = word
                }
            }
        }
        return Bitmap(size: picture.size, format: .rgb24, levels: levels, memory: memory)
    }

    private static func color(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Int] {
        let level = bitmap.levels[0]
        let word = bitmap.memory.bytes.load(
            fromByteOffset: y * level.stride + x * 4, as: UInt32.self)
        return [Int(word >> 16 & 255), Int(word >> 8 & 255), Int(word & 255)]
    }

    private static func sequentially(_ count: Int, _ piece: @Sendable (Int) -> Void) {
        for number in 0..<count { piece(number) }
    }

    private static func require(_ reduction: SharpReduction?) throws -> SharpReduction {
        try #require(reduction)
    }

    private static func make(
        _ reduction: SharpReduction,
        _ concurrently: SharpReduction.Concurrency = { sequentially($0, $1) }
    ) throws -> Bitmap {
        let bitmap = reduction.make(concurrently: concurrently, isAbandoned: { false })
        return try #require(bitmap)
    }

    /// One sample by the definition; `light` maps bytes and `back` undoes that.
    private static func reference(
        _ part: Rect, _ size: PixelSize, _ x: Int, _ y: Int, light: (Double) -> Double,
        back: (Double) -> Double
    ) -> [Double] {
        func weights(_ start: Double, _ step: Double, _ index: Int, _ length: Int) -> [(
            Int, Double
        )] {
            let center = start + (Double(index) + 0.5) * step
            return (0..<length).compactMap { place in
                let t = (Double(place) + 0.5 - center) / step
                guard abs(t) < 3 else { return nil }
                let angle = Double.pi * t
                return (
                    place,
                    abs(t) < 1e-9 ? 1 : 3 * sin(angle) * sin(angle / 3) / (angle * angle)
                )
            }
        }
        let across = weights(part.x, part.width / Double(size.width), x, picture.size.width)
        let down = weights(part.y, part.height / Double(size.height), y, picture.size.height)
        var (sums, total) = ([0.0, 0, 0], 0.0)
        for (v, weight) in down {
            for (u, other) in across {
                let color = picture.color(u, v)
                for (channel, value) in [color.r, color.g, color.b].enumerated() {
                    sums[channel] += weight * other * light(Double(value))
                }
                total += weight * other
            }
        }
        return sums.map { back($0 / total) }
    }

    private static let parts = [
        (Rect(x: 0, y: 0, width: 640, height: 401), PixelSize(width: 256, height: 160)),
        (Rect(x: 0, y: 0, width: 640, height: 401), PixelSize(width: 601, height: 377)),
        (Rect(x: 100.3, y: 50.7, width: 333.3, height: 200.1), PixelSize(width: 210, height: 126)),
        (Rect(x: 600, y: 380, width: 40, height: 21), PixelSize(width: 31, height: 16)),
        (Rect(x: 0, y: 0, width: 640, height: 401), PixelSize(width: 1, height: 1)),
    ]

    /// From the finest level alone, to a step of eight bits.
    @Test(arguments: parts, [false, true])
    func itIsWhatTheDefinitionSays(_ wish: (part: Rect, size: PixelSize), isLinear: Bool) throws {
        let bitmap = try Self.bitmap(Self.picture, levels: 1)
        let reduction = try Self.require(
            SharpReduction(bitmap, part: wish.part, to: wish.size, isLinear: isLinear))
        let result = try Self.make(reduction)
        #expect(result.size == wish.size)
        let places = [0, wish.size.width / 3, wish.size.width / 2, wish.size.width - 1]
        for x in places {
            for y in [0, wish.size.height / 3, wish.size.height - 1] {
                let wanted = Self.reference(
                    wish.part, wish.size, x, y,
                    light: { isLinear ? pow($0 / 255, 2.2) : $0 },
                    back: { isLinear ? pow(max(0, $0), 1 / 2.2) * 255 : $0 })
                for (seen, wanted) in zip(Self.color(result, x, y), wanted) {
                    let limited = min(max(wanted, 0), 255)
                    // sRGB's curve is not quite the power that the reference takes.
                    #expect(abs(Double(seen) - limited) <= (isLinear ? 4 : 0.6), "\(x) \(y)")
                }
            }
        }
    }

    /// Light and dark lines in turn are as bright as a grey of half the light, or of half the byte.
    @Test(arguments: [(false, 127...128), (true, 187...189)])
    func linesBecomeTheirMean(isLinear: Bool, grey: ClosedRange<Int>) throws {
        let lines = TestPicture(size: PixelSize(width: 200, height: 200)) { _, y in
            y.isMultiple(of: 2) ? (255, 255, 255) : (0, 0, 0)
        }
        let reduction = try Self.require(
            SharpReduction(
                Self.bitmap(lines, levels: 1), part: Rect(x: 0, y: 0, width: 200, height: 200),
                to: PixelSize(width: 40, height: 40), isLinear: isLinear))
        let result = try Self.make(reduction)
        for value in Self.color(result, 20, 20) { #expect(grey.contains(value), "\(value)") }
    }

    /// A level that is used instead of the finest makes next to no difference.
    @Test func coarserLevelsDoWhereTheyAreFineEnough() throws {
        let (part, size) = Self.parts[0]
        let small = PixelSize(width: size.width / 2, height: size.height / 2)
        let results = try [1, 4].map { count in
            let reduction = try Self.require(
                SharpReduction(
                    Self.bitmap(Self.picture, levels: count), part: part, to: small, isLinear: false
                ))
            return try Self.make(reduction)
        }
        var squares = 0
        for y in 0..<small.height {
            for x in 0..<small.width {
                for (a, b) in zip(Self.color(results[0], x, y), Self.color(results[1], x, y)) {
                    squares += (a - b) * (a - b)
                }
            }
        }
        let error = Double(squares) / Double(small.width * small.height * 3)
        #expect(10 * log10(255 * 255 / error) > 38)
    }

    /// Turned, each pixel is where the turn takes it.
    @Test(arguments: 1...3) func aTurnIsATurn(turns: Int) throws {
        let bitmap = try Self.bitmap(Self.picture, levels: 2)
        let (part, size) = Self.parts[2]
        func make(_ turns: Int) throws -> Bitmap {
            let reduction = try Self.require(
                SharpReduction(bitmap, part: part, to: size, quarterTurns: turns, isLinear: false))
            return try Self.make(reduction)
        }
        let (plain, turned) = (try make(0), try make(turns))
        #expect(turned.size == (turns == 2 ? size : size.transposed))
        for (x, y) in [(0, 0), (size.width - 1, 0), (7, 90), (size.width - 1, size.height - 1)] {
            let (right, below) = (size.width - 1 - x, size.height - 1 - y)
            let place = [(x, y), (below, x), (right, below), (y, right)][turns]
            #expect(Self.color(turned, place.0, place.1) == Self.color(plain, x, y))
        }
    }

    /// In pieces on several threads, or one after the other, it is the same; given up, it is nothing.
    @Test func piecesAreIndependentAndCanBeGivenUp() throws {
        let bitmap = try Self.bitmap(Self.picture, levels: 1)
        let (part, size) = Self.parts[0]
        let reduction = try Self.require(
            SharpReduction(bitmap, part: part, to: size, isLinear: false))
        let forwards = try Self.make(reduction)
        let backwards = try Self.make(reduction) { count, piece in
            for number in (0..<count).reversed() { piece(number) }
        }
        #expect(forwards.memory.bytes.elementsEqual(backwards.memory.bytes))
        #expect(reduction.make(concurrently: Self.sequentially, isAbandoned: { true }) == nil)
    }

    /// What is no reduction is none.
    @Test func picturesThatAreShownPixelByPixelAreLeftAlone() throws {
        let bitmap = try Self.bitmap(Self.picture, levels: 2)
        let whole = Rect(x: 0, y: 0, width: 640, height: 401)
        for size in [
            Self.picture.size, PixelSize(width: 1280, height: 802), PixelSize(width: 0, height: 3),
        ] {
            #expect(SharpReduction(bitmap, part: whole, to: size, isLinear: false) == nil)
        }
        let endless = Rect(x: 0, y: 0, width: .infinity, height: .nan)
        #expect(
            SharpReduction(bitmap, part: endless, to: Self.picture.size, isLinear: false) == nil)
    }
}
