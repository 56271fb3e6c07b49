package import ImageWire
import Glibc
import SystemCalls

/// Queries a decoder about itself.
///
/// Each query starts a new decoder process, which has never had a file: a compromised process could
/// send any reply.
package enum DecoderInquiry {
    /// The longest time to wait for the reply, in milliseconds.
    private static let timeout: Int32 = 5000

    /// Which sandbox measures are active in a decoder.
    package static func sandboxReport(_ program: DecoderProgram) throws(DecodeClientError)
        -> SandboxReport
    {
        guard case .sandboxReport(1, let report) = try ask(.sandboxReport(id: 1), program)
        else {
            throw DecodeClientError(path: program.path, code: EPROTO)
        }
        return report
    }

    /// What a decoder can do with the libraries of this system.
    package static func abilities(_ program: DecoderProgram) throws(DecodeClientError)
        -> DecoderAbilities
    {
        guard case .abilities(0, let abilities) = try ask(.abilities(id: 0), program) else {
            throw DecodeClientError(path: program.path, code: EPROTO)
        }
        return abilities
    }

    private static func ask(
        _ request: DecodeRequest, _ program: DecoderProgram
    ) throws(DecodeClientError) -> DecodeReply? {
        let launcher = try DecoderLauncher(program)
        let process = try launcher.start(niceness: 0, usesScreen: false) { _ in }
        process.send(request)
        while true {
            waitUntilReady(process.socket, milliseconds: timeout)
            switch process.receive() {
            case .message(let bytes, let descriptor):
                if descriptor >= 0 { close(descriptor) }
                let reply = try? DecodeReply(bytes)
                // The report that every decoder sends first.
                if case .sandboxReport(0, let report) = reply, process.note(report) { continue }
                return reply
            case .end: throw .ended(program.path)
            case .nothing: throw DecodeClientError(path: program.path, code: ETIME)
            }
        }
    }
}
