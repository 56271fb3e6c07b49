/// Where a picture is read from.
package enum PictureSource: Hashable, Sendable {
    /// A path of the file system, bytes without a NUL.
    case file([UInt8])
    /// An open descriptor of a file in memory, which the receiver closes.
    case descriptor(Int32)
}
