import ImageWire
import Testing

/// The messages between the viewer and its file server about folders.
@Suite struct FolderMessageTests {
    private static let path = Array("/srv/a.png".utf8)
    private static let identity = FileIdentity(device: 1, inode: .max)
    private static let details = FileDetails(seconds: -5, nanoseconds: 999_999_999, size: 4096)

    private static let requests: [FolderRequest] = [
        .find(path: path), .watch(path: path), .follow(path: path), .states(paths: [path, []]),
        .list(path: path, wantsDetails: true, wantsSubfolders: false),
        .inspect(path: path, wantsDetails: true), .read(path: path, limit: 4096),
    ]

    private static let replies: [FolderReply] = {
        let state = FileState(
            stamp: FileStamp(identity: identity, details: details), changed: .min,
            isIndirect: true)
        let item = FolderItem(.picture, name: path, inode: 7, details: details)
        return [
            .folder(identity, .watched(0), .local), .folder(identity, .watched(.max), .layered),
            .folder(identity, .refused(28), .remote), .followed(watches: [], isWhole: true),
            .followed(watches: [1, 5, .max], isWhole: false), .states([state, nil, state]),
            .found(FileNode(.file, inode: 7, hasOtherNames: true, details: details)),
            .items([item, item], isLast: true), .failed(code: 2), .stalled, .answeredLate,
        ]
    }()

    /// As of a damaged or malicious file system.
    @Test(arguments: [(-1, -1), (Int.min, .max)])
    func detailsOutOfRangeAreSent(size: Int, nanoseconds: Int) throws {
        let details = FileDetails(seconds: .min, nanoseconds: nanoseconds, size: size)
        #expect(details.size == 0 && (0...999_999_999).contains(details.nanoseconds))
        let reply = FolderReply.found(
            FileNode(.file, inode: 7, hasOtherNames: false, details: details))
        #expect(try FolderReply(reply.bytes) == reply)
    }

    @Test func messagesArriveAsTheyWereSent() throws {
        for request in Self.requests { #expect(try FolderRequest(request.bytes) == request) }
        for reply in Self.replies { #expect(try FolderReply(reply.bytes) == reply) }
    }

    @Test func messagesThatAreCutShortAreRefused() {
        for bytes in Self.requests.map(\.bytes) {
            for count in bytes.indices {
                #expect(throws: WireError.self) { try FolderRequest(Array(bytes[..<count])) }
            }
        }
        for bytes in Self.replies.map(\.bytes) {
            for count in bytes.indices {
                #expect(throws: WireError.self) { try FolderReply(Array(bytes[..<count])) }
            }
        }
    }

    /// The last byte says who may change the folder.
    @Test(arguments: [UInt8(3), 255]) func unknownOriginsAreRefused(_ origin: UInt8) {
        var bytes = FolderReply.folder(Self.identity, .watched(1), .local).bytes
        bytes[bytes.count - 1] = origin
        #expect(throws: WireError.self) { try FolderReply(bytes) }
    }
}
