import CLinux
import Glibc
import Localization
package import SystemCalls

/// A socket that listens for messages; its file is removed at the end.
package struct ControlSocket: ~Copyable {
    package let descriptor: Int32
    /// The file that this program has made; nil for a socket of the service manager.
    private let file: (path: [UInt8], device: dev_t, inode: ino_t)?

    /// Connections that wait to be accepted.
    private static let backlog: Int32 = 64

    /// Why a path with ENAMETOOLONG has no socket.
    package static var tooLong: String {
        localized("the path of a socket has at most \(UsualSockets.longestPath) bytes")
    }

    /// Why there is no socket.
    package enum Failure: Error, Hashable {
        /// Another process listens at the path.
        case inUse
        /// The path is a file that is not a socket, or belongs to somebody else.
        case occupied
        case system(SystemError)
    }

    /// Listens at a path, for this user alone; replaces a socket of this user at which no process
    /// listens any more.
    package init(path: [UInt8]) throws(Failure) {
        var result = Self.listen(path)
        if case .failure(let error) = result, error.code == EADDRINUSE {
            try Self.removeStale(path)
            result = Self.listen(path)
        }
        switch result {
        case .success(let listening): descriptor = listening
        case .failure(let error): throw .system(error)
        }
        let status = path.withPathString { Self.status($0) }
        file = status.map { (path, $0.st_dev, $0.st_ino) }
    }

    /// Takes over a socket of the service manager (systemd).
    package init(inherited: Int32) {
        descriptor = inherited
        file = nil
        clinux_set_nonblocking(inherited, 1)
    }

    deinit {
        close(descriptor)
        guard let file else { return }
        file.path.withPathString { path in
            // Another viewer may have replaced the file.
            guard let now = Self.status(path), now.st_dev == file.device,
                now.st_ino == file.inode
            else { return }
            _ = unlink(path)
        }
    }

    private static func listen(_ path: [UInt8]) -> Result<Int32, SystemError> {
        do throws(SystemError) {
            return .success(
                try reporting { path.withPathString { clinux_listen($0, backlog) } })
        } catch { return .failure(error) }
    }

    private static func status(_ path: UnsafePointer<CChar>) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// Removes a socket at which no process listens; throws if the path is anything else.
    private static func removeStale(_ path: [UInt8]) throws(Failure) {
        guard let status = path.withPathString({ self.status($0) }) else { return }
        guard status.isSocket, status.st_uid == geteuid() else {
            throw .occupied
        }
        do throws(SystemError) {
            close(try reporting { path.withPathString { clinux_connect($0) } })
        } catch {
            guard error.code == ECONNREFUSED else { throw .inUse }
            _ = path.withPathString { unlink($0) }
            return
        }
        throw .inUse
    }
}
