package import Geometry
package import ImageTypes

/// The rows of a picture as stored, from the top down, as pixels of `format` in sRGB.
///
/// The rows are not converted to the colours of the screen: a thumbnail file has to be in sRGB, and
/// the pixels of a thumbnail are converted later.
package final class RowStream {
    /// Size in pixels as stored, possibly reduced.
    package var size: PixelSize { source.size }
    /// The format of the pixels.
    package var format: PixelFormat { converter.format }
    /// Whether no data has been missing so far.
    package var isComplete: Bool { source.isComplete }
    private let source: any RowSource
    private let converter: RowConverter
    private let samples: UnsafeMutableRawPointer
    /// Where the source writes its next row; callers often read each row to the same place.
    private var place: [UnsafeMutableRawPointer] = []
    private var y = 0

    /// Starts `source`; throws if nothing can be decoded.
    package init(_ source: any RowSource) throws(DecodeFailure) {
        try source.prepare(nil)
        self.source = source
        converter = RowConverter(source, screen: [])
        samples = .allocate(
            byteCount: max(source.size.width * source.layout.bytesPerPixel, 1), alignment: 16)
    }

    deinit { samples.deallocate() }

    /// Decodes the next row to `size.width` pixels at `row`; false if the file ends early.
    package func read(_ row: UnsafeMutablePointer<UInt32>) -> Bool {
        defer { y += 1 }
        let target = converter.isIdentity ? UnsafeMutableRawPointer(row) : samples
        if place.first != target { place = [target] }
        guard source.read(place) == 1 else { return false }
        guard !converter.isIdentity else { return true }
        converter.convert(samples, to: row, width: size.width, y: y)
        return true
    }
}
