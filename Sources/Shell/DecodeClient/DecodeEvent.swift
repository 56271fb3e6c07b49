package import ImageTypes

/// What became of a picture that was asked for; the number is the one given to `open`.
package enum DecodeEvent: Sendable {
    case info(Int, PictureInfo)
    /// A usable form; better ones follow until `isFinal`.
    case pixels(Int, Bitmap, isFinal: Bool)
    /// Nothing more comes; a notice where something of the picture is missing.
    case finished(Int, notice: String?)
    case failed(Int, DecodeFailure)
    /// A frame of an animation that is played.
    case frame(Int, FrameInfo, Bitmap)
    /// A part of a tiled picture.
    case part(Int, PicturePart, Bitmap)
    /// A part of what a file tells of its picture; more may follow.
    case metadata(Int, PictureMetadata)

    /// The picture that it is about.
    package var id: Int {
        switch self {
        case .info(let id, _), .pixels(let id, _, _), .finished(let id, _), .failed(let id, _),
            .frame(let id, _, _), .part(let id, _, _), .metadata(let id, _):
            id
        }
    }
}
