package import Geometry
package import ImageTypes
import Synchronization

/// Who is told what while a picture is decoded.
package protocol DecodeSink: SendableMetatype {
    /// Called often; false stops the decoding.
    func shouldContinue() -> Bool
    /// Hands over sealed memory, which is the sink's from here on.
    func deliver(_ memory: Int32, isFinal: Bool)
}

/// One format's way from bytes to pixels.
package protocol PictureDecoder {
    var info: PictureInfo { get }
    /// Decodes, first to a size that does for `target`, then in full; a notice where something
    /// is missing.
    mutating func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure)
        -> String?
    /// The rows one by one, so that nobody has to hold the picture to make a small one of it: of any
    /// reduction that is at least `size`, upright.
    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream
    /// Its frames; nil where it does not move.
    func animation() throws(DecodeFailure) -> AnimationStream?
}

/// A picture of which only an overview is decoded, and then any part on demand.
package protocol TiledDecoder: PictureDecoder {
    /// Decodes a part into sealed memory, which is the caller's; `decode` has to be done.
    func part(_ part: PicturePart, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32
}

/// One that lays its pixels on the disk.
package protocol DiskBackedDecoder: TiledDecoder {
    /// Takes over a file of `info.room` bytes; to be called before `decode`.
    func take(room: Int32)
}

/// A picture's rows as they are stored, from the top down, in the words that are painted, but in sRGB
/// whatever the screen is: what is made of them is on its way to a file, or converted later.
package final class RowStream {
    /// As stored, perhaps reduced.
    package var size: PixelSize { source.size }
    package var format: PixelFormat { converter.format }
    /// Whether nothing has been missing so far.
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

    /// Decodes the next row to where there is room for it; false when the file ends before.
    package func read(_ row: UnsafeMutablePointer<UInt32>) -> Bool {
        defer { y += 1 }
        guard !converter.isNeedless else { return source.read([UnsafeMutableRawPointer(row)]) == 1 }
        guard source.read([samples]) == 1 else { return false }
        converter.convert(samples, to: row, width: size.width, y: y)
        return true
    }
}

/// Was told to stop.
struct Stopped: Error {}

package enum PictureDecoders {
    /// Every format's.
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

    /// The decoder for a file of these bytes, which have to outlive it.
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

    /// How large pictures may be from here on.
    package static var limits: DecodeLimits {
        get { currentLimits.withLock { $0 } }
        set { currentLimits.withLock { $0 = newValue } }
    }

    private static let currentScreen = Mutex([UInt8]())

    /// The ICC profile of the screen, to which colours are converted from here on; sRGB where it is
    /// empty.
    package static var screen: [UInt8] {
        get { currentScreen.withLock { $0 } }
        set { currentScreen.withLock { $0 = newValue } }
    }

    /// The formats whose libraries are here.
    package static var available: [PictureFormat] {
        codecs.filter { $0.isAvailable }.map { $0.format }
    }

    /// Refuses what is too large; otherwise the reduction from which on cairo can address it.
    static func firstExponent(
        for size: PixelSize, most: Int = limits.pixels
    ) throws(DecodeFailure) -> Int {
        guard size.width > 0, size.height > 0 else { throw .damaged(reason: "it has no pixels") }
        guard !size.isLarger(than: most) else {
            throw .tooLarge(width: size.width, height: size.height, most: most)
        }
        var exponent = 0
        while max(size.reduced(by: exponent).width, size.reduced(by: exponent).height)
            > PictureLimits.side
        {
            exponent += 1
        }
        return exponent
    }
}

/// Guesses what a file is that is no picture, for the message.
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
