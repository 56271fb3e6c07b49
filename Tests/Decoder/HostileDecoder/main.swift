// The real decoder, in the same sandbox, as if an attacker had taken over the process. A file whose
// text begins with `HOSTILE` names the action of the decoder. All other files are decoded normally,
// unless the executable has the name of a misbehaviour (`hangs`, `crashes` …).
//
// A name that begins with `without-`, for example `without-calls` or `without-calls+files`, leaves out
// sandbox measures.

import Sandbox
import CLinux
import DecodeService
import ImageWire
import Geometry
import Glibc
import ImageTypes
import Threads

let name = HostileDecoder.ownName()
let left =
    name.hasPrefix("without-") ? name.dropFirst("without-".count).split(separator: "+") : []
func isLacking(_ measure: SandboxMeasure) -> Bool {
    left.contains("\(measure)") || left.contains("all")
}
var limits = SandboxLimits.decoder
// Seconds; the normal limit is too long for tests.
if name == "short-lived" { limits.processorSeconds = 1 }
var sandboxReport = Sandbox.lock(limits, lacking: isLacking)
var server = ForkServer()
if server.run() {
    Sandbox.lockCopy(&sandboxReport, limits, lacking: isLacking)
    // Seconds; the normal limit is too long for tests.
    let heartbeat = Heartbeat(socket: ForkServer.inheritedSocket, longestSilence: 5)
    let worker = DecoderServer(
        socket: ForkServer.inheritedSocket, sandboxReport: sandboxReport, heartbeat: heartbeat)
    let decoder = HostileDecoder(worker: worker, name: name)
    Thread.continueCopy {
        worker.announce()
        decoder.run()
    }
}
