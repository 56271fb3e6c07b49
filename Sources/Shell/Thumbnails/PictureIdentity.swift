import Glibc

/// Which file a thumbnail is of, and of which of its states.
struct PictureIdentity {
    let path: [UInt8]
    let uri: [UInt8]
    /// What the cache calls files about it.
    let fileName: [UInt8]
    /// When it was last written, in seconds since 1970.
    let modified: Int
    /// In bytes.
    let size: Int
    /// Whether it was written so short a time ago that it may be written again within the same
    /// second, and nobody could tell the two states apart.
    let isFresh: Bool

    /// The clock's and the file system's seconds may begin a little apart.
    private static let freshness = 2

    init(path: [UInt8], _ info: stat) {
        self.path = path
        uri = FileURI.uri(of: path)
        fileName = MD5.hexDigest(of: uri) + Array(".png".utf8)
        modified = info.st_mtim.tv_sec
        size = info.st_size
        isFresh = abs(time(nil) - modified) < Self.freshness
    }
}
