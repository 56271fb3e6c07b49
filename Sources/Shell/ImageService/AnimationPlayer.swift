import DecodeClient
import FileAccess
import ImageTypes
import Motion
import SceneModel
import Viewer

/// Plays the animation of the selected picture: decides which frame is shown, and when.
final class AnimationPlayer {
    private let frames: AnimationFrames
    /// The id of the entry that is played.
    private(set) var picture: Int?
    private var playback = Playback()
    private var completedLoops = 0
    /// Whether all loops were shown.
    private var isOver = false
    /// The number of the last displayed frame; nil before the first frame, and after a restart.
    private var lastNumber: Int?
    private var shown: AnimationFrames.Frame?
    /// Counts the displayed frames of all animations.
    private var revision = 0
    /// Whether the displayed frame was painted; the next frame waits until then.
    private var isPainted = true
    /// The session's current time.
    private var now = Moment.zero

    /// Starts the decoder; throws if it cannot be started.
    ///
    /// `onTurnEnd` is called after the events of one turn of the decoder.
    init(
        _ environment: DecoderEnvironment, onTurnEnd: @escaping () -> Void
    ) throws(DecodeClientError) {
        frames = try AnimationFrames(environment, onTurnEnd: onTurnEnd)
    }

    /// Whether no frame follows the displayed one.
    private var hasEnded: Bool { isOver || frames.isExhausted }

    /// When the next frame is due, on the session's clock.
    var deadline: Moment? {
        isPainted && !hasEnded && frames.next != nil ? playback.deadline : nil
    }

    /// Whether a frame that is due is still being decoded.
    var isBusy: Bool {
        picture != nil && !hasEnded && isPainted && frames.isAwaited && playback.isDue(at: now)
    }

    var phase: Playback.Phase? {
        picture == nil ? nil : hasEnded ? .paused : playback.phase
    }

    /// Whether the animation plays and was not yet shown to its end.
    var isAnimationUnfinished: Bool { phase == .playing && completedLoops == 0 }

    /// The number of the displayed frame, from 0 in every loop; nil before the first frame.
    var frameNumber: Int? { shown?.info.number }

    /// Whether the caller must call `restartDecoding`.
    var needsDecoder: Bool { frames.needsDecoder }

    /// The memory for the frames that are held and decoded, in bytes.
    var bytes: Int { picture == nil ? 0 : frames.bytes }

    /// Starts playing a file from its first frame, of which the picture with `frameBytes` bytes is
    /// held besides.
    func play(_ picture: Int, _ source: PictureSource, frameBytes: Int, isPaused: Bool) {
        stop()
        self.picture = picture
        playback = Playback(isPaused ? .paused : .playing)
        frames.start(picture, source, frameBytes: frameBytes)
    }

    /// Restarts decoding in a new decoder after a failure.
    ///
    /// The displayed frame stays until the first frame arrives.
    func restartDecoding(_ picture: Int, _ source: PictureSource) {
        lastNumber = nil
        frames.restart(picture, source)
    }

    func stop() {
        guard picture != nil else { return }
        frames.stop()
        (picture, shown, lastNumber) = (nil, nil, nil)
        (completedLoops, isOver, isPainted) = (0, false, true)
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
        (isOver, completedLoops, lastNumber) = (false, 0, nil)
        frames.allowRestart()
    }

    func step(at moment: Moment) {
        rewind()
        playback.step(at: moment)
    }

    /// Advances the time; returns the next frame as an event if it is due.
    func advance(to moment: Moment) -> DecodeEvent? {
        now = moment
        guard let picture, isPainted, !hasEnded, playback.isDue(at: moment), let next = frames.next
        else { return nil }
        if next.info.number == 0, let lastNumber {
            completedLoops += 1
            // An animation with one frame ends after that frame.
            if frames.loops > 0 && completedLoops == frames.loops || lastNumber == 0 {
                isOver = true
                return nil
            }
        }
        lastNumber = next.info.number
        playback.show(duration: next.info.duration, at: moment)
        (shown, isPainted) = (next, false)
        revision += 1
        frames.take()
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
}
