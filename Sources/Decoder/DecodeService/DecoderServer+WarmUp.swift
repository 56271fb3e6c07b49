import CLinux
import Glibc
import ImageWire
import SystemCalls

extension DecoderServer {
    /// Makes a thumbnail of a picture that comes with the program, for `socket`, or for nobody if -1.
    ///
    /// What Swift and the libraries look up, link and compute at first use is ready afterwards, in the
    /// copies of this process, too.
    package static func warmUp(for socket: Int32 = -1) {
        let descriptor = clinux_memfd_create("vitrine-file")
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = GreyJPEG.bytes
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { return }
        let request = ThumbnailRequest(side: 15, wantsSRGBCopy: true)
        let server = DecoderServer(socket: socket, sandboxReport: SandboxReport())
        try? server.sendThumbnail(0, request, descriptor)
    }
}
