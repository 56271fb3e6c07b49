import Glibc
import ImageWire

/// The file that a thumbnail belongs to, and the state of that file.
struct PictureIdentity {
    let path: [UInt8]
    let uri: [UInt8]
    /// The name of the picture's files in the cache.
    let fileName: [UInt8]
    /// When the picture was last written, in seconds since 1970.
    let modified: Int
    /// In bytes.
    let size: Int
    /// Whether the picture may be written again within the second of `modified`.
    ///
    /// The two states would have the same modification time, so they could not be told apart.
    let isFresh: Bool

    /// In seconds; the seconds of the clock and of the file system may start at different moments.
    private static let freshness = 2

    /// Whether the file is in the same state.
    func isOf(_ status: FileStatus) -> Bool {
        (size, modified) == (status.size, status.modified)
    }

    init(path: [UInt8], _ status: FileStatus) {
        self.path = path
        uri = FileURI.uri(of: path)
        fileName = MD5.hexDigest(of: uri) + Array(".png".utf8)
        modified = status.modified
        size = status.size
        isFresh = abs(time(nil) - modified) < Self.freshness
    }
}
