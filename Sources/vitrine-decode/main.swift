import Cage
import DecodeService

// Before anything is read that others may have written.
let cage = Cage.lock()
Worker(socket: Worker.inheritedSocket, cage: cage).run()
