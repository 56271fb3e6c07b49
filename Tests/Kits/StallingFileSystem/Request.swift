import CFUSE

/// A request of the kernel: the header, and what follows it.
struct Request {
    let header: fuse_in_header
    private let body: ArraySlice<UInt8>

    init?(_ bytes: ArraySlice<UInt8>) {
        let size = MemoryLayout<fuse_in_header>.size
        guard bytes.count >= size else { return nil }
        header = bytes.withUnsafeBytes { $0.loadUnaligned(as: fuse_in_header.self) }
        // A copy, because the buffer of requests is used again while this one waits.
        body = Array(bytes.dropFirst(size))[...]
    }

    /// The operation; nil for one that tests cannot influence.
    var operation: Operation? { Operation(rawValue: header.opcode) }

    /// The body as a structure of linux/fuse.h; nil if it is shorter.
    func argument<Argument: BitwiseCopyable>(_ type: Argument.Type) -> Argument? {
        guard body.count >= MemoryLayout<Argument>.size else { return nil }
        return body.withUnsafeBytes { $0.loadUnaligned(as: Argument.self) }
    }

    /// The body as a name, which ends at the first NUL.
    var name: String { String(decoding: body.prefix { $0 != 0 }, as: UTF8.self) }
}

/// The answer to a request.
enum Reply {
    case failure(Int32)
    case success([UInt8])
    /// The kernel expects no answer.
    case none

    static func structure<Value: BitwiseCopyable>(_ value: Value) -> Reply {
        .success(withUnsafeBytes(of: value) { Array($0) })
    }

    /// What is written to /dev/fuse.
    func bytes(for request: Request) -> [UInt8]? {
        let (code, body): (Int32, [UInt8]) =
            switch self {
            case .failure(let code): (code, [])
            case .success(let body): (0, body)
            case .none: (-1, [])
            }
        guard code >= 0 else { return nil }
        let header = fuse_out_header(
            len: UInt32(MemoryLayout<fuse_out_header>.size + body.count), error: -code,
            unique: request.header.unique)
        return withUnsafeBytes(of: header) { Array($0) } + body
    }
}
