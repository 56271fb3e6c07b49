import Geometry
import ImageService
import ImageTypes
import TestKit
import Testing

/// Pictures beyond the budget, with real decoders and a manual clock.
@Suite struct MemoryTests {
    /// With its mip levels a little more than 160 000 bytes of pixels, at 64 pixels less than 20 000.
    private static let card = TestPicture.card(200, 150).png()

    static func stage(bytes: Int, pictures: Int = 3) throws -> ProviderStage {
        var limits = DecodeLimits.standard
        limits.memory = bytes
        let stage = try ProviderStage(limits: limits)
        for id in 1...pictures { stage.write(id, card) }
        return stage
    }

    static func widths(_ stage: ProviderStage) -> [Int?] { (1...3).map { stage.width($0) } }

    @Test func neighboursThatFitAreDecodedAhead() throws {
        let stage = try Self.stage(bytes: 1 << 20)
        stage.provider.want([2, 3, 1], keeping: [1, 2, 3])
        #expect(stage.rest())
        #expect(Self.widths(stage) == [100, 200, 100])
    }

    /// The header of a neighbour is read, and the picture is decoded when it is shown; the picture
    /// before keeps a coarse mip level, which stays on the surface meanwhile.
    @Test func neighboursBeyondTheBudgetAreDecodedWhenTheyAreShown() throws {
        let stage = try Self.stage(bytes: 300_000)
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        #expect(Self.widths(stage) == [200, nil, nil])
        #expect(stage.infos[2]?.size == PixelSize(width: 200, height: 150))
        stage.provider.want([2, 3, 1], keeping: [1, 2, 3])
        #expect(stage.width(1) == 50)
        #expect(stage.rest())
        #expect(Self.widths(stage) == [50, 200, nil])
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        #expect(Self.widths(stage) == [200, 50, nil])
        #expect(stage.failures.isEmpty)
    }

    /// A neighbour leaves room once only the levels for the screen are held, but needs all while it is decoded.
    @Test func oneOfTwoNeighboursIsDecodedAhead() throws {
        let stage = try Self.stage(bytes: 360_000)
        stage.provider.want([2, 3, 1], keeping: [1, 2, 3])
        #expect(stage.rest())
        #expect(Self.widths(stage) == [nil, 200, 100])
        // The other direction is the more urgent one now.
        stage.provider.want([2, 1, 3], keeping: [1, 2, 3])
        #expect(stage.rest())
        #expect(Self.widths(stage) == [100, 200, 50])
    }

    @Test func thePictureThatIsShownIsDecodedWhateverTheBudget() throws {
        let stage = try Self.stage(bytes: 1)
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        #expect(Self.widths(stage) == [200, nil, nil])
    }

    /// A file that has changed may be smaller.
    @Test func aChangedFileIsLookedAtAgain() throws {
        let stage = try Self.stage(bytes: 200_000)
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        #expect(stage.width(2) == nil)
        stage.write(2, TestPicture.card(20, 15).png())
        stage.provider.forget([2])
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        #expect(stage.width(2) == 20)
    }
}
