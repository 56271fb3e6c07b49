import Folders
import DecodeClient
import Glibc
import Motion
import ImageTypes
import SceneModel
import Viewer

/// Plays the animation of the picture in place, in a decoder process of its own.
///
/// A few frames are decoded ahead and not all are kept, unless the whole animation is small: then it is
/// decoded once.
final class AnimationPlayer {
    private struct Frame {
        var number: Int
        /// In milliseconds, as the file has it.
        var duration: Double
        var bitmap: Bitmap
    }

    /// How many frames are decoded ahead.
    private static let ahead = 3
    /// An animation of at most so many bytes of pixels is kept whole.
    private static let budget = 64 << 20

    private let client: DecodeClient
    /// The real clock, which the decoder's patience is measured on.
    private let clock: () -> Moment
    /// The entry that is played.
    private(set) var picture: Int?
    private var playback = Playback()
    private var number = 0
    private var loops = 0
    /// How often all frames were shown.
    private var rounds = 0
    private var hasEnded = false
    /// The number of the frame that was shown last in this round; nil at the start of the first.
    private var last: Int?
    /// Whether the decoder gives no more.
    private var hasFailed = false
    /// Whether it is to go on with a new decoder once what has come is shown.
    private var goesOn = false
    /// Frames that are to come, in order.
    private var waiting: [Frame] = []
    private var owed = 0
    /// All frames since the last first one; given up when they are too many.
    private var collected: [Frame]? = []
    private var isCached = false
    private var shown: Frame?
    /// Counts the frames that were shown, of all animations.
    private var revision = 0
    /// Whether the frame that is shown was painted: nobody sees others before.
    private var isSeen = true
    /// The session's time.
    private var now = Moment.zero

    init(
        limits: DecodeLimits, screen: ScreenProfile?, clock: @escaping () -> Moment
    ) throws(DecodeClientError) {
        self.clock = clock
        client = try DecodeClient(
            decoderPath: PictureLoader.decoderPath(), limits: limits, screen: screen)
    }

    var descriptors: [Int32] { client.pollDescriptors }

    /// On the real clock.
    var loaderDeadline: Moment? { client.deadline }

    /// When the next frame is due, on the session's clock.
    var deadline: Moment? { isSeen && !hasEnded && !waiting.isEmpty ? playback.deadline : nil }

    /// Whether a frame that is due is still being decoded.
    var isBusy: Bool {
        picture != nil && !hasEnded && isSeen && waiting.isEmpty && owed > 0
            && playback.isDue(at: now)
    }

    var phase: Playback.Phase? {
        picture == nil ? nil : hasEnded ? .paused : playback.phase
    }

    /// The frame on the surface, counted from 0 in every round; nil before the first.
    var frameNumber: Int? { shown?.number }

    /// Whether `goOn` is to be called.
    var needsDecoder: Bool { goesOn && waiting.isEmpty }

    /// Starts with the first frame of a picture, whose descriptor is taken over.
    func play(_ picture: Int, descriptor: Int32, isPaused: Bool) {
        stop()
        self.picture = picture
        playback = Playback(isPaused ? .paused : .playing)
        decode(descriptor)
    }

    /// Begins anew after the decoder has failed, in another; the frame that is shown stays until the
    /// first comes.
    func goOn(descriptor: Int32) {
        (hasFailed, goesOn, last, collected) = (false, false, nil, [])
        decode(descriptor)
    }

    private func decode(_ descriptor: Int32) {
        number += 1
        client.play(number, descriptor: descriptor, now: clock())
        askForMore()
    }

    func stop() {
        guard picture != nil else { return }
        client.cancel(number, now: clock())
        picture = nil
        (waiting, collected, shown) = ([], [], nil)
        (owed, rounds, loops, last) = (0, 0, 0, nil)
        (hasEnded, isCached, isSeen, hasFailed, goesOn) = (false, false, true, false, false)
    }

    func togglePause(at moment: Moment) {
        if hasEnded {
            again()
            playback = Playback()
        } else if playback.phase == .playing {
            playback.pause(at: moment)
        } else {
            playback.resume(at: moment)
        }
    }

    /// From the start once more, after the last round.
    private func again() {
        guard hasEnded else { return }
        // The first frame that comes ends no round.
        (hasEnded, rounds, last) = (false, 0, nil)
        goesOn = hasFailed
    }

    func step(at moment: Moment) {
        again()
        playback.step(at: moment)
    }

    /// Lets time pass; what is to be shown instead of what was, if anything is.
    func advance(to moment: Moment) -> (source: PictureItem.Source, bitmap: Bitmap)? {
        now = moment
        guard let picture, isSeen, !hasEnded, playback.isDue(at: moment), let next = waiting.first
        else { return nil }
        if next.number == 0, let last {
            rounds += 1
            // A file of one frame does not move after all.
            if loops > 0 && rounds == loops || last == 0 {
                hasEnded = true
                return nil
            }
        }
        waiting.removeFirst()
        last = next.number
        playback.show(duration: next.duration, at: moment)
        (shown, isSeen) = (next, false)
        revision += 1
        askForMore()
        endIfNothingComes()
        return (
            PictureItem.Source(.frame, picture: picture, revision: revision), next.bitmap
        )
    }

    /// The frame that is shown was painted.
    func wasSeen() { isSeen = true }

    func bitmap(_ source: PictureItem.Source) -> Bitmap? {
        source.picture == picture && source.revision == revision ? shown?.bitmap : nil
    }

    private func askForMore() {
        guard !hasFailed else { return }
        if isCached, let collected {
            while waiting.count < Self.ahead {
                let last = waiting.last ?? shown
                let place = last.map { ($0.number + 1) % collected.count } ?? 0
                waiting.append(collected[place])
            }
            return
        }
        while waiting.count + owed < Self.ahead {
            owed += 1
            client.frame(number, now: clock())
        }
    }

    func handleReadable(_ descriptor: Int32) {
        for event in client.handleReadable(descriptor, now: clock()) { take(event) }
    }

    func handleDeadline() {
        for event in client.handleDeadline(now: clock()) { take(event) }
    }

    private func take(_ event: DecodeEvent) {
        guard event.id == number, picture != nil else { return }
        switch event {
        case .info, .pixels, .part, .metadata, .finished: break
        case .failed(_, let failure):
            (hasFailed, owed) = (true, 0)
            // Only one that was ended for the time it took begins anew; else the picture stays as it is
            // on the surface.
            goesOn = failure == .spent
            endIfNothingComes()
        case .frame(_, let info, let bitmap):
            guard !isCached else { return }
            owed -= 1
            loops = info.loops
            let frame = Frame(number: info.number, duration: info.duration, bitmap: bitmap)
            if info.number == 0, let collected, !collected.isEmpty {
                // The whole animation is there.
                isCached = true
                owed = 0
                client.cancel(number, now: clock())
                waiting.append(collected[0])
                askForMore()
                return
            }
            waiting.append(frame)
            collect(frame)
        }
    }

    private func endIfNothingComes() {
        if hasFailed, !goesOn, waiting.isEmpty { hasEnded = true }
    }

    private func collect(_ frame: Frame) {
        guard var all = collected, all.count == frame.number else {
            collected = nil
            return
        }
        all.append(frame)
        let bytes = all.reduce(0) { $0 + $1.bitmap.memory.bytes.count }
        collected = bytes <= Self.budget ? all : nil
    }
}
