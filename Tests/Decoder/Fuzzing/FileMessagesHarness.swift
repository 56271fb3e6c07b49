import ImageWire

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
