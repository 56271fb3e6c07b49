import Sandbox
import DecodeService
import Threads

// Before anything is read that others may have written.
var sandboxReport = Sandbox.lock()
var server = ForkServer()
// In each copy of this process: the copy decodes one file.
if server.run() {
    Sandbox.lockCopy(&sandboxReport)
    let decoder = DecoderServer(socket: ForkServer.inheritedSocket, sandboxReport: sandboxReport)
    Thread.continueCopy {
        decoder.announce()
        decoder.run()
    }
}
