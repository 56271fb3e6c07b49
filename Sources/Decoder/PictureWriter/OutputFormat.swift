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

    /// The format for a picture; refuses pictures that no format can hold.
    init(
        for picture: NativePicture, _ bytes: UnsafeRawBufferPointer, _ output: EditRequest.Output
    ) throws(EditFailure) {
        switch picture.format {
        case .openEXR, .radiance, .pfm:
            throw .refused(localized("pictures with high dynamic range cannot be encoded anew"))
        default: break
        }
        switch (output, picture.format) {
        case (.jpeg, _), (.usual, .jpeg): self = .jpeg
        case (.usual, .webP) where WebPEncoder.isAvailable:
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
    func quality(
        _ bytes: UnsafeRawBufferPointer, _ picture: NativePicture, _ wanted: Int?
    ) -> Int? {
        switch self {
        case .png, .webP(isLossless: true): return nil
        case .webP(isLossless: false): return wanted ?? Self.usualQuality
        case .jpeg:
            if let wanted { return wanted }
            guard picture.format == .jpeg, let format = JPEGEncoder.format(bytes) else {
                return Self.usualQuality
            }
            return max(Int(format.quality), Self.leastQuality)
        }
    }

    /// What is lost, besides pixels.
    func losses(_ bytes: UnsafeRawBufferPointer, _ picture: NativePicture) -> [String] {
        (picture.convertsSamples
            ? ["the colours are converted to 8 bits of red, green and blue"] : [])
            + PictureMetadataCopy(bytes, picture.format).losses(for: self)
    }

    /// Encodes the pixels in sealed memory, with the metadata of the source.
    func write(
        _ pixels: EditedPixels, from source: UnsafeRawBufferPointer, _ picture: NativePicture,
        _ quality: Int?, _ progress: @escaping () -> Void
    ) throws(EditFailure) -> Int32 {
        let metadata = PictureMetadataCopy(source, picture.format)
        let size = pixels.geometry.size
        switch self {
        case .jpeg:
            let file = try JPEGEncoder.encode(
                pixels, like: picture.format == .jpeg ? JPEGEncoder.format(source) : nil,
                quality: quality ?? Self.usualQuality, progress)
            if picture.format == .jpeg {
                return try JPEGMetadata.changes(of: file.bytes, from: source, .upright, size)
                    .sealed(file.bytes)
            }
            return try metadata.changes(ofJPEG: file.bytes, size, pixels.color).sealed(file.bytes)
        case .png:
            let file = try PNGEncoder.encode(pixels, progress)
            return try metadata.changes(ofPNG: file.bytes, source, size, pixels.color)
                .sealed(file.bytes)
        case .webP(let isLossless):
            let file = try WebPEncoder.encode(
                pixels, quality: isLossless ? nil : quality ?? Self.usualQuality, progress)
            return try metadata.changes(ofWebP: file.bytes, size, pixels).sealed(file.bytes)
        }
    }
}
