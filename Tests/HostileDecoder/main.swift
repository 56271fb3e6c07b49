// A decoder that misbehaves, to be started in the place of the real one. The name it is started by
// says how: HostileDecoder itself crashes at once; a link named `hangs`, `lies-…` does that.

import CLinux
import DecodeWire
import Geometry
import Glibc
import Pictures

HostileDecoder(socket: 3).run()
