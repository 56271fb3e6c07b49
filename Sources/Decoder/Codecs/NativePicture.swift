package import Geometry
package import ImageTypes
import Localization
package import RasterPipeline

/// A picture as its file stores it: neither turned nor converted to the screen's colours.
package struct NativePicture {
    package let format: PictureFormat
    /// Size in pixels as stored.
    package let size: PixelSize
    /// The orientation that has to be applied to the rows.
    package let orientation: Orientation
    /// Whether the picture has more than one frame.
    package let isAnimated: Bool
    private let codec: any StillCodec

    /// Reads the header of a file, which has to outlive this value.
    ///
    /// Throws `.notAPicture` for formats that are not decoded to rows, such as drawings.
    package init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let type = try PictureDecoders.codec(for: bytes) as? any StillCodec.Type else {
            throw .notAPicture(kind: localized("a drawing"))
        }
        let codec = try type.init(bytes)
        self.codec = codec
        format = type.format
        size = codec.size
        orientation = codec.storedOrientation
        isAnimated = (codec as? any AnimatedCodec)?.isAnimated ?? false
        guard size.width > 0, size.height > 0 else {
            throw .damaged(reason: localized("it has no pixels"))
        }
    }

    /// Whether the rows have less than the file: its samples are converted to 8 bits of red, green and
    /// blue.
    package var convertsSamples: Bool {
        (codec as? any ConvertingCodec)?.convertsSamples ?? false
    }

    /// Starts decoding the rows, whose colours are not premultiplied if the file's are not.
    package func rows() throws(DecodeFailure) -> any RowSource {
        let rows = try codec.checkedStraightRows()
        try rows.prepare(nil)
        return rows
    }
}
