import CompositorKit
import Geometry
import Input
import Motion
import TestKit
import Testing
import Viewer

extension LiveTests {
    /// Recordings of live sessions (`--record`), replayed without a compositor.
    @Suite struct RecordingTests {
        enum RecordedGesture: CaseIterable {
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

        @Test(arguments: RecordedGesture.allCases)
        func aReplayShowsTheSameFrames(_ gesture: RecordedGesture) throws {
            let stage = try GestureTests.paged(3, "--record", record)
            GestureTests.lookAhead(stage)
            if gesture == .fling { stage.play { $0.key("1") } }
            let frames = stage.play { gesture.play(&$0) }
            stage.until { $0.phase == "idle" && $0.rect != nil }
            let last = try stage.last
            try stage.expectGoodEnd()

            let replay = try Replay(of: record, stage.pictures)
            #expect(last.distance(to: replay.end.rect) <= 0.5)
            #expect(last.index == replay.end.index)
            #expect(last.index == (gesture == .swipe ? 1 : 0))
            let moving = frames.filter { $0.phase != "idle" }
            #expect(moving.count > 5)
            for frame in moving {
                // Trace and record have the same time 0.
                let distance = replay.distance(of: frame, at: frame.time)
                #expect(distance <= 0.5, "\(frame.line)")
            }
        }
    }
}

/// The replay of a recording, at a much higher frame rate than that of the live session.
private struct Replay {
    struct Frame {
        var time: Double
        var index: Int?
        var rect: Rect
    }

    private let frames: [Frame]
    let end: Frame

    private static let hertz = 500
    /// The width of the surface, in logical pixels.
    private static let width = 640.0
    /// The frame period of the live session, in milliseconds.
    private static let interval = 1000.0 / 60

    init(of record: String, _ pictures: [String]) throws {
        let result = Binaries.vitrine(
            [
                "--headless", "\(Int(Self.width))x400", "--refresh", "\(Self.hertz)", "--script",
                record,
                "--trace", "-",
            ] + pictures)
        #expect(result.status == 0 && result.errors == "")
        frames = TraceFrame.all(result.output).compactMap { frame in
            frame.rect.map { Frame(time: frame.time, index: frame.index, rect: $0) }
        }
        end = try #require(frames.last)
    }

    /// The distance of a live frame from the replayed frames within one period of `time`, in logical
    /// pixels.
    ///
    /// The rectangles are compared in the coordinates of the row of pages, which stay continuous when
    /// a release changes the index.
    func distance(of live: TraceFrame, at time: Double) -> Double {
        let near = frames.filter { abs($0.time - time) <= Self.interval }
        guard let rect = live.rect, !near.isEmpty else { return .infinity }
        let place = Self.inRowOfPages(rect, of: live.index)
        let places = near.map { Self.inRowOfPages($0.rect, of: $0.index) }
        let edges: [(Rect) -> Double] = [{ $0.x }, { $0.y }, { $0.maxX }, { $0.maxY }]
        return edges.map { edge in
            let range = places.map(edge)
            return max(
                (range.min() ?? 0) - edge(place), edge(place) - (range.max() ?? 0), 0)
        }.max() ?? 0
    }

    /// A rectangle on the surface in the coordinates of the row of pages.
    private static func inRowOfPages(_ rect: Rect, of index: Int?) -> Rect {
        rect.moved(-Double(index ?? 0) * Paging.pitch(width: width), 0)
    }
}
