import ImageWire
import ImageTypes

/// What was said about one picture so far, so that an answer out of turn is found out.
///
/// The order is: info, then pixels once they were asked for (any number of times, until the final
/// ones), then the end. Of an animation that is played frames come instead, as many as were asked
/// for, in order. Metadata come in parts, with or without info before them. A failure may come instead
/// of anything.
struct Conversation {
    let id: Int
    /// Whether its pixels were asked for.
    var isDecoding: Bool
    /// Set where a thumbnail was asked for and not the picture.
    private let thumbnail: ThumbnailRequest?
    /// Whether the header is all that was asked for.
    private let isDescription: Bool
    /// Whether it is an animation that is played.
    let isPlayed: Bool
    /// Whether it is metadata that were asked for.
    private let isMetadata: Bool
    /// How many entries of them have come.
    private var entries = 0
    /// Frames that were asked for and have not come.
    var owedFrames = 0
    private var nextFrame = 0
    /// Parts that were asked for and have not come.
    var owedParts: [PicturePart] = []
    private(set) var isOver = false
    private var info: PictureInfo?
    private var hasFinalPixels = false
    /// How many replies there were.
    private var replies = 0

    /// An honest decoder shows one sign of progress a second, and little else.
    private static let mostReplies = PictureLimits.seconds * 4

    init(
        id: Int, isDecoding: Bool, thumbnail: ThumbnailRequest? = nil, isDescription: Bool = false,
        isPlayed: Bool = false, isMetadata: Bool = false
    ) {
        self.id = id
        self.isDescription = isDescription
        self.isPlayed = isPlayed
        self.isMetadata = isMetadata
        self.isDecoding = isDecoding || thumbnail != nil
        self.thumbnail = thumbnail
    }

    /// Whether the decoder owes an answer.
    var isOwed: Bool {
        info == nil || isDecoding || isDescription || isMetadata || owedFrames > 0
            || !owedParts.isEmpty
    }

    /// The event that a reply with its memory stands for, if any; throws where it cannot be true.
    mutating func take(
        _ reply: DecodeReply, _ pixels: SealedMemory?
    ) throws(WireError) -> DecodeEvent? {
        guard reply.id == id, !isOver else { throw WireError() }
        replies += 1
        guard replies <= Self.mostReplies else { throw WireError() }
        if case .pixels(_, let isFinal) = reply {
            guard let info, let pixels, isDecoding, !hasFinalPixels else { throw WireError() }
            hasFinalPixels = isFinal
            return .pixels(id, try pixels.bitmap(of: info, as: thumbnail), isFinal: isFinal)
        }
        if case .frame(_, let frame) = reply {
            guard let info, let pixels, isPlayed, owedFrames > 0,
                frame.number == nextFrame || frame.number == 0
            else { throw WireError() }
            owedFrames -= 1
            // Each frame that was asked for is a piece of work of its own.
            replies = 0
            nextFrame = frame.number + 1
            return .frame(id, frame, try pixels.bitmap(of: info, as: nil))
        }
        if case .part(_, let part) = reply {
            guard let info, let pixels, part == owedParts.first else { throw WireError() }
            owedParts.removeFirst()
            replies = 0
            return .part(id, part, try pixels.bitmap(of: info, part: part))
        }
        guard pixels == nil else { throw WireError() }
        switch reply {
        case .pixels, .frame, .part, .progress: return nil
        case .cage, .formats: throw WireError()
        case .metadata(_, let part):
            entries += part.entries.count
            guard isMetadata, entries <= PictureMetadata.mostEntries else { throw WireError() }
            return .metadata(id, part)
        case .info(_, let info):
            guard self.info == nil else { throw WireError() }
            self.info = info
            return .info(id, info)
        case .finished(_, let notice):
            guard hasFinalPixels && isDecoding || isMetadata || isDescription && info != nil else {
                throw WireError()
            }
            // Of one that is tiled there are parts to come.
            isOver = info?.isTiled != true || thumbnail != nil || isDescription || isMetadata
            isDecoding = false
            return .finished(id, notice: notice)
        case .failed(_, let failure):
            isOver = true
            return .failed(id, failure)
        }
    }
}
