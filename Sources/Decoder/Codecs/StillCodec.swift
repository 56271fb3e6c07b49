import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// Describes a file of one format and decodes its rows.
///
/// The bytes of the file have to outlive the codec. The protocols below declare what only some
/// formats can do; `StillDecoder` uses what a codec conforms to.
protocol StillCodec: Codec {
    /// Reads the header; throws if the header is damaged or cut short.
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
    /// Size in pixels as stored (before orientation).
    var size: PixelSize { get }
    /// Starts decoding the full picture.
    func rows() throws(DecodeFailure) -> any RowSource
}

extension StillCodec {
    static func decoder(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
        -> any PictureDecoder
    {
        try Self(bytes).decoder(fileLength: bytes.count)
    }

    /// The decoder for this file, which has `fileLength` bytes.
    func decoder(fileLength: Int) throws(DecodeFailure) -> any PictureDecoder {
        let still = try StillDecoder(self, fileLength: fileLength)
        guard let streaming = still.streaming else { return still }
        return DiskBackedPicture(still, scratch: streaming.scratchBesidePlace)
    }
}

/// A format whose files may be stored rotated or mirrored.
protocol OrientedCodec: StillCodec {
    /// The orientation that has to be applied to the rows; `.upright` if the library applies it.
    var orientation: Orientation { get }
}

/// A format whose files may tell when and with what the picture was taken.
protocol CapturedCodec: StillCodec {
    var capture: Capture { get }
}

/// A format that decodes mip levels in less time than the full picture.
protocol ReducibleCodec: StillCodec {
    /// The coarsest mip level that can be decoded faster than the full picture; 0 if there is none.
    var coarsestMipLevel: Int { get }
    /// Starts decoding to the size `size.reduced(by: mipLevel)`.
    func rows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource
}

extension ReducibleCodec {
    func rows() throws(DecodeFailure) -> any RowSource { try rows(reducedBy: 0) }
}

/// A reducible format whose files may be progressive: their reductions take long.
protocol ProgressiveCodec: ReducibleCodec {
    /// Whether a reduction decodes so much faster than the full picture that it suits as a preview.
    var isReductionQuick: Bool { get }
}

/// A format with previews that are available quickly when no reduction is.
protocol PreviewCodec: StillCodec {
    /// Starts decoding a preview, which is used if no reduction suits the target.
    ///
    /// Nil if there is none.
    func preview() throws(DecodeFailure) -> StillPreview?
}

/// A format whose files may contain small copies of the picture.
protocol EmbeddedPreviewCodec: StillCodec {
    /// Functions that start decoding the embedded previews, the smaller one first; nil if the data is incomplete or
    /// damaged.
    ///
    /// Embedded previews are shown before all others. Call each function once.
    func embedded() -> [() -> StillPreview?]
}

/// A preview, which is shown until something better is decoded.
struct StillPreview {
    /// The mip level of the rows.
    var mipLevel: Int
    var rows: any RowSource
}

/// A format that can decode row by row, so that a picture too large for memory is disk-backed.
protocol StreamingCodec: StillCodec {
    /// The memory needed to decode row by row; nil if the library has to hold all pixels.
    var streaming: RowStreaming? { get }
    /// Starts decoding the full picture without holding all pixels, while `isWanted` returns true.
    ///
    /// `scratch` is the memory that `streaming` asks for; nil if it asks for none.
    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource
}

/// A streaming format whose ordinary `rows` are decoded one by one.
protocol RowByRowCodec: StreamingCodec {}

extension RowByRowCodec {
    var streaming: RowStreaming? { .rowByRow }

    func streamedRows(
        _ scratch: ScratchMemory?, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> any RowSource {
        try rows()
    }
}

/// A format whose library decodes on one processor, so that others can do more than wait.
protocol ParallelCodec: StillCodec {
    /// Whether this picture takes so long that its previews are decoded on another processor.
    var previewsConcurrently: Bool { get }
    /// Whether `indexed` may succeed.
    var mayBeIndexed: Bool { get }
    /// Makes an index of the file's rows, so that they can be decoded in any order.
    ///
    /// The pass over the whole file may also yield a preview. Once `isEnough` returns true for the share of
    /// the rows in the index, the pass may end, without a preview. Nil if the file has any irregularity up to
    /// there, or once `isWanted` returns false.
    func indexed(
        while isWanted: () -> Bool, until isEnough: (Double) -> Bool
    ) -> (index: any RowIndex, preview: StillPreview?)?
}

/// A format whose files have planes of luma and chroma, of which fewer bytes are held and painted.
protocol PlanarCodec: StillCodec {
    /// Whether the header excludes neither planes nor that these are shown in the colours of the file.
    var mayHavePlanes: Bool { get }
    /// Starts decoding the planes of the full picture; nil if they turn out to be missing, or to need other
    /// colours.
    func planeSource() throws(DecodeFailure) -> (any PlaneSource)?
}

/// A format whose ordinary rows have premultiplied colours, which lose those of transparent pixels.
protocol StraightAlphaCodec: StillCodec {
    /// Starts decoding the full picture with the colours that the file stores.
    func straightRows() throws(DecodeFailure) -> any RowSource
}

/// A format of which some pictures are decoded to other samples than the file stores.
protocol ConvertingCodec: StillCodec {
    /// Whether the samples of this picture are converted to 8 bits of red, green and blue.
    var convertsSamples: Bool { get }
}

/// A format whose pictures may be animated.
protocol AnimatedCodec: StillCodec {
    /// Whether the picture has more than one frame.
    var isAnimated: Bool { get }
    /// The orientation that turns the frames upright.
    var framesOrientation: Orientation { get }
    /// Starts decoding the frames.
    func frames() throws(DecodeFailure) -> any FrameSource
}

extension AnimatedCodec where Self: OrientedCodec {
    var framesOrientation: Orientation { orientation }
}

/// Messages for the user about a picture that is shown.
enum StillMessage {
    static let incomplete = localized(
        "The file is damaged or cut short; only the readable data is shown.")
}
