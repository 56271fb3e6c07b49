package import DecodeWire
import Glibc

/// Asks a decoder how it is locked in.
///
/// It is started for that, and has never had a picture: one that was taken over could say anything.
package enum CageInquiry {
    /// Milliseconds until there must be an answer.
    private static let patience: Int32 = 5000

    package static func ask(_ decoderPath: String) throws(DecodeClientError) -> CageReport {
        let process = try DecoderProcess(decoderPath, niceness: 0)
        _ = process.send(.cage(id: 0))
        var poll = pollfd(fd: process.socket, events: Int16(POLLIN), revents: 0)
        while Glibc.poll(&poll, 1, patience) < 0 && errno == EINTR {}
        guard case .message(let bytes, let descriptor) = process.receive() else {
            throw DecodeClientError(path: decoderPath, code: ETIME)
        }
        if descriptor >= 0 { close(descriptor) }
        guard case .cage(0, let report) = try? DecodeReply(bytes) else {
            throw DecodeClientError(path: decoderPath, code: EPROTO)
        }
        return report
    }
}
