import CLinux
import Control
import Glibc
import SystemCalls
import TestKit
import Testing

@Suite struct ControlSocketTests {
    private let folder = TemporaryFolder()
    private var path: String { folder / "a.sock" }
    private var bytes: [UInt8] { Array(path.utf8) }

    private func status() -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// Leaves a socket at `path` that no process listens to.
    ///
    /// A process that another test starts at this moment holds copies of all descriptors for a moment, so that `close`
    /// alone does not end the listening.
    private func leaveSocket(at path: String) {
        let listening = path.withCString { clinux_listen($0, 8) }
        shutdown(listening, Int32(SHUT_RDWR))
        close(listening)
    }

    @Test func theSocketIsForItsOwnerAloneAndIsRemoved() throws {
        let before = umask(0)
        defer { umask(before) }
        do {
            let socket = try ControlSocket(path: bytes)
            #expect(socket.descriptor >= 0)
            #expect(status()?.st_mode == S_IFSOCK | 0o600)
        }
        #expect(status() == nil)
    }

    @Test func aStaleSocketIsReplaced() throws {
        leaveSocket(at: path)
        #expect(status() != nil)
        let socket = try ControlSocket(path: bytes)
        let peer = RawPeer(path)
        #expect(peer.descriptor >= 0 && socket.descriptor >= 0)
    }

    @Test func aSocketInUseIsLeftAlone() throws {
        let first = try ControlSocket(path: bytes)
        let inode = status()?.st_ino
        #expect(throws: ControlSocket.Failure.inUse) { _ = try ControlSocket(path: bytes) }
        #expect(status()?.st_ino == inode && first.descriptor >= 0)
    }

    @Test func noFileOfAPersonIsReplaced() throws {
        TestFile.write(Array("a letter".utf8), to: path)
        #expect(throws: ControlSocket.Failure.occupied) { _ = try ControlSocket(path: bytes) }
        #expect(TestFile.text(path) == "a letter")
        unlink(path)
        symlink("/dev/null", path)
        #expect(throws: ControlSocket.Failure.occupied) { _ = try ControlSocket(path: bytes) }
    }

    /// A viewer that ends does not remove the socket of one that replaced it.
    @Test func onlyTheOwnSocketIsRemoved() throws {
        do {
            let socket = try ControlSocket(path: bytes)
            #expect(socket.descriptor >= 0)
            unlink(path)
            close(path.withCString { clinux_listen($0, 1) })
        }
        #expect(status() != nil)
    }

    @Test func aPathThatIsTooLongOrMissingIsRefused() {
        let long = path + String(repeating: "x", count: 200)
        #expect(throws: ControlSocket.Failure.system(SystemError(code: ENAMETOOLONG))) {
            _ = try ControlSocket(path: Array(long.utf8))
        }
        #expect(throws: ControlSocket.Failure.system(SystemError(code: ENOENT))) {
            _ = try ControlSocket(path: Array((folder / "no/a.sock").utf8))
        }
    }

    @Test func viewersAreFoundByTheirSockets() throws {
        let names = ["vitrine-1.sock", "vitrine-2.sock", "other.sock"]
        let listening = names.map { name in (folder / name).withCString { clinux_listen($0, 8) } }
        defer { for descriptor in listening { close(descriptor) } }
        leaveSocket(at: folder / "vitrine-3.sock")
        TestFile.write([], to: folder / "vitrine-4.sock")
        let sockets = UsualSockets(in: Array(folder.path.utf8))
        #expect(try sockets.viewers() == names.prefix(2).map { Array((folder / $0).utf8) })
        let both = names.prefix(2).map { Array((folder / $0).utf8) }
        #expect(throws: UsualSockets.Failure.several(both)) { try sockets.only() }
    }

    /// A viewer that is too busy to accept connections is a viewer.
    @Test func aBusyViewerIsFound() throws {
        let path = folder / "vitrine-7.sock"
        let socket = path.withCString { clinux_listen($0, 0) }
        defer { close(socket) }
        var waiting: [Int32] = []
        defer { for connection in waiting { close(connection) } }
        while waiting.count < 100 {
            let connection = path.withCString { clinux_connect($0) }
            guard connection >= 0 else { break }
            waiting.append(connection)
        }
        #expect((1..<100).contains(waiting.count))
        #expect(try UsualSockets(in: Array(folder.path.utf8)).only() == Array(path.utf8))
    }

    /// Folders in which there is no viewer, or cannot be one: the longest name of a socket has 20 bytes.
    @Test(
        arguments: [
            ("no", nil), ("file", nil), ("empty", nil), ("fits", 107 - 21), ("long", 107 - 20),
            ("longer", 250),
        ] as [(String, Int?)])
    func aFolderWithoutViewersSaysWhy(name: String, length: Int?) throws {
        let fill = length.map { $0 - (folder / name).utf8.count } ?? 0
        let path = (folder / name) + String(repeating: "x", count: fill)
        if name == "file" {
            TestFile.write([], to: path)
        } else if name != "no" {
            mkdir(path, 0o700)
        }
        let bytes = Array(path.utf8)
        let expected: UsualSockets.Failure =
            switch name {
            case "no": .unreadable(folder: bytes, SystemError(code: ENOENT))
            case "file": .unreadable(folder: bytes, SystemError(code: ENOTDIR))
            case "long", "longer": .tooLong(folder: bytes)
            default: .none
            }
        let sockets = UsualSockets(in: bytes)
        #expect(throws: expected) { try sockets.only() }
        // The socket that does not fit cannot be made either.
        guard let length else { return }
        let made = Result { try ControlSocket(path: sockets.path(of: 4_194_304)).descriptor }
        #expect(((try? made.get()) != nil) == (length == 107 - 21))
    }
}
