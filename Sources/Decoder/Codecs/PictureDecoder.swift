package import Geometry
package import ImageTypes
import Synchronization

/// Receives the pixels of a picture while the picture is decoded.
package protocol DecodeSink: SendableMetatype {
    /// Called often during decoding; returns false to stop the decoding.
    func shouldContinue() -> Bool
    /// Receives the descriptor of sealed memory, which the sink then owns.
    ///
    /// `isFinal` is false for previews.
    func deliver(_ memory: Int32, isFinal: Bool)
}

/// Decodes one picture file.
package protocol PictureDecoder {
    var info: PictureInfo { get }
    /// Decodes the picture, after previews for a display of `target` pixels if these are quick.
    ///
    /// Returns a message for the user if data is missing. Returns nil if the picture is complete,
    /// or if `sink` stopped the decoding.
    mutating func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure)
        -> String?
    /// The rows of a reduction that is at least `size`, which is an upright size in pixels.
    ///
    /// The rows are decoded one by one, so that a thumbnail can be made without holding the
    /// picture.
    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream
    /// The frames; nil if the picture is not animated.
    func animation() throws(DecodeFailure) -> AnimationStream?
}

/// Decodes a picture to an overview, and then to tiles on demand.
package protocol TiledDecoder: PictureDecoder {
    /// Decodes a tile into sealed memory, whose descriptor the caller owns.
    ///
    /// `decode` must have finished before. Throws `.damaged` if the tile does not exist.
    func part(_ tile: PictureTile, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32
}

/// A tiled decoder that keeps its pixels in a file on the disk.
package protocol DiskBackedDecoder: TiledDecoder {
    /// Takes ownership of the descriptor of a file of `info.room` bytes.
    ///
    /// Call this before `decode`.
    func take(room: Int32)
}

/// The rows of a picture as stored, from the top down, as pixels of `format` in sRGB.
///
/// The rows are not converted to the colours of the screen: a thumbnail file has to be in sRGB, and
/// the pixels of a thumbnail are converted later.
package final class RowStream {
    /// Size in pixels as stored, possibly reduced.
    package var size: PixelSize { source.size }
    package var format: PixelFormat { converter.format }
    /// Whether no data has been missing so far.
    package var isComplete: Bool { source.isComplete }
    private let source: any RowSource
    private let converter: RowConverter
    private let samples: UnsafeMutableRawPointer
    private var y = 0

    init(_ source: any RowSource) throws(DecodeFailure) {
        try source.begin(nil)
        self.source = source
        converter = RowConverter(source.layout, source.color, peak: source.peak, screen: [])
        samples = .allocate(
            byteCount: max(source.size.width * source.layout.bytesPerPixel, 1), alignment: 16)
    }

    deinit { samples.deallocate() }

    /// Decodes the next row to `size.width` pixels at `row`; false if the file ends early.
    package func read(_ row: UnsafeMutablePointer<UInt32>) -> Bool {
        defer { y += 1 }
        guard !converter.isIdentity else { return source.read([UnsafeMutableRawPointer(row)]) == 1 }
        guard source.read([samples]) == 1 else { return false }
        converter.convert(samples, to: row, width: size.width, y: y)
        return true
    }
}

/// The sink has stopped the decoding.
struct Stopped: Error {}

package enum PictureDecoders {
    /// The codecs of all formats.
    static var codecs: [any StillCodec.Type] {
        [
            JPEGCodec.self,
            PNGCodec.self,
            GIFCodec.self,
            RAWCodec.self,
            TIFFCodec.self,
            BMPCodec.self,
            ICOCodec.self,
            PNMCodec.self,
            PFMCodec.self,
            QOICodec.self,
            TGACodec.self,
            SVGCodec.self,
            WebPCodec.self,
            AVIFCodec.self,
            HEIFCodec<HEVCStills>.self,
            JXLCodec.self,
            JP2Codec.self,
            RadianceCodec.self,
            EXRCodec.self,
        ]
    }

    /// The decoder for a file; `bytes` has to outlive the decoder.
    ///
    /// Throws `.notAPicture` for an unknown format, `.noLibrary` if the format's library is
    /// missing, and the errors of the format's decoder.
    package static func open(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
        -> any PictureDecoder
    {
        let start = bytes.prefix(PictureFormat.signatureLength)
        var format = PictureFormat.recognize(start)
        if format == nil, let text = GzipText.start(bytes), PictureFormat.recognize(text) == .svg {
            format = .svg
        }
        if format == .tiff, RAWCodec.isAvailable, TIFFKind.isRaw(bytes) { format = .raw }
        guard let codec = codecs.first(where: { $0.format == format && $0.isAvailable }) else {
            if let format { throw .noLibrary(format: format.name) }
            throw .notAPicture(kind: FileKind.guess(start))
        }
        return try codec.decoder(bytes)
    }

    private static let currentLimits = Mutex(DecodeLimits.standard)

    /// The size limits of pictures that are opened from now on.
    package static var limits: DecodeLimits {
        get { currentLimits.withLock { $0 } }
        set { currentLimits.withLock { $0 = newValue } }
    }

    private static let currentScreen = Mutex([UInt8]())

    /// The ICC profile of the screen, which colours are converted to from now on; empty for sRGB.
    package static var screen: [UInt8] {
        get { currentScreen.withLock { $0 } }
        set { currentScreen.withLock { $0 = newValue } }
    }

    /// The formats whose libraries are installed.
    package static var available: [PictureFormat] {
        codecs.filter { $0.isAvailable }.map { $0.format }
    }

    /// The finest mip level that cairo can address.
    ///
    /// Throws `.tooLarge` above `most` pixels, and `.damaged` for a picture without pixels.
    static func finestMipLevel(
        for size: PixelSize, most: Int = limits.pixels
    ) throws(DecodeFailure) -> Int {
        guard size.width > 0, size.height > 0 else { throw .damaged(reason: "it has no pixels") }
        guard !size.isLarger(than: most) else {
            throw .tooLarge(width: size.width, height: size.height, most: most)
        }
        var mipLevel = 0
        while max(size.reduced(by: mipLevel).width, size.reduced(by: mipLevel).height)
            > PictureLimits.side
        {
            mipLevel += 1
        }
        return mipLevel
    }
}

/// Guesses the type of a file that is not a picture, for the error message.
enum FileKind {
    private static let signatures: [([UInt8], String)] = [
        (Array("RIFF".utf8), "a RIFF file"), (Array("%PDF".utf8), "a PDF document"),
        ([0x50, 0x4B, 3, 4], "a ZIP archive"), ([0x1F, 0x8B], "a gzip archive"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]

    static func guess(_ bytes: some RandomAccessCollection<UInt8>) -> String {
        if let known = signatures.first(where: { bytes.starts(with: $0.0) }) { return known.1 }
        let isText = bytes.allSatisfy { $0 >= 32 || [9, 10, 12, 13].contains($0) }
        return isText ? "a text file" : "a file of an unknown kind"
    }
}
