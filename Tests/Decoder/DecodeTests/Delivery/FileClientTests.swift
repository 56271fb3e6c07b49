import CLinux
import Glibc
import ImageTypes
import ImageWire
import SystemCalls
import TestKit
import Testing

@testable import FileAccess

/// Requests to the file server, on threads of the test.
@Suite final class FileClientTests {
    private let folder = TemporaryFolder()
    private var results: [Result<FileStatus, DecodeFailure>] = []

    private func wait(for count: Int, _ client: FileClient) throws {
        while results.count < count {
            var poll = pollfd(fd: client.socket, events: Int16(POLLIN), revents: 0)
            try #require(Glibc.poll(&poll, 1, 10_000) == 1)
            client.handleReadable()
        }
    }

    private func send(
        _ path: String, _ message: String, _ client: FileClient, _ target: Int32
    ) throws {
        _ = try client.send(Array(path.utf8), with: Array(message.utf8), over: target) {
            [unowned self] in results.append($0)
        }
    }

    /// The message and the content of the file that arrive at a socket.
    private func arrival(_ socket: Int32) -> (message: String, content: String)? {
        guard
            case .message(let bytes, let descriptor) = PacketSocket.receive(from: socket, limit: 99)
        else { return nil }
        defer { close(descriptor) }
        var content = [UInt8](repeating: 0, count: 99)
        let count = read(descriptor, &content, content.count)
        return (
            String(decoding: bytes, as: UTF8.self),
            String(decoding: content.prefix(max(0, count)), as: UTF8.self)
        )
    }

    /// A stranger's medium may have links to any file of the user.
    @Test func noLinkBelowADistrustedFolderIsFollowed() throws {
        let client = FileClient(try FileServer.startThread())
        let decoder = try PacketSocket.pair()
        defer { for socket in [decoder.ours, decoder.theirs] { close(socket) } }
        for name in ["stick", "stick/inner", "sticker"] { folder.folder(name) }
        let secret = folder.file("secret.png", "content")
        let own = folder.file("stick/inner/own.png", "own")
        symlink(secret, folder / "stick/link.png")
        symlink(folder.path, folder / "stick/out")
        symlink(secret, folder / "sticker/link.png")
        client.distrust(Array((folder / "stick").utf8))
        let cases = [
            (own, 3), (folder / "sticker/link.png", 7), (folder / "stick/link.png", nil),
            (folder / "stick/out/secret.png", nil), (folder / "stick/out", nil),
        ]
        for (number, (path, size)) in cases.enumerated() {
            try send(path, "message", client, decoder.theirs)
            try wait(for: number + 1, client)
            #expect((try? results[number].get().size) == size, "\(path)")
        }
        // The status of files, as thumbnails ask for it.
        _ = try client.status(of: Array((folder / "stick/link.png").utf8)) { [unowned self] in
            results.append($0)
        }
        try wait(for: cases.count + 1, client)
        #expect(throws: DecodeFailure.self) { try self.results[cases.count].get() }
    }

    @Test func aFileIsSentWithItsMessage() throws {
        let client = FileClient(try FileServer.startThread())
        let decoder = try PacketSocket.pair()
        defer { for socket in [decoder.ours, decoder.theirs] { close(socket) } }
        try send(folder.file("one", "content"), "first", client, decoder.theirs)
        try wait(for: 1, client)
        #expect(try results[0].get().size == 7)
        let arrived = try #require(arrival(decoder.ours))
        #expect(arrived.message == "first" && arrived.content == "content")
        try send(folder / "missing", "second", client, decoder.theirs)
        try wait(for: 2, client)
        #expect(throws: DecodeFailure.unreadable(reason: "there is no such file")) {
            try self.results[1].get()
        }
        #expect(arrival(decoder.ours) == nil)
    }

    /// A request without an answer fails as one of a killed decoder, which is made again.
    @Test func aServerThatEndsIsReplaced() throws {
        let ends = try PacketSocket.pair()
        let decoder = try PacketSocket.pair()
        defer { for socket in [decoder.ours, decoder.theirs] { close(socket) } }
        let client = FileClient(
            FileServer.Connection(socket: ends.ours, process: nil, changes: { close($0) }))
        let path = folder.file("one", "content")
        try send(path, "lost", client, decoder.theirs)
        close(ends.theirs)
        try wait(for: 1, client)
        #expect(results == [.failure(.killed)])
        try send(path, "again", client, decoder.theirs)
        try wait(for: 2, client)
        #expect(arrival(decoder.ours)?.message == "again")
    }
}
