package import FileAccess
package import ImageTypes

/// Where the image service finds the files of pictures, by the ids of their entries.
package protocol PictureFiles: AnyObject {
    /// Where a picture is read from.
    func source(_ id: Int) throws(DecodeFailure) -> PictureSource
    /// A number that changes with the content of the file; nil for a picture that is gone, or that
    /// is no file.
    func fileRevision(_ id: Int) -> Int?
    /// The path of the picture for messages; nil for a picture that is gone.
    func displayPath(_ id: Int) -> String?
}
