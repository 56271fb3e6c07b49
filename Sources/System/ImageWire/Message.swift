package import Geometry
package import ImageTypes

/// What the viewer says to the decoder.
///
/// Messages are datagrams of a SOCK_SEQPACKET socket, so that each arrives whole or not at all.
package enum DecodeRequest: Hashable, Sendable {
    /// Here is a file (the descriptor comes with the message): say what it is.
    case open(id: Int)
    /// Here is a file (the descriptor comes with the message): say what it is, and no more.
    case describe(id: Int)
    /// Decode it; it will be shown this large at first, in device pixels.
    case decode(id: Int, target: PixelSize)
    /// Here is an empty file (the descriptor comes with the message) to lay its pixels in.
    case room(id: Int)
    /// Here is a file (the descriptor comes with the message): make a thumbnail of it, at once.
    case thumbnail(id: Int, ThumbnailRequest)
    /// Here is an animation (the descriptor comes with the message): say what it is, and make ready
    /// for its frames.
    case play(id: Int)
    /// Send the next frame of what is played; the first comes after the last.
    case frame(id: Int)
    /// Decode a part of a tiled picture, whose pixels were asked for before.
    case part(id: Int, PicturePart)
    /// Refuse larger pictures from here on; not answered.
    case limit(id: Int, DecodeLimits)
    /// Convert colours to those of the ICC profile in the file whose descriptor comes with the message;
    /// not answered.
    case screen(id: Int)
    /// Here is a file (the descriptor comes with the message): say what it tells of its picture.
    case metadata(id: Int)
    /// Say how you are locked in; answered with `cage`.
    case cage(id: Int)
    /// Say which formats you can decode; answered with `formats`.
    case formats(id: Int)
}

extension DecodeRequest {
    /// The number of what it is about.
    package var id: Int {
        switch self {
        case .open(let id), .describe(let id), .decode(let id, _), .thumbnail(let id, _),
            .play(let id), .frame(let id), .part(let id, _), .limit(let id, _), .metadata(let id),
            .cage(let id), .formats(let id), .room(let id),
            .screen(let id):
            id
        }
    }
}

/// What a thumbnail is to be like.
package struct ThumbnailRequest: Hashable, Sendable {
    /// The longest side in pixels; a picture that is smaller keeps its size.
    package var side: Int
    /// Whether it is wanted as a PNG, too; see `PixelHeader.file`.
    package var wantsFile: Bool

    package init(side: Int, wantsFile: Bool) {
        self.side = side
        self.wantsFile = wantsFile
    }

    /// The thumbnail's size for an upright picture's: the decoder makes, and the viewer accepts, no
    /// other.
    package func size(of picture: PixelSize) -> PixelSize {
        let longest = max(picture.width, picture.height)
        guard longest > side else { return picture }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
        return PixelSize(width: scaled(picture.width), height: scaled(picture.height))
    }
}

/// What the decoder answers.
package enum DecodeReply: Hashable, Sendable {
    case info(id: Int, PictureInfo)
    /// Pixels in the sealed memory that comes with the message; see `PixelHeader`.
    case pixels(id: Int, isFinal: Bool)
    /// Still at work.
    case progress(id: Int)
    case finished(id: Int, notice: String?)
    case failed(id: Int, DecodeFailure)
    /// A frame of an animation in the sealed memory that comes with the message.
    case frame(id: Int, FrameInfo)
    /// A part of a tiled picture in the sealed memory that comes with the message.
    case part(id: Int, PicturePart)
    /// A part of what a file tells of its picture; several together are all of it.
    case metadata(id: Int, PictureMetadata)
    /// How the decoder is locked in.
    case cage(id: Int, SandboxReport)
    /// The names of the formats whose libraries are there.
    case formats(id: Int, [String])

    /// The picture that it is about.
    package var id: Int {
        switch self {
        case .info(let id, _), .pixels(let id, _), .progress(let id), .finished(let id, _),
            .failed(let id, _), .frame(let id, _), .cage(let id, _),
            .formats(let id, _), .part(let id, _), .metadata(let id, _):
            id
        }
    }
}
