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
        if description.method.isLossless {
            guard source.pixels == result.pixels else { return .differentPixels }
        } else {
            let isNear = zip(source.colors, result.colors).allSatisfy {
                abs(Int($0) - Int($1)) <= tolerance
            }
            guard isNear else { return .differentPixels }
        }
        // Another format has other metadata, and the description says what is lost.
        guard source.format == result.format else { return nil }
        for (index, kind) in PictureFingerprint.metadataKinds.enumerated()
        where source.metadata[index] != result.metadata[index] {
            return .lostMetadata(kind: kind)
        }
        return nil
    }
}
