package import ImageTypes

/// A request of the viewer to the file server.
///
/// Each message is one packet of a SOCK_SEQPACKET socket.
package struct FileRequest: Hashable, Sendable {
    /// The viewer's number for the request.
    package var number: Int
    /// The path of the file to open, bytes without a NUL.
    package var path: [UInt8]
    /// What to send with the descriptor of the file, over the socket that comes with the request.
    package var message: [UInt8]

    package init(number: Int, path: [UInt8], message: [UInt8]) {
        self.number = number
        self.path = path
        self.message = message
    }
}

/// The file server's reply to a request.
package enum FileReply: Hashable, Sendable {
    /// The file was opened and sent.
    case opened(number: Int, FileStatus)
    case failed(number: Int, DecodeFailure)
}

/// The size and the time of an open file.
package struct FileStatus: Hashable, Sendable {
    /// In bytes.
    package var size: Int
    /// When the file was last written, in seconds since 1970.
    package var modified: Int

    package init(size: Int, modified: Int) {
        self.size = size
        self.modified = modified
    }
}

extension FileRequest {
    /// The longest path in bytes, as the system has it, too (PATH_MAX).
    package static let longestPath = 4096
    /// The longest request in bytes.
    package static let longest = longestPath + longestMessage + 64

    package var bytes: [UInt8] {
        var writer = Envelope.open(201, id: number)
        writer.add(path)
        writer.add(message)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, number, reader) = try Envelope.read(bytes)
        guard kind == 201 else { throw WireError() }
        self.number = number
        path = try reader.bytes(limit: Self.longestPath)
        message = try reader.bytes(limit: longestMessage)
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
        try reader.finish()
        self = .opened(number: number, FileStatus(size: size, modified: Int(modified)))
    }
}
