package import Geometry
package import Pictures

/// What the viewer says to the decoder.
///
/// Messages are datagrams of a SOCK_SEQPACKET socket, so that each arrives whole or not at all.
package enum DecodeRequest: Hashable, Sendable {
    /// Here is a file (the descriptor comes with the message): say what it is.
    case open(id: Int)
    /// Decode it; it will be shown this large at first, in device pixels.
    case decode(id: Int, target: PixelSize)
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

    /// The picture that it is about.
    package var id: Int {
        switch self {
        case .info(let id, _), .pixels(let id, _), .progress(let id), .finished(let id, _),
            .failed(let id, _):
            id
        }
    }
}
