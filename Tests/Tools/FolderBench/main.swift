// Measures the folder listing and the thumbnails: FolderBench list FOLDER, or
// FolderBench thumbnails|fling FOLDER SIDE CACHE DECODER. One line of figures each; see
// meson-helpers/measure/thumbnails.

import Glibc

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "list" where arguments.count == 3: Bench.list(arguments[2])
case "thumbnails" where arguments.count == 6:
    Bench.thumbnails(arguments[2], arguments[3], cache: arguments[4], decoder: arguments[5])
case "fling" where arguments.count == 6:
    Bench.fling(arguments[2], arguments[3], cache: arguments[4], decoder: arguments[5])
default:
    print("usage: FolderBench list FOLDER | thumbnails|fling FOLDER SIDE CACHE DECODER")
    exit(2)
}
