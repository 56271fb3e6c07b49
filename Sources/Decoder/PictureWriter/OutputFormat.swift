import CCodecs
import Codecs
import Containers
import Geometry
import ImageTypes
import ImageWire
import Localization

/// The format of a picture that is encoded anew.
enum OutputFormat {
    case jpeg
    case png
    case webP(isLossless: Bool)

    /// The least quality of a lossy encoding that follows from the source.
    private static let leastQuality = 90
    /// The quality of a lossy encoding whose source has none.
    private static let usualQuality = 95

    /// That of the picture if it can be written, else PNG; refuses pictures that no format can hold.
    init(for picture: NativePicture, _ bytes: UnsafeRawBufferPointer) throws(EditFailure) {
        switch picture.format {
        case .openEXR, .radiance, .pfm:
            throw .refused(localized("pictures with high dynamic range cannot be encoded anew"))
        case .jpeg: self = .jpeg
        case .webP where WebPEncoder.isAvailable:
            self = .webP(isLossless: RIFFChunks(bytes).contains { $0.name == "VP8L" })
        default: self = .png
        }
    }

    var pictureFormat: PictureFormat {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webP: .webP
        }
    }

    /// The quality of the new encoding; nil for one without loss.
    func quality(_ bytes: UnsafeRawBufferPointer) -> Int? {
        switch self {
        case .png, .webP(isLossless: true): nil
        case .webP(isLossless: false): Self.usualQuality
        case .jpeg:
            JPEGEncoder.format(bytes).map { max(Int($0.quality), Self.leastQuality) }
                ?? Self.usualQuality
        }
    }

    /// What is lost, besides pixels.
    func losses(_ bytes: UnsafeRawBufferPointer, _ picture: NativePicture) -> [String] {
        (picture.convertsSamples
            ? [localized("the colours are converted to 8 bits of red, green and blue")] : [])
            + PictureMetadataCopy(bytes, picture.format).losses(for: self)
    }

    /// Whether the file has other pictures than the one that is encoded.
    static func omitsPictures(_ bytes: UnsafeRawBufferPointer, _ picture: NativePicture) -> Bool {
        PictureMetadataCopy(bytes, picture.format).hasFurtherPictures
    }

    /// Encodes the pixels in sealed memory, with the metadata of the source.
    ///
    /// `quality` is that of `quality(_:)`.
    func write(
        _ pixels: EditedPixels, from source: UnsafeRawBufferPointer, _ picture: NativePicture,
        quality: Int?, _ progress: @escaping () -> Void
    ) throws(EditFailure) -> Int32 {
        let metadata = PictureMetadataCopy(source, picture.format)
        let size = pixels.geometry.size
        switch self {
        case .jpeg:
            let file = try JPEGEncoder.encode(
                pixels, like: JPEGEncoder.format(source), quality: quality ?? Self.usualQuality,
                progress)
            return try JPEGMetadata.changes(of: file.bytes, from: source, .upright, size)
                .sealed(file.bytes)
        case .png:
            let file = try PNGEncoder.encode(pixels, progress)
            return try metadata.changes(ofPNG: file.bytes, size, pixels.color)
                .sealed(file.bytes)
        case .webP:
            let file = try WebPEncoder.encode(pixels, quality: quality, progress)
            return try metadata.changes(ofWebP: file.bytes, size, pixels).sealed(file.bytes)
        }
    }
}
