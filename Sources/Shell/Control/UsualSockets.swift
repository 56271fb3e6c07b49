import CLinux
import Glibc
package import SystemCalls

/// The sockets of viewers that were started without `--socket`: `$XDG_RUNTIME_DIR/vitrine-PID.sock`.
package struct UsualSockets {
    private let folder: [UInt8]

    private static let (start, end) = (Array("vitrine-".utf8), Array(".sock".utf8))
    /// The largest process number of Linux.
    private static let lastProcess: Int32 = 4_194_304
    /// The longest path of a socket in bytes; a zero follows.
    package static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Why there is no viewer to speak to.
    package enum Failure: Error, Hashable {
        /// There is no folder for sockets.
        case unset
        case unreadable(folder: [UInt8], SystemError)
        /// The path of the folder leaves no room for the name of a socket.
        case tooLong(folder: [UInt8])
        case none
        case several([[UInt8]])
    }

    package init(in folder: [UInt8]) { self.folder = folder }

    /// The sockets in the folder of the environment; throws where there is no such folder.
    package init() throws(Failure) {
        guard let value = getenv("XDG_RUNTIME_DIR"), value.pointee == CChar(bitPattern: 0x2F) else {
            throw .unset
        }
        folder = UnsafeRawBufferPointer(start: value, count: strlen(value)).map { UInt8($0) }
    }

    package func path(of process: Int32) -> [UInt8] {
        path(Self.start + "\(process)".utf8 + Self.end)
    }

    private func path(_ name: [UInt8]) -> [UInt8] { folder + [UInt8(ascii: "/")] + name }

    /// The socket of the only viewer of this user that runs.
    package func only() throws(Failure) -> [UInt8] {
        let listening: [[UInt8]]
        do throws(SystemError) { listening = try viewers() } catch {
            throw .unreadable(folder: folder, error)
        }
        if listening.count > 1 { throw .several(listening) }
        if let only = listening.first { return only }
        // A viewer may run that could not make its socket.
        throw path(of: Self.lastProcess).count > Self.longestPath
            ? .tooLong(folder: folder) : .none
    }

    /// The sockets at which a viewer of this user listens, by name.
    package func viewers() throws(SystemError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for name in try names() {
            guard name.starts(with: Self.start), name.suffix(Self.end.count) == Self.end[...]
            else { continue }
            let path = path(name)
            if Self.listens(path) { found.append(path) }
        }
        return found.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func names() throws(SystemError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        let descriptor = try reporting {
            folder.withPathString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        }
        guard let directory = fdopendir(descriptor) else {
            close(descriptor)
            throw SystemError(code: ENOMEM)
        }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
        }
        return names
    }

    private static func listens(_ path: [UInt8]) -> Bool {
        do throws(SystemError) {
            let connection = try reporting { path.withPathString { clinux_connect($0) } }
            defer { close(connection) }
            return clinux_peer_user(connection) == Int64(geteuid())
        } catch {
            // Too many connections wait for a viewer that is busy.
            return error.code == EAGAIN
        }
    }
}
