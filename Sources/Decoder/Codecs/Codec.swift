import ImageTypes
import RasterPipeline

/// Makes the decoder for files of one format.
protocol Codec {
    static var format: PictureFormat { get }
    /// The decoder for a file of this format; `bytes` has to outlive the decoder.
    ///
    /// Throws if the header cannot be read, or if the picture is beyond the limits.
    static func decoder(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> any PictureDecoder
}

/// A codec that reads the header of a file before it reads the rest, or decodes from the file.
protocol FileCodec: Codec {
    /// The decoder for a file of this format; `file` has to outlive the decoder.
    static func decoder(_ file: ReceivedFile) throws(DecodeFailure) -> any PictureDecoder
}

/// A codec whose library is opened at run time, and may be missing.
protocol LibraryCodec: Codec {
    /// Whether the library was present at build time and is installed.
    static var isAvailable: Bool { get }
}
