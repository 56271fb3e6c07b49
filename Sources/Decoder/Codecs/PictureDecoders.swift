package import ImageTypes
package import ImageWire
import Localization
package import RasterPipeline

/// The decoders of all formats.
package enum PictureDecoders {
    /// The codecs of all formats.
    static var codecs: [any Codec.Type] {
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
        try codec(for: bytes).decoder(bytes)
    }

    /// The decoder for a file, which has to outlive the decoder; throws as for its bytes.
    package static func open(_ file: ReceivedFile) throws(DecodeFailure) -> any PictureDecoder {
        if let format = PictureFormat.recognize(file.start),
            let codec = codec(of: format) as? any FileCodec.Type
        {
            return try codec.decoder(file)
        }
        return try open(try file.whole())
    }

    /// The codec for a file.
    static func codec(
        for bytes: UnsafeRawBufferPointer
    ) throws(DecodeFailure) -> any Codec.Type {
        guard let format = recognize(bytes) ?? expected(bytes) else {
            throw .notAPicture(kind: FileKind.guess(bytes.prefix(PictureFormat.signatureLength)))
        }
        guard let codec = codec(of: format) else { throw .noLibrary(format: format.name) }
        return codec
    }

    private static func recognize(_ bytes: UnsafeRawBufferPointer) -> PictureFormat? {
        let format = PictureFormat.recognize(bytes)
        if format == .tiff, RAWCodec.isAvailable, TIFFKind.isRaw(bytes) { return .raw }
        return format ?? (GzipText.isSVG(bytes) ? .svg : nil)
    }

    /// The format of the file's extension, if its codec can read the header.
    ///
    /// A format with signatures would have been recognised by them.
    private static func expected(_ bytes: UnsafeRawBufferPointer) -> PictureFormat? {
        guard let format = DecodeSettings.expected, format.signatures.isEmpty,
            format == .svg || !FileKind.isText(bytes.prefix(PictureFormat.signatureLength)),
            let codec = codec(of: format), (try? codec.decoder(bytes)) != nil
        else { return nil }
        return format
    }

    private static func codec(of format: PictureFormat) -> (any Codec.Type)? {
        codecs.first { $0.format == format && isAvailable($0) }
    }

    /// What can be decoded with the installed libraries.
    package static var abilities: DecoderAbilities {
        DecoderAbilities(
            formats: codecs.filter { isAvailable($0) }.map { $0.format.name },
            readsCoefficients: JPEGCodec.readsCoefficients)
    }

    private static func isAvailable(_ codec: any Codec.Type) -> Bool {
        (codec as? any LibraryCodec.Type)?.isAvailable ?? true
    }
}

/// Guesses the type of a file that is not a picture, for the error message.
enum FileKind {
    private static let signatures: [([UInt8], String)] = [
        (Array("RIFF".utf8), localized("a RIFF file")),
        (Array("%PDF".utf8), localized("a PDF document")),
        ([0x50, 0x4B, 3, 4], localized("a ZIP archive")),
        ([0x1F, 0x8B], localized("a gzip archive")),
        ([0x7F, 0x45, 0x4C, 0x46], localized("a program")),
    ]

    static func guess(_ bytes: some RandomAccessCollection<UInt8>) -> String {
        if let known = signatures.first(where: { bytes.starts(with: $0.0) }) { return known.1 }
        return isText(bytes) ? localized("a text file") : localized("a file of an unknown kind")
    }

    static func isText(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 32 || [9, 10, 12, 13].contains($0) }
    }
}
