import ImageWire
import ImageTypes

/// Detects replies that violate the protocol, from the state of one request.
///
/// The order is: info, then pixels after they were requested (any number of times, until the final
/// ones), then the end. A played animation has frames instead: as many as were requested, in order.
/// Metadata arrive in several messages, with or without an info before them. A failure may arrive
/// instead of any reply.
struct ReplyValidator {
    let id: Int
    /// Whether the pixels of the picture were requested.
    var isDecoding: Bool
    /// Whether the requested pixels may be planes; those of thumbnails, frames and tiles never are.
    var acceptsPlanes = false
    /// Whether a gain plane was requested and has not arrived.
    var awaitsGain = false
    /// The requested thumbnail; nil where the picture itself was requested.
    private let thumbnail: ThumbnailRequest?
    /// Whether only the header was requested.
    private let isDescription: Bool
    /// Whether the picture is an animation that is played.
    let isPlayed: Bool
    /// Whether only metadata were requested.
    private let isMetadata: Bool
    /// What is asked about writing the file; nil for other requests.
    private let task: EditTask?
    /// How many entries of metadata have arrived.
    private var entries = 0
    private var alternativeTexts = 0
    /// The number of frames that were requested and have not arrived.
    var owedFrames = 0
    private var nextFrame = 0
    /// The tiles that were requested and have not arrived, in order.
    var owedTiles: [PictureTile] = []
    private(set) var isOver = false
    private var info: PictureInfo?
    private var hasFinalPixels = false
    /// How many replies have arrived since the last frame or tile.
    private var replies = 0

    /// More replies than this are an error: an intact decoder reports its progress once a second,
    /// and sends few other messages.
    private static let mostReplies = PictureLimits.seconds * 4

    init(_ id: Int, _ request: DecodeClient.Request) {
        self.id = id
        switch request {
        case .thumbnail(let thumbnail): self.thumbnail = thumbnail
        case .picture, .header, .metadata, .animation, .edit: thumbnail = nil
        }
        task = if case .edit(let task) = request { task } else { nil }
        isDecoding = thumbnail != nil
        isDescription = if case .header = request { true } else { false }
        isPlayed = if case .animation = request { true } else { false }
        isMetadata = if case .metadata = request { true } else { false }
    }

    /// Whether a reply of the decoder is due.
    var isOwed: Bool {
        info == nil || isDecoding || isDescription || isMetadata || owedFrames > 0
            || !owedTiles.isEmpty
    }

    /// Handles a reply about writing the file, with the written file; returns the event to report.
    ///
    /// Throws where the reply is not the one to the task.
    mutating func accept(
        _ reply: EditReply, of number: Int, _ file: SealedFile?
    ) throws(WireError) -> DecodeEvent {
        guard number == id, !isOver else { throw WireError() }
        switch (task, reply) {
        case (.plan, .planned), (.fingerprint, .fingerprint), (_?, .refused):
            guard file == nil else { throw WireError() }
        case (.write, .written): guard file != nil else { throw WireError() }
        default: throw WireError()
        }
        isOver = true
        return .edited(id, reply, file: file)
    }

    /// Handles a reply with its memory; returns the event to report, if any.
    ///
    /// Throws where the reply violates the protocol.
    mutating func accept(
        _ reply: DecodeReply, _ pixels: SealedMemory?
    ) throws(WireError) -> DecodeEvent? {
        guard reply.id == id, !isOver else { throw WireError() }
        replies += 1
        guard replies <= Self.mostReplies else { throw WireError() }
        if case .pixels(_, let isFinal) = reply {
            guard let info, let pixels, isDecoding, !hasFinalPixels else { throw WireError() }
            hasFinalPixels = isFinal
            let bitmap = try pixels.bitmap(
                of: info, as: thumbnail, acceptsPlanes: acceptsPlanes)
            return .pixels(id, bitmap, isFinal: isFinal)
        }
        if case .gain(_, let range) = reply {
            guard let info, let pixels, hasFinalPixels, awaitsGain else { throw WireError() }
            awaitsGain = false
            return .gain(id, GainPlane(range, try pixels.gainPlane(of: info)))
        }
        if case .frame(_, let frame) = reply {
            guard let info, let pixels, isPlayed, owedFrames > 0,
                frame.number == nextFrame || frame.number == 0
            else { throw WireError() }
            owedFrames -= 1
            // The limit of replies counts for each requested frame.
            replies = 0
            nextFrame = frame.number + 1
            return .frame(
                id, frame, try pixels.bitmap(of: info, as: nil, acceptsPlanes: false))
        }
        if case .tile(_, let tile) = reply {
            guard let info, let pixels, tile == owedTiles.first else { throw WireError() }
            owedTiles.removeFirst()
            replies = 0
            return .tile(id, tile, try pixels.bitmap(of: info, part: tile))
        }
        guard pixels == nil, task == nil || !reply.isForPicture else { throw WireError() }
        switch reply {
        case .pixels, .gain, .frame, .tile, .edited, .progress: return nil
        case .sandboxReport, .abilities: throw WireError()
        case .metadata(_, let metadata):
            entries += metadata.entries.count
            alternativeTexts += metadata.alternativeTexts.count
            guard isMetadata, entries <= PictureMetadata.mostEntries,
                alternativeTexts <= PictureMetadata.mostAlternativeTexts
            else { throw WireError() }
            return .metadata(id, metadata)
        case .info(_, let info):
            guard self.info == nil else { throw WireError() }
            self.info = info
            return .info(id, info)
        case .finished(_, let message):
            guard hasFinalPixels && isDecoding || isMetadata || isDescription && info != nil else {
                throw WireError()
            }
            // The tiles of a tiled picture may be requested after this.
            isOver = info?.isTiled != true || thumbnail != nil || isDescription || isMetadata
            isDecoding = false
            return .finished(id, message: message)
        case .failed(_, let failure):
            isOver = true
            return .failed(id, failure)
        }
    }
}

extension DecodeReply {
    /// Whether the reply belongs to a request for pixels or data of a picture.
    fileprivate var isForPicture: Bool {
        switch self {
        case .info, .pixels, .gain, .finished, .frame, .tile, .metadata: true
        case .progress, .failed, .sandboxReport, .abilities, .edited: false
        }
    }
}
