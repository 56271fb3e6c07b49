import CLinux
import Desktop
import Edits
import FileChanges
import Glibc
import ImageWire
import SystemCalls
import Threads

// Changes the file `a.jpg` of a folder on one thread, for a test that kills the program at each system
// call: ChangingProgram ACTION FOLDER. The calls from `access("/begin")` on belong to the change.

/// Serves requests, and returns at their end.
func serve(_ requests: [ChangeRequest], contents: Int32 = -1) {
    guard let (ours, theirs) = try? PacketSocket.pair() else { exit(3) }
    for request in requests {
        let hasContents =
            if case .perform(let action) = request { action.hasContents } else { false }
        _ = PacketSocket.send(request.bytes, to: ours, with: hasContents ? contents : -1)
    }
    let replies = requests.count { if case .begin = $0 { false } else { true } }
    // The end of the connection would stop an undo, so it follows the last reply.
    _ = Thread.start {
        for _ in 0..<replies {
            waitUntilReady(ours)
            _ = PacketSocket.receive(from: ours, limit: ChangeRequest.longest)
        }
        close(ours)
    }
    ChangeService.run(theirs, trash: DesktopTrash())
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else { exit(2) }
let (action, folder) = (arguments[1], arguments[2])
let path = Array((folder + "/a.jpg").utf8)
let journal = Array((folder + "/state/changes").utf8)

if action == "recover" {
    serve([.open(journal: journal)])
    // The leftovers are removed on a thread of the service.
    usleep(50_000)
    exit(0)
}

func stamp() -> FileStamp {
    var info = stat()
    guard path.withPathString({ lstat($0, &info) }) == 0 else { exit(4) }
    return FileStamp(
        identity: FileIdentity(info),
        details: FileDetails(
            seconds: info.st_mtim.tv_sec, nanoseconds: Int(info.st_mtim.tv_nsec),
            size: Int(info.st_size)))
}

let contents = clinux_memfd_create("contents")
try writeAll(Array("new contents".utf8), to: contents)
let replacement: [ChangeRequest] = [
    .open(journal: journal), .begin(title: "Test"),
    .perform(.replace(path: path, expected: stamp(), keepsTimes: true)), .end,
]

// GIO is loaded before the calls that count.
try FileReplacement.write([1], to: Array((folder + "/warm").utf8), isSynced: false)
_ = try DesktopTrash().move(Array((folder + "/warm").utf8))
if action == "undo" { serve(replacement, contents: contents) }
access("/begin", F_OK)
switch action {
case "replace": serve(replacement, contents: contents)
case "undo": serve([.open(journal: journal), .undo])
case "trash":
    serve([.open(journal: journal), .begin(title: "Test"), .perform(.trash(path: path)), .end])
case "rename":
    let target = Array((folder + "/b.jpg").utf8)
    serve([
        .open(journal: journal), .begin(title: "Test"),
        .perform(.move(from: path, to: target, picksName: false)), .end,
    ])
case "mark":
    serve([
        .open(journal: journal), .begin(title: "Test"),
        .perform(.mark(path: path, .rating(5))), .end,
    ])
default: exit(2)
}
