package import ImageTypes

/// A result of decoding; the number is the `id` that was given to the request.
package enum DecodeEvent: Sendable {
    case info(Int, PictureInfo)
    /// Pixels of the picture that can be shown; better ones follow until `isFinal`.
    case pixels(Int, Bitmap, isFinal: Bool)
    /// The end of the request; `notice` is a message where a part of the picture is missing.
    case finished(Int, notice: String?)
    case failed(Int, DecodeFailure)
    /// A frame of a played animation.
    case frame(Int, FrameInfo, Bitmap)
    /// A tile of a tiled picture.
    case part(Int, PictureTile, Bitmap)
    /// Some of the metadata of a file; more may follow.
    case metadata(Int, PictureMetadata)

    /// The number of the request.
    package var id: Int {
        switch self {
        case .info(let id, _), .pixels(let id, _, _), .finished(let id, _), .failed(let id, _),
            .frame(let id, _, _), .part(let id, _, _), .metadata(let id, _):
            id
        }
    }
}
