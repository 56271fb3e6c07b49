import DecodeClient
import FileAccess
import ImageTypes
import Motion
import SceneModel
import Viewer

/// Plays the animation of the selected picture, with a separate decoder process.
///
/// A few frames are decoded ahead. A small animation is decoded once and kept as a whole; other frames
/// are dropped after they were shown.
final class AnimationPlayer {
    private struct Frame {
        var info: FrameInfo
        var bitmap: Bitmap
    }

    /// The most frames that are decoded ahead.
    private static let mostAhead = 3
    /// The largest animation that is kept as a whole, in bytes of pixels.
    private static let budget = 64 << 20

    private let environment: DecoderEnvironment
    /// The most memory for all pixels, in bytes.
    private var memory: Int { environment.memory }
    /// The number of frames that are decoded ahead.
    private var readAhead = mostAhead
    /// The bytes of a frame.
    private var frameBytes = 0
    private let session: DecodeSession
    /// The id of the entry that is played.
    private(set) var picture: Int?
    private var playback = Playback()
    /// How often the animation is shown; 0 means for ever.
    private var loops = 0
    private var completedLoops = 0
    private var hasEnded = false
    /// The number of the last displayed frame; nil before the first frame.
    private var lastNumber: Int?
    /// Whether the decoder has failed and sends no more frames.
    private var hasFailed = false
    /// Whether decoding restarts with a new decoder after the decoded frames were shown.
    private var needsRestart = false
    /// The decoded frames that were not shown yet, in order.
    private var waiting: [Frame] = []
    /// The number of requested frames that were not received yet.
    private var requested = 0
    /// All frames of the current loop; nil if they exceed the budget.
    private var collected: [Frame]? = []
    private var isCached = false
    private var shown: Frame?
    /// Counts the displayed frames of all animations.
    private var revision = 0
    /// Whether the displayed frame was painted; the next frame waits until then.
    private var isPainted = true
    /// The session's current time.
    private var now = Moment.zero

    /// Called after the events of one turn of the decoder.
    var onTurnEnd: () -> Void = {}

    /// Starts the decoder; throws if it cannot be started.
    init(_ environment: DecoderEnvironment) throws(DecodeClientError) {
        self.environment = environment
        session = try DecodeSession(environment, niceness: 0)
        session.onEvent = { [unowned self] in handle($0) }
        session.onTurnEnd = { [unowned self] in onTurnEnd() }
    }

    /// When the next frame is due, on the session's clock.
    var deadline: Moment? { isPainted && !hasEnded && !waiting.isEmpty ? playback.deadline : nil }

    /// Whether a frame that is due is still being decoded.
    var isBusy: Bool {
        picture != nil && !hasEnded && isPainted && waiting.isEmpty && requested > 0
            && playback.isDue(at: now)
    }

    var phase: Playback.Phase? {
        picture == nil ? nil : hasEnded ? .paused : playback.phase
    }

    /// Whether the animation plays and was not yet shown to its end.
    var isAnimationUnfinished: Bool { phase == .playing && completedLoops == 0 }

    /// The number of the displayed frame, from 0 in every loop; nil before the first frame.
    var frameNumber: Int? { shown?.info.number }

    /// Whether the caller must call `restartDecoding`.
    var needsDecoder: Bool { needsRestart && waiting.isEmpty }

    /// The memory for the frames that are held and decoded, in bytes.
    var bytes: Int {
        guard picture != nil else { return 0 }
        let all = (collected ?? []).reduce(0) { $0 + $1.bitmap.memory.bytes.count }
        return all + (readAhead + 1) * frameBytes
    }

    /// Starts playing a file from its first frame, of which the picture with `frameBytes` bytes is
    /// held besides.
    ///
    /// Fewer frames are decoded ahead where memory allows no more.
    func play(_ picture: Int, _ source: PictureSource, frameBytes: Int, isPaused: Bool) {
        stop()
        self.frameBytes = frameBytes
        // The picture itself and the shown frame are not ahead.
        readAhead = min(max(memory / max(frameBytes, 1) - 2, 1), Self.mostAhead)
        self.picture = picture
        playback = Playback(isPaused ? .paused : .playing)
        decode(picture, source)
    }

