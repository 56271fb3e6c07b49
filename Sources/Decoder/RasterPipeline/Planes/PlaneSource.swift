package import Geometry
package import ImageTypes

/// The luma and chroma samples of a picture as its library decodes them, from the top down.
package protocol PlaneSource: AnyObject {
    /// Size in pixels as stored.
    var size: PixelSize { get }
    /// How the planes are sampled, as stored.
    var format: ChromaFormat { get }
    /// Whether no data of the picture has been missing so far.
    var isComplete: Bool { get }
    /// Decodes the next rows: a multiple of 16 luma rows, or all that are left, and the chroma rows that
    /// belong to them, with pairs of Cb and Cr.
    ///
    /// Rows of luma have room for a multiple of 8 samples. Returns the number of luma rows, which is smaller
    /// if the file ends early.
    func read(luma: [UnsafeMutablePointer<UInt8>], chroma: [UnsafeMutablePointer<UInt8>]) -> Int
}

/// An index whose rows are available as planes, too.
package protocol PlaneIndex: RowIndex {
    /// Starts decoding `rows` of the full picture, which begin at a multiple of `step(reducedBy: 0)`.
    func planes(_ rows: Range<Int>) throws(DecodeFailure) -> any PlaneSource
}

/// Planes that are decoded already, so that any thread may read any rows.
package protocol RandomPlaneSource: PlaneSource, Sendable {
    /// The rows from `first` on, which is a multiple of 16.
    func planes(from first: Int) -> any PlaneSource
}
