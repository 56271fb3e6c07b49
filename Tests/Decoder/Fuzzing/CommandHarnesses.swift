import ImageWire
import Input

@testable import Application

/// Arguments of the command line, separated by NUL: options, settings of `--set`, paths.
struct ArgumentsHarness: Harness {
    let name = "arguments"
    var seeds: [[UInt8]] {
        let settings = SettingValues.descriptions.map { "--set\0\($0.name)=\($0.values)" }
        let lines = [
            "--viewer\0--size\0640x400\0a.png", "--headless\064x64@2\0--shot-at\0100:a.png\0--\0-",
            "--set\0kiosk.dark=mon-fri 19:00-07:00; sat,sun 00:00-24:00\0--kiosk",
            "--set\0kiosk.folders=mon-fri 08:00-12:00 /srv/a; 12:00-18:00 /srv/b",
            "--set\0peek.dim=[0.4, 0.8]\0--set=slideshow.interval=1e300",
        ]
        return (settings + lines).map { Array($0.utf8) }
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        let arguments = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        do throws(UsageError) { _ = try Options(arguments) } catch {
            precondition(!"\(error)".isEmpty, "an error without a reason")
        }
    }
}

/// Gesture scripts; what parses must also parse after it was printed.
struct ScriptHarness: Harness {
    let name = "gesture-scripts"
    var seeds: [[UInt8]] {
        let lines = [
            "0 touch down 0 1 2\n0 touch frame\n16 touch move 0 3 4\n16 touch frame",
            "120 touch up 0\n120 touch frame\n130 touch cancel", "200 pinch begin 2",
            "208 pinch update 1.5 0.0 1.05 0.0\n300 pinch end cancelled",
            "310 swipe begin 3\n311 swipe update 1 2\n312 swipe end\n313 hold begin 1\n314 hold end",
            "400 pointer move 100 200\n401 pointer button left down\n402 pointer leave",
            "410 pointer axis vertical 15.0 wheel 120\n420 pointer axis-stop vertical",
            "500 key Ctrl+plus\n501 key Right down\n502 text commit abc",
            "600 resize 1200x800\n700 scale 1.5\n2000 end # comment",
        ]
        return lines.map { Array($0.utf8) } + [Array(lines.joined(separator: "\n").utf8)]
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        guard let script = try? GestureScript(parsing: String(decoding: bytes, as: UTF8.self))
        else { return }
        precondition((try? GestureScript(parsing: script.text)) != nil, script.text)
    }
}

/// Messages between the viewer and its file server; those that parse must be the same after a round
/// trip.
struct FileMessagesHarness: Harness {
    let name = "file-messages"
    var seeds: [[UInt8]] {
        let path = Array("/srv/a.png".utf8)
        let details = FileDetails(seconds: 1_700_000_000, nanoseconds: 5, size: 4096)
        let node = FileNode(.file, inode: 7, hasOtherNames: true, details: details)
        let identity = FileIdentity(device: 1, inode: 2)
        let state = FileState(
            stamp: FileStamp(identity: identity, details: details), changed: -3, isIndirect: true)
        let item = FolderItem(.picture, name: Array("a.png".utf8), inode: 7, details: details)
        let requests: [FolderRequest] = [
            .find(path: path), .list(path: path, wantsDetails: true, wantsSubfolders: false),
            .inspect(path: path, wantsDetails: true), .states(paths: [path, path]),
            .read(path: path, limit: 4096), .watch(path: path), .follow(path: path),
        ]
        let replies: [FolderReply] = [
            .ready, .failed(code: 2), .found(node), .stalled, .answeredLate,
            .folder(identity, .watched(4), .remote),
            .folder(identity, .refused(28), .layered),
            .followed(watches: [1, 5], isWhole: false),
            .items([item, item], isLast: true), .states([state, nil]),
            .contents(path, .trusted, isLast: false),
            .contents(path, .foreign(owner: 1000), isLast: true),
        ]
        let files: [FileRequest] = [
            .open(number: 1, path: path, message: [1, 2, 3]), .status(number: 2, path: path),
            .connect, .listFolders, .distrust(folder: path),
        ]
        let opened = FileReply.opened(number: 1, FileStatus(size: 5, modified: -1))
        return requests.map(\.bytes) + replies.map(\.bytes) + files.map(\.bytes) + [opened.bytes]
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        let bytes = Array(bytes)
        if let message = try? FolderRequest(bytes) {
            precondition((try? FolderRequest(message.bytes)) == message, "\(message)")
        }
        if let message = try? FolderReply(bytes) {
            precondition((try? FolderReply(message.bytes)) == message, "\(message)")
        }
        if let message = try? FileRequest(bytes) {
            precondition((try? FileRequest(message.bytes)) == message, "\(message)")
        }
        if let message = try? FileReply(bytes) {
            // Not compared in full: replacing control characters can make a text too long.
            precondition((try? FileReply(message.bytes)) != nil, "\(message)")
        }
    }
}
