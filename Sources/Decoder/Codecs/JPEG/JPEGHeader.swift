import CCodecs
import Geometry
import ImageTypes
import Metadata
import RasterPipeline

/// What the header of a JPEG says about the picture and the ways to decode it.
///
/// Each decoder of the library also reads the header, for its tables.
struct JPEGHeader {
    /// Size in pixels as stored.
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let exif: Exif
    /// How the planes are sampled; nil if there are none that can be read.
    let planes: ChromaFormat?
    let isProgressive: Bool
    /// Whether the file stores grey or YCbCr, the colour spaces with a DC preview.
    let isGrayOrYCC: Bool
    /// Whether decoding can start at any row of MCUs.
    let canBeIndexed: Bool
    /// Whether there may be restart markers before rows of MCUs.
    let hasRestarts: Bool
    /// Bytes of coefficients that the library holds until the last scan.
    let coefficientBytes: Int
    /// Whether the header is undamaged, and lies within the bytes that were read.
    let isSound: Bool

    /// Reads the header of a file, or of its start.
    ///
    /// `isLibraryAlone` tells that the library alone reads the data.
    init(
        _ bytes: UnsafeRawBufferPointer, isLibraryAlone: Bool = false
    ) throws(DecodeFailure) {
        let rows = try JPEGRows(header: bytes, isLibraryAlone: isLibraryAlone)
        (size, layout, color, planes) = (rows.size, rows.layout, rows.color, rows.planes)
        isProgressive = ccodecs_jpeg_is_progressive(rows.raw) != 0
        isGrayOrYCC = layout == .gray8 || ccodecs_jpeg_is_ycc(rows.raw) != 0
        canBeIndexed = ccodecs_jpeg_can_be_indexed(rows.raw) != 0
        hasRestarts = ccodecs_jpeg_has_restarts(rows.raw) != 0
        coefficientBytes = ccodecs_jpeg_coefficient_bytes(rows.raw)
        isSound = rows.isComplete
        exif = Exif(jpeg: bytes)
    }

    /// Reads the header from the start of a file, and from more of the file if the header is damaged or longer.
    ///
    /// Of a file that may be decoded in tiles, which is large, the whole is read only if nothing else helps.
    init(_ file: ReceivedFile) throws(DecodeFailure) {
        if let header = try? JPEGHeader(file.start), header.isSound {
            self = header
        } else if let header = try? JPEGHeader(try file.metadata()) {
            self = header
        } else {
            try self.init(try file.whole())
        }
    }
}
