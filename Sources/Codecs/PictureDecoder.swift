package import Geometry
package import Pictures

/// Who is told what while a picture is decoded.
package protocol DecodeSink {
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
    /// reduction that is at least `size`, upright; nil where `decode` is the way.
    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream?
}

extension PictureDecoder {
    package func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream? { nil }
}

/// A picture's rows as they are stored, from the top down.
package struct RowStream {
    /// As stored, perhaps reduced.
    package let size: PixelSize
    package let format: PixelFormat
    /// The ICC profile; empty where there is none.
    package let profile: [UInt8]
    /// Decodes the next row to where there is room for it; false when the file ends before.
    package let read: (UnsafeMutablePointer<UInt32>) -> Bool
}

/// Was told to stop.
struct Stopped: Error {}

package enum PictureDecoders {
    /// The decoder for a file of these bytes, which have to outlive it.
    package static func open(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
        -> any PictureDecoder
    {
        switch PictureFormat.recognize(bytes.prefix(16)) {
        case PictureFormat.jpeg: return try JPEGDecoder(bytes)
        case PictureFormat.png: return try PNGDecoder(bytes)
        default: throw .notAPicture(kind: FileKind.guess(bytes.prefix(1024)))
        }
    }

    /// Refuses what is too large; otherwise the reduction from which on cairo can address it.
    static func firstExponent(for size: PixelSize) throws(DecodeFailure) -> Int {
        guard size.width > 0, size.height > 0 else { throw .damaged(reason: "it has no pixels") }
        guard size.width <= PictureLimits.pixels / size.height else {
            throw .tooLarge(width: size.width, height: size.height)
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
        (Array("GIF8".utf8), "a GIF, which this version does not decode"),
        (Array("RIFF".utf8), "a RIFF file"), (Array("%PDF".utf8), "a PDF document"),
        ([0x50, 0x4B, 3, 4], "a ZIP archive"), ([0x1F, 0x8B], "a gzip archive"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"), (Array("BM".utf8), "a BMP"),
        ([0x49, 0x49, 42, 0], "a TIFF"), ([0x4D, 0x4D, 0, 42], "a TIFF"),
        ([0xFF, 0x0A], "a JPEG XL"),
    ]

    static func guess(_ bytes: some RandomAccessCollection<UInt8>) -> String {
        if let known = signatures.first(where: { bytes.starts(with: $0.0) }) { return known.1 }
        let isText = bytes.allSatisfy { $0 >= 32 || [9, 10, 12, 13].contains($0) }
        return isText ? "a text file" : "a file of an unknown kind"
    }
}
