import Geometry
import ImageTypes
import RasterPipeline

/// Planes of a decoded picture, sampled as the file has them, in 8 bits.
///
/// libheif (up to version 1.18) gives red, green and blue only, with chroma samples repeated: their means
/// are the samples of the file.
///
/// `@unchecked Sendable`: `picture` is decoded, and only read from then on; `size`, `format` and `picture` never
/// change, and `planes(from:)`, which other threads call, uses nothing else; `deep` and `y` are used by `read`
/// alone, which one thread calls.
final class HEIFPlanes: RandomPlaneSource, @unchecked Sendable {
    let size: PixelSize
    let format: ChromaFormat
    private let picture: HEIFPicture
    /// A row of samples of 16 bits; empty for 8 bits.
    private var deep: [UInt16]
    private var y: Int

    /// Nil if the colours of the decoded picture have to be converted.
    convenience init?(_ picture: HEIFPicture, _ sampling: HEIFSampling) {
        guard !picture.hasAlpha, RowConverter.showsUnchanged(picture.color) else { return nil }
        self.init(
            picture,
            ChromaFormat(
                columnShift: sampling.columnShift, rowShift: sampling.rowShift,
                left: sampling.siting == .centered ? 0 : -1,
                top: sampling.siting == .upperLeft ? -1 : 0), from: 0)
    }

    private init(_ picture: HEIFPicture, _ format: ChromaFormat, from y: Int) {
        (self.picture, self.format, self.y, size) = (picture, format, y, picture.size)
        deep = Array(repeating: 0, count: picture.hasBytes ? 0 : picture.size.width * 2)
    }

    func planes(from first: Int) -> any PlaneSource { HEIFPlanes(picture, format, from: first) }

    var isComplete: Bool { picture.isComplete }

    func read(luma: [UnsafeMutablePointer<UInt8>], chroma: [UnsafeMutablePointer<UInt8>]) -> Int {
        for (index, row) in luma.enumerated() {
            write(to: row, size.width, y + index) { picture.readLuma(y + index, to: $0) }
        }
        let count = format.samples(of: size, at: 0).width * 2
        for (index, row) in chroma.enumerated() {
            let y = y >> format.rowShift + index
            write(to: row, count, y) { picture.readChroma(y, format, to: $0) }
        }
        y += luma.count
        return luma.count
    }

    /// Writes `count` bytes of row `y`, which `read` computes, to `target`.
    private func write(
        to target: UnsafeMutablePointer<UInt8>, _ count: Int, _ y: Int,
        _ read: (UnsafeMutableRawPointer) -> Void
    ) {
        guard !deep.isEmpty else { return read(target) }
        deep.withUnsafeMutableBytes { if let base = $0.baseAddress { read(base) } }
        Dithering.reduce(deep, to: target, count: count, y: y)
    }
}