    /// Restarts decoding in a new decoder after a failure.
    ///
    /// The displayed frame stays until the first frame arrives.
    func restartDecoding(_ picture: Int, _ source: PictureSource) {
        (hasFailed, needsRestart, lastNumber, collected) = (false, false, nil, [])
        decode(picture, source)
    }

    private func decode(_ picture: Int, _ source: PictureSource) {
        session.start(.animation, of: picture, source)
        requestFrames()
    }

    func stop() {
        guard picture != nil else { return }
        session.cancel()
        picture = nil
        (waiting, collected, shown) = ([], [], nil)
        (requested, completedLoops, loops, lastNumber) = (0, 0, 0, nil)
        (hasEnded, isCached, isPainted) = (false, false, true)
        (hasFailed, needsRestart) = (false, false)
    }

    func togglePause(at moment: Moment) {
        if hasEnded {
            rewind()
            playback = Playback()
        } else if playback.phase == .playing {
            playback.pause(at: moment)
        } else {
            playback.resume(at: moment)
        }
    }

    /// Starts from the beginning again if the animation has ended.
    private func rewind() {
        guard hasEnded else { return }
        // With `lastNumber` nil, the next first frame does not complete a loop.
        (hasEnded, completedLoops, lastNumber) = (false, 0, nil)
        needsRestart = hasFailed
    }

    func step(at moment: Moment) {
        rewind()
        playback.step(at: moment)
    }

    /// Advances the time; returns the next frame as an event if it is due.
    func advance(to moment: Moment) -> DecodeEvent? {
        now = moment
        guard let picture, isPainted, !hasEnded, playback.isDue(at: moment),
            let next = waiting.first
        else { return nil }
        if next.info.number == 0, let lastNumber {
            completedLoops += 1
            // An animation with one frame ends after that frame.
            if loops > 0 && completedLoops == loops || lastNumber == 0 {
                hasEnded = true
                return nil
            }
        }
        waiting.removeFirst()
        lastNumber = next.info.number
        playback.show(duration: next.info.duration, at: moment)
        (shown, isPainted) = (next, false)
        revision += 1
        requestFrames()
        endIfExhausted()
        return .frame(picture, next.info, next.bitmap)
    }

    /// Reports that the displayed frame was painted.
    func framePainted() { isPainted = true }

    /// The source of the displayed frame; nil if nothing is played.
    var source: PictureItem.Source? {
        picture.map { PictureItem.Source(.frame, picture: $0, revision: revision) }
    }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        source.picture == picture && source.revision == revision ? shown?.bitmap : nil
    }

    private func requestFrames() {
        guard !hasFailed else { return }
        if isCached, let collected {
            while waiting.count < readAhead {
                let last = waiting.last ?? shown
                let index = last.map { ($0.info.number + 1) % collected.count } ?? 0
                waiting.append(collected[index])
            }
            return
        }
        while waiting.count + requested < readAhead {
            requested += 1
            session.requestFrame()
        }
    }

    private func handle(_ event: DecodeEvent) {
        switch event {
        case .opened, .waiting, .info, .pixels, .tile, .metadata, .edited, .finished: break
        case .failed(_, let failure):
            (hasFailed, requested) = (true, 0)
            // Restart only if the decoder had used up its processor time. After any other failure the
            // displayed frame stays.
            needsRestart = failure == .cpuLimitReached
            endIfExhausted()
        case .frame(_, let info, let bitmap): receive(Frame(info: info, bitmap: bitmap))
        }
    }

    private func receive(_ frame: Frame) {
        requested -= 1
        loops = frame.info.loops
        if frame.info.number == 0, let collected, !collected.isEmpty {
            // All frames are decoded and kept.
            isCached = true
            requested = 0
            session.cancel()
            waiting.append(collected[0])
            requestFrames()
            return
        }
        waiting.append(frame)
        collect(frame)
    }

    private func endIfExhausted() {
        if hasFailed, !needsRestart, waiting.isEmpty { hasEnded = true }
    }

    private func collect(_ frame: Frame) {
        guard var all = collected, all.count == frame.info.number else {
            collected = nil
            return
        }
        all.append(frame)
        let bytes = all.reduce(0) { $0 + $1.bitmap.memory.bytes.count }
        collected = bytes <= min(Self.budget, memory / 4) ? all : nil
    }
}
