import Sandbox
import DecodeService

// Before anything is read that others may have written.
let cage = Sandbox.lock()
Worker(socket: Worker.inheritedSocket, cage: cage).run()
