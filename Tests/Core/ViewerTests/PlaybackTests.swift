import Motion
import Testing
import Viewer

/// The timing of animation frames.
@Suite struct PlaybackTests {
    private func moment(_ time: Double) -> Moment { Moment(milliseconds: time) }

    @Test func framesFollowEachOtherWithoutDrift() {
        var playback = Playback()
        #expect(playback.isDue(at: moment(50)))
        playback.show(duration: 40, at: moment(50))
        // Each frame is shown 7 ms late, and the deadline of the next one does not shift.
        for frame in 1...20 {
            let due = 50 + Double(frame) * 40
            #expect(playback.deadline == moment(due))
            #expect(!playback.isDue(at: moment(due - 0.1)))
            #expect(playback.isDue(at: moment(due + 7)))
            playback.show(duration: 40, at: moment(due + 7))
        }
    }

    @Test(arguments: [(0.0, 100.0), (10, 100), (19.9, 100), (20, 20), (50, 50)])
    func shortDurationsAreLengthenedLikeInWebBrowsers(duration: Double, wanted: Double) {
        var playback = Playback()
        playback.show(duration: duration, at: moment(0))
        #expect(playback.deadline == moment(wanted))
    }

    @Test func aVeryLateFrameDelaysTheFollowingOnes() {
        var playback = Playback()
        playback.show(duration: 40, at: moment(0))
        playback.show(duration: 40, at: moment(900))
        #expect(playback.deadline == moment(940))
    }

    @Test func aPauseKeepsTheRemainingFrameTime() {
        var playback = Playback()
        playback.show(duration: 100, at: moment(0))
        playback.pause(at: moment(30))
        #expect(playback.deadline == nil && !playback.isDue(at: moment(5000)))
        playback.resume(at: moment(1000))
        #expect(playback.deadline == moment(1070))
    }

    @Test func aStepShowsOneFrameAndStays() {
        var playback = Playback()
        playback.show(duration: 100, at: moment(0))
        playback.step(at: moment(30))
        #expect(playback.phase == .paused && playback.isDue(at: moment(30)))
        playback.show(duration: 100, at: moment(30))
        #expect(!playback.isDue(at: moment(900)))
        playback.resume(at: moment(900))
        #expect(playback.deadline == moment(1000))
    }
}
