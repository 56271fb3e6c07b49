package import Geometry
package import ImageTypes

/// A request of the viewer to the decoder.
///
/// Each message is one packet of a SOCK_SEQPACKET socket, so it arrives whole or not at all. `id` is the
/// viewer's number for the request; replies carry the same number.
package enum DecodeRequest: Hashable, Sendable {
    /// Opens the picture file whose descriptor comes with the message; answered with `info`.
    ///
    /// The decoder then waits for `decode`.
    case open(id: Int)
    /// Reads the header of the file whose descriptor comes with the message; answered with `info` and
    /// `finished`.
    case describe(id: Int)
    /// Decodes the opened picture; `target` is the size at which it is first shown, in device pixels.
    ///
    /// With `acceptsPlanes` the pixels may be planes of luma and chroma. With `forTargetOnly` the final
    /// pixels may lack the mip levels that are finer than the target needs. With `wantsGain` a gain plane
    /// follows the final pixels, if the picture has light that is brighter than white.
    case decode(
        id: Int, target: PixelSize, acceptsPlanes: Bool, forTargetOnly: Bool,
        wantsGain: Bool = false)
    /// Gives the opened picture the empty file whose descriptor comes with the message, for its pixels.
    ///
    /// A message without a descriptor refuses the file.
    case backingFile(id: Int)
    /// Makes a thumbnail of the file whose descriptor comes with the message.
    case thumbnail(id: Int, ThumbnailRequest)
    /// Opens the animation whose descriptor comes with the message; answered with `info`.
    case play(id: Int)
    /// Decodes the next frame of the opened animation; the first frame follows the last one.
    case frame(id: Int)
    /// Decodes a tile of a tiled picture that was decoded with `decode` before.
    case tile(id: Int, PictureTile)
    /// Sets the limits above which pictures are refused from now on; not answered.
    case limit(id: Int, DecodeLimits)
    /// Converts colours to the ICC profile in the file whose descriptor comes with the message; not
    /// answered.
    case screen(id: Int)
    /// Tells the format of the next file's extension, for content that fits no format; not answered.
    case expect(id: Int, PictureFormat)
    /// Reads the metadata of the file whose descriptor comes with the message.
    case metadata(id: Int)
    /// Changes the file whose descriptor comes with the message, or tells what it shows; answered with
    /// `edited`.
    case edit(id: Int, EditTask)
    /// Asks which sandbox measures are active; answered with `sandboxReport`.
    case sandboxReport(id: Int)
    /// Asks what can be decoded; answered with `abilities`.
    case abilities(id: Int)
}

extension DecodeRequest {
    /// The request's number.
    package var id: Int {
        switch self {
        case .open(let id), .describe(let id), .decode(let id, _, _, _, _), .thumbnail(let id, _),
            .play(let id), .frame(let id), .tile(let id, _), .limit(let id, _), .metadata(let id),
            .sandboxReport(let id), .abilities(let id), .backingFile(let id),
            .screen(let id), .edit(let id, _), .expect(let id, _):
            id
        }
    }
}

/// Size and colours of a requested thumbnail.
package struct ThumbnailRequest: Hashable, Sendable {
    /// The longest side in pixels; a smaller picture keeps its size.
    package var side: Int
    /// Whether the pixels are also requested in sRGB; see `PixelHeader.sRGBCopy`.
    package var wantsSRGBCopy: Bool
    /// Whether `PictureInfo.regions` are requested.
    package var wantsRegions: Bool

    package init(side: Int, wantsSRGBCopy: Bool = false, wantsRegions: Bool = false) {
        self.side = side
        self.wantsSRGBCopy = wantsSRGBCopy
        self.wantsRegions = wantsRegions
    }

    /// The thumbnail's size in pixels for the size of the upright picture.
    ///
    /// The decoder makes thumbnails of exactly this size; the viewer accepts no other size.
    package func size(of picture: PixelSize) -> PixelSize {
        let longest = max(picture.width, picture.height)
        guard longest > side else { return picture }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
        return PixelSize(width: scaled(picture.width), height: scaled(picture.height))
    }
}

/// A reply of the decoder to the viewer; `id` is the number of the request.
package enum DecodeReply: Hashable, Sendable {
    case info(id: Int, PictureInfo)
    /// Pixels in the sealed memfd that comes with the message; see `PixelHeader`.
    case pixels(id: Int, isFinal: Bool)
    /// The gain plane of the picture in the sealed memfd that comes with the message.
    case gain(id: Int, GainRange)
    /// The decoder is still working.
    case progress(id: Int)
    case finished(id: Int, message: String?)
    case failed(id: Int, DecodeFailure)
    /// A frame of an animation in the sealed memfd that comes with the message.
    case frame(id: Int, FrameInfo)
    /// A tile of a tiled picture in the sealed memfd that comes with the message.
    case tile(id: Int, PictureTile)
    /// Some of the file's metadata; several messages together hold all metadata.
    case metadata(id: Int, PictureMetadata)
    /// The answer to a request `edit`.
    case edited(id: Int, EditReply)
    /// Which sandbox measures are active in the decoder.
    case sandboxReport(id: Int, SandboxReport)
    /// What the decoder can do with the libraries of this system.
    case abilities(id: Int, DecoderAbilities)

    /// The number of the request that this reply answers.
    package var id: Int {
        switch self {
        case .info(let id, _), .pixels(let id, _), .gain(let id, _), .progress(let id),
            .finished(let id, _),
            .failed(let id, _), .frame(let id, _), .sandboxReport(let id, _),
            .abilities(let id, _), .tile(let id, _), .metadata(let id, _), .edited(let id, _):
            id
        }
    }
}
