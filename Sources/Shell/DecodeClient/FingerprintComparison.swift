import Geometry
import ImageTypes
import ImageWire

/// Compares what a new picture file shows with what was asked for.
enum FingerprintComparison {
    /// The largest difference of a mean colour after a lossy encoding, 0…255.
    private static let tolerance = 12

    /// What is wrong with the new file; nil if nothing is.
    ///
    /// `source` is the fingerprint of the source after the edit.
    static func failure(
        _ source: PictureFingerprint, _ result: PictureFingerprint, _ description: EditDescription
    ) -> WriteFailure? {
        guard source.size == result.size, result.size == description.size else {
            return .differentPixels
        }
        guard isSame(source, result, description.method) else { return .differentPixels }
        // Another format has other metadata, and the description says what is lost.
        guard source.format == result.format else { return nil }
        for (index, kind) in PictureFingerprint.metadataKinds.enumerated()
        where source.metadata[index] != result.metadata[index] {
            return .lostMetadata(kind: kind)
        }
        return nil
    }

    private static func isSame(
        _ source: PictureFingerprint, _ result: PictureFingerprint, _ method: EditMethod
    ) -> Bool {
        guard method.isLossless else { return source.isNear(result, within: tolerance) }
        if source.pixels == result.pixels { return true }
        // The coded pixels of these formats stay as they are, but newer versions of libheif interpolate
        // the chroma of odd sizes after the turn.
        let isOdd = result.size.width % 2 == 1 || result.size.height % 2 == 1
        return method == .orientationTag && isOdd && interpolated.contains(result.format)
            && source.isNear(result, within: PictureFingerprint.interpolation)
    }

    private static let interpolated: Set = [PictureFormat.heic.name, PictureFormat.avif.name]
}
