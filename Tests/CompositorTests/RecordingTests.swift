import CompositorKit
import Geometry
import Input
import Motion
import TestKit
import Testing

extension LiveTests {
    /// What `--record` writes in a live session, played again without a compositor.
    @Suite struct RecordingTests {
        enum Deed: CaseIterable {
            case pinch, fling, swipe, dismissalAndBack

            func play(_ hand: inout Hand) {
                switch self {
                case .pinch:
                    hand.touch([1: (280, 200), 2: (360, 200)])
                    hand.move([1: (180, 150), 2: (440, 220)], in: 300)
                    hand.lift(1, 2)
                case .fling:
                    hand.touch([1: (320, 200)])
                    hand.move([1: (260, 140)], in: 150)
                    hand.lift(1)
                case .swipe:
                    hand.touch([1: (420, 200)])
                    hand.move([1: (220, 210)], in: 200)
                    hand.lift(1)
                case .dismissalAndBack:
                    hand.touch([1: (320, 100)])
                    hand.move([1: (340, 250)], in: 250)
                    hand.rest(60)
                    hand.lift(1)
                }
            }
        }

        private let folder = TemporaryFolder()
        private var record: String { folder / "record.txt" }

        @Test(arguments: Deed.allCases)
        func aRecordingShowsTheSameAgain(_ deed: Deed) throws {
            let stage = try GestureTests.paged(3, "--record", record, "--timings")
            GestureTests.lookAhead(stage)
            if deed == .fling { stage.play { $0.key("1") } }
            let touch = stage.compositor.now
            let frames = stage.play { deed.play(&$0) }
            stage.until { $0.phase == "idle" && $0.rect != nil }
            let last = try stage.last
            let start = try Self.start(of: stage)
            try stage.expectGoodEnd()

            let replay = try Replay(of: record, stage.pictures)
            #expect(last.distance(to: replay.end.rect) <= 0.5)
            #expect(last.index == replay.end.index)
            #expect(last.index == (deed == .swipe ? 1 : 0))
            // From the trace's clock to the script's: the first touch is in both.
            let shift = start - touch.milliseconds + replay.firstTouch
            let moving = frames.filter { $0.phase != "idle" }
            #expect(moving.count > 2)
            for frame in moving {
                let distance = replay.distance(of: frame, at: frame.time + shift)
                #expect(distance <= 0.5, "\(frame.line)")
            }
        }

        /// When the trace's time 0 was, in the compositor's milliseconds: frames are committed as
        /// soon as they are painted.
        private static func start(of stage: Stage) throws -> Double {
            let painted = stage.trace.filter { $0.number("paint_ms") != nil }
            let starts = zip(try stage.surface.commits, painted).map { commit, frame in
                commit.moment.milliseconds - frame.time - (frame.number("paint_ms") ?? 0)
            }
            return try #require(starts.min())
        }
    }
}

/// A recording that was played again, on a screen with many more frames than the first time.
private struct Replay {
    struct Frame {
        var time: Double
        var index: Int?
        var rect: Rect
    }

    private let frames: [Frame]
    let end: Frame
    /// When the first finger lands, in the script's milliseconds.
    let firstTouch: Double

    private static let hertz = 500
    /// Between two frames of the live session, in milliseconds.
    private static let interval = 1000.0 / 60

    init(of record: String, _ pictures: [String]) throws {
        let script = try GestureScript(parsing: #require(TestFile.text(record)))
        firstTouch = try #require(
            script.entries.first {
                if case .touch = $0.event { true } else { false }
            }
        ).moment.milliseconds
        let result = Binaries.vitrine(
            [
                "--headless", "640x400", "--refresh", "\(Self.hertz)", "--script", record,
                "--trace", "-",
            ] + pictures)
        #expect(result.status == 0 && result.errors == "")
        frames = TraceFrame.all(result.output).compactMap { frame in
            frame.rect.map { Frame(time: frame.time, index: frame.index, rect: $0) }
        }
        end = try #require(frames.last)
    }

    /// How far a live frame is from all that is seen here from a frame before `time`, and from when
    /// its newest input came, to a frame after it, in logical pixels.
    ///
    /// A live frame may fall between two of these, which are apart by what moves meanwhile: just
    /// before and just after a release, where the index changes, there is only one beside it.
    func distance(of live: TraceFrame, at time: Double) -> Double {
        let first = time - Self.interval - (live.number("newest_input_to_commit_ms") ?? 0)
        let near = frames.filter {
            (first...time + Self.interval).contains($0.time) && $0.index == live.index
        }
        guard let rect = live.rect, !near.isEmpty else { return .infinity }
        let edges: [(Rect) -> Double] = [{ $0.x }, { $0.y }, { $0.maxX }, { $0.maxY }]
        return edges.map { edge in
            let places = near.map { edge($0.rect) }
            let step = zip(places, places.dropFirst()).map { abs($1 - $0) }.max() ?? 0
            let (low, high) = ((places.min() ?? 0) - step, (places.max() ?? 0) + step)
            return max(low - edge(rect), edge(rect) - high, 0)
        }.max() ?? 0
    }
}
