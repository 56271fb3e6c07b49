/// Where the thumbnails of a picture are, for other programs.
package enum ThumbnailPlaces {
    /// The folders of the cache, the one with the best thumbnails for a lock screen first.
    private static let folders = ["large", "x-large", "xx-large", "normal"]

    /// The URI of the picture at `path`, and the files in which its thumbnails may be below the folder
    /// `cache`; the disk is not accessed.
    package static func of(
        _ path: [UInt8], cache: [UInt8]
    ) -> (uri: String, files: [[UInt8]]) {
        let uri = FileURI.uri(of: path)
        let name = MD5.hexDigest(of: uri) + Array(".png".utf8)
        return (
            String(decoding: uri, as: UTF8.self),
            folders.map { cache + Array("/thumbnails/\($0)/".utf8) + name }
        )
    }
}
