package import ImageTypes
package import ImageWire

/// A result of decoding; the number is the `id` that was given to the request.
package enum DecodeEvent: Sendable {
    /// The file was opened.
    case opened(Int, FileStatus)
    /// Nothing has arrived for two seconds: the file's folder does not answer, or only slowly.
    case waiting(Int)
    case info(Int, PictureInfo)
    /// Pixels of the picture that can be shown; better ones follow until `isFinal`.
    case pixels(Int, Bitmap, isFinal: Bool)
    /// The gain plane of the final pixels.
    case gain(Int, GainPlane)
    /// The end of the request; `message` says which part of the picture is missing; nil if none is.
    case finished(Int, message: String?)
    case failed(Int, DecodeFailure)
    /// A frame of a played animation.
    case frame(Int, FrameInfo, Bitmap)
    /// A tile of a tiled picture.
    case tile(Int, PictureTile, Bitmap)
    /// Some of the metadata of a file; more may follow.
    case metadata(Int, PictureMetadata)
    /// The answer to an `EditTask`, and the end of its request; a written file is in `file`.
    case edited(Int, EditReply, file: SealedFile?)

    /// The number of the request.
    package var id: Int {
        switch self {
        case .opened(let id, _), .waiting(let id), .info(let id, _), .pixels(let id, _, _),
            .gain(let id, _),
            .finished(let id, _), .failed(let id, _), .frame(let id, _, _), .tile(let id, _, _),
            .metadata(let id, _), .edited(let id, _, _):
            id
        }
    }
}
