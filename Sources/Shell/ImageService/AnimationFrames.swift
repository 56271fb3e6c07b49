import DecodeClient
import FileAccess
import ImageTypes

/// Decodes the frames of one animation ahead, with a decoder process of its own.
///
/// A small animation is decoded once and kept as a whole; other frames are dropped once they are taken.
final class AnimationFrames {
    struct Frame {
        var info: FrameInfo
        var bitmap: Bitmap
    }

    private enum Decoder {
        case works
        /// The decoder sends no more frames. With `restarts` a new decoder follows after the last frame.
        case failed(restarts: Bool)
    }

    /// The most frames that are decoded ahead.
    private static let mostAhead = 3
    /// The largest animation that is kept as a whole, in bytes of pixels.
    private static let budget = 64 << 20

    private let environment: DecoderEnvironment
    /// The most memory for all pixels, in bytes.
    private var memory: Int { environment.memory }
    private let session: DecodeSession
    private var decoder = Decoder.works
    /// The number of frames that are decoded ahead.
    private var readAhead = mostAhead
    /// The bytes of a frame.
    private var frameBytes = 0
    /// The decoded frames that were not taken yet, in order.
    private var waiting: [Frame] = []
    /// The number of requested frames that were not received yet.
    private var requested = 0
    /// The number of the frame that was taken last.
    private var lastTaken: Int?
    /// All frames of the current loop; nil if they exceed the budget.
    private var collected: [Frame]? = []
    private var isCached = false
    /// How often the file asks for the animation to be shown; 0 means for ever.
    private(set) var loops = 0

    /// Starts the decoder; throws if it cannot be started.
    ///
    /// `onTurnEnd` is called after the events of one turn of the decoder.
    init(
        _ environment: DecoderEnvironment, onTurnEnd: @escaping () -> Void
    ) throws(DecodeClientError) {
        self.environment = environment
        session = try DecodeSession(environment, niceness: 0)
        session.onEvent = { [unowned self] in handle($0) }
        session.onTurnEnd = onTurnEnd
    }

    /// The next frame; nil while it is being decoded.
    var next: Frame? { waiting.first }

    /// Whether the next frame is being decoded.
    var isAwaited: Bool { waiting.isEmpty && requested > 0 }

    /// Whether no frame follows.
    var isExhausted: Bool {
        if case .failed(restarts: false) = decoder { waiting.isEmpty } else { false }
    }

    /// Whether the caller must call `restart`.
    var needsDecoder: Bool {
        if case .failed(restarts: true) = decoder { waiting.isEmpty } else { false }
    }

    /// The memory for the frames that are held and decoded, in bytes.
    var bytes: Int {
        let all = (collected ?? []).reduce(0) { $0 + $1.bitmap.memory.bytes.count }
        return all + (readAhead + 1) * frameBytes
    }

    /// Decodes a file from its first frame, after `stop`.
    ///
    /// A picture with `frameBytes` bytes is held besides. Fewer frames are decoded ahead where memory
    /// allows no more.
    func start(_ picture: Int, _ source: PictureSource, frameBytes: Int) {
        self.frameBytes = frameBytes
        // The picture itself and the shown frame are not ahead.
        readAhead = min(max(memory / max(frameBytes, 1) - 2, 1), Self.mostAhead)
        decode(picture, source)
    }

    /// Decodes from the first frame again in a new decoder, after a failure.
    func restart(_ picture: Int, _ source: PictureSource) {
        (decoder, collected) = (.works, [])
        decode(picture, source)
    }

    private func decode(_ picture: Int, _ source: PictureSource) {
        session.start(.animation, of: picture, source)
        requestFrames()
    }

    func stop() {
        session.cancel()
        (waiting, collected) = ([], [])
        (requested, lastTaken, loops, isCached, decoder) = (0, nil, 0, false, .works)
    }

    /// Lets a failed decoder restart, because a person wants to see the animation again.
    func allowRestart() {
        if case .failed = decoder { decoder = .failed(restarts: true) }
    }

    /// Takes the next frame, which is there, and decodes another one ahead.
    func take() {
        lastTaken = waiting.removeFirst().info.number
        requestFrames()
    }

    private func requestFrames() {
        guard case .works = decoder else { return }
        if isCached, let collected {
            while waiting.count < readAhead {
                let last = waiting.last?.info.number ?? lastTaken
                waiting.append(collected[last.map { ($0 + 1) % collected.count } ?? 0])
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
        case .opened, .waiting, .info, .pixels, .gain, .tile, .metadata, .edited, .finished: break
        case .failed(_, let failure):
            requested = 0
            // Restart only if the decoder had used up its processor time. After any other failure the
            // displayed frame stays.
            decoder = .failed(restarts: failure == .cpuLimitReached)
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
            return requestFrames()
        }
        waiting.append(frame)
        collect(frame)
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
