package import ImageWire
import Glibc

/// Asks a decoder about itself.
///
/// It is started for that, and has never had a picture: one that was taken over could say anything.
package enum DecoderInquiry {
    /// Milliseconds until there must be an answer.
    private static let patience: Int32 = 5000

    /// How it is locked in.
    package static func cage(_ decoderPath: String) throws(DecodeClientError) -> SandboxReport {
        guard case .cage(0, let report) = try ask(.cage(id: 0), decoderPath) else {
            throw DecodeClientError(path: decoderPath, code: EPROTO)
        }
        return report
    }

    /// The names of the formats whose libraries are there.
    package static func formats(_ decoderPath: String) throws(DecodeClientError) -> [String] {
        guard case .formats(0, let names) = try ask(.formats(id: 0), decoderPath) else {
            throw DecodeClientError(path: decoderPath, code: EPROTO)
        }
        return names
    }

    private static func ask(
        _ request: DecodeRequest, _ decoderPath: String
    ) throws(DecodeClientError) -> DecodeReply? {
        let process = try DecoderProcess(decoderPath, niceness: 0)
        _ = process.send(request)
        var poll = pollfd(fd: process.socket, events: Int16(POLLIN), revents: 0)
        while Glibc.poll(&poll, 1, patience) < 0 && errno == EINTR {}
        switch process.receive() {
        case .message(let bytes, let descriptor):
            if descriptor >= 0 { close(descriptor) }
            return try? DecodeReply(bytes)
        case .end: throw DecodeClientError(path: decoderPath, code: EPIPE)
        case .nothing: throw DecodeClientError(path: decoderPath, code: ETIME)
        }
    }
}
