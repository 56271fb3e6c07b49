package import ImageTypes

/// A request of the viewer to the file server.
///
/// Each message is one packet of a SOCK_SEQPACKET socket. Paths are bytes without a NUL; `number` is the
/// viewer's number for the request.
package enum FileRequest: Hashable, Sendable {
    /// Opens a file, and sends it with `message` over the socket that comes with the request.
    case open(number: Int, path: [UInt8], message: [UInt8])
    /// Asks for the status of a file.
    case status(number: Int, path: [UInt8])
    /// Serves the requests of the socket that comes with this request, too.
    case connect
    /// Serves `FolderRequest`s of the socket that comes with this request.
    case listFolders
    /// Serves `ChangeRequest`s of the socket that comes with this request.
    case changeFiles
    /// Follows no symbolic link below a folder any more, whoever asks.
    case distrust(folder: [UInt8])
}

/// The file server's reply to a request.
package enum FileReply: Hashable, Sendable {
    /// The file was opened and sent, or its status was asked for.
    case opened(number: Int, FileStatus)
    case failed(number: Int, DecodeFailure)
}

/// The size and the time of a file.
package struct FileStatus: Hashable, Sendable {
    /// In bytes.
    package var size: Int
    /// When the file was last written, in seconds since 1970.
    package var modified: Int
    /// When the file was created, in seconds since 1970; nil where the file system does not say, or nobody asked.
    package var created: Int?

    package init(size: Int, modified: Int, created: Int? = nil) {
        self.size = size
        self.modified = modified
        self.created = created
    }
}

extension FileRequest {
    /// The longest path in bytes, as the system has it, too (PATH_MAX).
    package static let longestPath = 4096
    /// The longest request in bytes.
    package static let longest = longestPath + longestMessage + 64

    package var bytes: [UInt8] {
        switch self {
        case .open(let number, let path, let message):
            var writer = Envelope.open(201, id: number)
            writer.add(path)
            writer.add(message)
            return writer.bytes
        case .status(let number, let path):
            var writer = Envelope.open(203, id: number)
            writer.add(path)
            return writer.bytes
        case .connect: return Envelope.open(204, id: 0).bytes
        case .listFolders: return Envelope.open(205, id: 0).bytes
        case .changeFiles: return Envelope.open(207, id: 0).bytes
        case .distrust(let folder):
            var writer = Envelope.open(206, id: 0)
            writer.add(folder)
            return writer.bytes
        }
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, number, reader) = try Envelope.read(bytes)
        switch kind {
        case 201:
            let path = try reader.bytes(limit: Self.longestPath)
            self = .open(
                number: number, path: path, message: try reader.bytes(limit: longestMessage))
        case 203: self = .status(number: number, path: try reader.bytes(limit: Self.longestPath))
        case 204: self = .connect
        case 205: self = .listFolders
        case 207: self = .changeFiles
        case 206: self = .distrust(folder: try reader.bytes(limit: Self.longestPath))
        default: throw WireError()
        }
        try reader.finish()
    }
}

extension FileReply {
    package var bytes: [UInt8] {
        switch self {
        case .opened(let number, let status):
            var writer = Envelope.open(202, id: number)
            writer.add(UInt64(max(0, status.size)))
            writer.add(Int64(status.modified))
            writer.add(status.created != nil)
            writer.add(Int64(status.created ?? 0))
            return writer.bytes
        case .failed(let number, let failure):
            return DecodeReply.failed(id: number, failure).bytes
        }
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, number, reader) = try Envelope.read(bytes)
        guard kind == 202 else {
            guard case .failed(number, let failure) = try DecodeReply(bytes) else {
                throw WireError()
            }
            self = .failed(number: number, failure)
            return
        }
        let size = try reader.number(0...Int.max)
        let modified = try reader.number(Int64.self)
        let isDated = try reader.flag()
        let created = try reader.number(Int64.self)
        try reader.finish()
        let status = FileStatus(
            size: size, modified: Int(modified), created: isDated ? Int(created) : nil)
        self = .opened(number: number, status)
    }
}
