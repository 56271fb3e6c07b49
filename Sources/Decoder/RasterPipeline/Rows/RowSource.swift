package import Geometry
package import ImageTypes

/// The rows of a picture as its library decodes them, from the top down.
///
/// The protocol hides the library: all further steps (colour, orientation, reduction, scaling) are
/// the same for every format.
package protocol RowSource: AnyObject {
    /// Size in pixels as stored, possibly reduced.
    var size: PixelSize { get }
    /// The type of the samples.
    var layout: SampleLayout { get }
    /// The colour space of the samples.
    var color: ColorSource { get }
    /// Whether all pixels are known to be grey.
    var isGray: Bool { get }
    /// The brightest linear value of a picture in floats, and 1 for all others; 1 is white.
    var peak: Float { get }
    /// Whether no data of the picture has been missing so far.
    var isComplete: Bool { get }
    /// Decodes the next rows, each `layout.bytesPerPixel * size.width` bytes long.
    ///
    /// Returns the number of decoded rows, which is smaller if the file ends early.
    func read(_ rows: [UnsafeMutableRawPointer]) -> Int
}

extension RowSource {
    package var isGray: Bool { layout.isGray }
    package var peak: Float { 1 }

    /// Has to be called once before the first `read`, with the place of rows without conversion.
    package func prepare(_ place: RowPlace?) throws(DecodeFailure) {
        try (self as? any PlacedRows)?.begin(place)
    }
}

/// The rows of a library that can decode a whole picture at once, directly to its destination.
package protocol PlacedRows: RowSource {
    /// Called once before the first `read`; throws if nothing can be decoded.
    ///
    /// `place` is the final destination of rows that need no conversion, nil if there is none.
    func begin(_ place: RowPlace?) throws(DecodeFailure)
}

/// The final destination of a picture's rows, which are also passed to `read`.
///
/// Row `y` is at `y * stride` bytes from `base`. A library that decodes a whole picture at once can
/// decode it directly to this memory.
package struct RowPlace {
    /// The first byte of row 0.
    package var base: UnsafeMutableRawPointer
    /// Bytes from a row to the next one.
    package var stride: Int

    package init(base: UnsafeMutableRawPointer, stride: Int) {
        (self.base, self.stride) = (base, stride)
    }
}
