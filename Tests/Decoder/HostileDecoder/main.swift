// The real decoder, in the same cage, that has been taken over: a file whose text begins with
// `HOSTILE` says what it does to whoever shows it. Any other file it decodes as ever, unless the name
// that the program is started by is that of a misbehaviour (`hangs`, `crashes` …).
//
// A name that begins with `without-`, as `without-calls`, leaves a measure of the cage out.

import Sandbox
import CLinux
import DecodeService
import ImageWire
import Geometry
import Glibc
import ImageTypes

let name = HostileDecoder.ownName()
let lacking = SandboxMeasure.allCases.filter { name == "without-\($0)" || name == "without-all" }
let cage = Sandbox.lock(measures: Set(SandboxMeasure.allCases).subtracting(lacking))
// Tests do not wait for a minute.
let heartbeat = Heartbeat(socket: Worker.inheritedSocket, longestSilence: 5)
let worker = Worker(socket: Worker.inheritedSocket, cage: cage, heartbeat: heartbeat)
HostileDecoder(worker: worker, name: name).run()
