import ImageService
import ImageTypes
import Motion
import TestKit
import Testing

/// Attempts after failures that may pass, with real decoders and a manual clock.
@Suite struct RetryTests {
    private static let card = TestPicture.card(40, 30).png()

    @Test func aKilledDecoderIsTriedAgainAfterPausesThatGrow() throws {
        let stage = try ProviderStage(decoder: "decoder")
        stage.write(1, Array("HOSTILE is-killed".utf8))
        stage.provider.want([1], keeping: [1])
        for (count, pause) in zip(1..., [2.0, 8, 30]) {
            #expect(stage.run { stage.failures[1]?.count == count && !stage.provider.isBusy })
            #expect(stage.deadline?.seconds(since: stage.now) == pause)
            stage.advance(seconds: pause - 0.001)
            #expect(!stage.provider.isBusy)
            stage.write(1, count == 3 ? Self.card : Array("HOSTILE is-killed".utf8))
            stage.advance(seconds: 0.001)
            #expect(stage.provider.isBusy)
        }
        #expect(stage.rest())
        #expect(stage.failures[1] == [.killed, .killed, .killed])
        #expect(stage.width(1) == 40)
        #expect(stage.deadline == nil)
    }

    /// A neighbour that was killed is decoded when it becomes the current picture.
    @Test func aNeighbourIsTriedAgainWhenItIsShown() throws {
        let stage = try ProviderStage(decoder: "decoder")
        stage.write(1, Self.card)
        stage.write(2, Array("HOSTILE is-killed".utf8))
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.run { stage.failures[2] != nil && !stage.provider.isBusy })
        #expect(stage.deadline == nil)
        stage.advance(seconds: 60)
        #expect(!stage.provider.isBusy)
        stage.write(2, Self.card)
        stage.provider.want([2, 1], keeping: [1, 2])
        stage.advance(seconds: 0)
        #expect(stage.rest())
        #expect(stage.width(2) == 40)
    }

    @Test func aCrashIsNotTriedAgain() throws {
        let stage = try ProviderStage(decoder: "decoder")
        stage.write(1, Array("HOSTILE crashes".utf8))
        stage.provider.want([1], keeping: [1])
        #expect(stage.run { stage.failures[1] != nil && !stage.provider.isBusy })
        #expect(stage.failures[1] == [.crashed])
        #expect(stage.deadline == nil)
    }

    /// The file did not arrive for longer than the patience of the viewer.
    @Test func aStalledFileIsTriedAgain() throws {
        let stage = try ProviderStage(decoder: "decoder")
        stage.write(1, Array("HOSTILE hangs".utf8))
        stage.provider.want([1], keeping: [1])
        #expect(stage.run { stage.deadline != nil })
        while stage.failures[1] == nil, let deadline = stage.deadline {
            stage.advance(seconds: deadline.seconds(since: stage.now))
        }
        #expect(stage.failures[1] == [.stalled])
        #expect(stage.deadline?.seconds(since: stage.now) == 2)
        stage.write(1, Self.card)
        stage.advance(seconds: 2)
        #expect(stage.rest())
        #expect(stage.width(1) == 40)
    }
}
