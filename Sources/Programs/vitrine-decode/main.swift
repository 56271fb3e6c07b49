import Sandbox
import DecodeService

// Before anything is read that others may have written.
let sandboxReport = Sandbox.lock()
Worker(socket: Worker.inheritedSocket, sandboxReport: sandboxReport).run()
