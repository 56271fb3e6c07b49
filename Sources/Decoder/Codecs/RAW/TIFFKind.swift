import Containers

/// Distinguishes camera RAW files from other TIFF files by their directories.
///
/// Source: TIFF/EP (ISO 12234-2) and the DNG specification 1.6 for the tags.
enum TIFFKind {
    private static let (photometric, subIFDs, dngVersion) = (262, 330, 50706)
    /// The photometric interpretations CFA and LinearRaw.
    private static let sensorSamples: Set<Int> = [32803, 34892]
    /// Maximum number of sub-directories that are examined; no camera writes more.
    private static let maxSubIFDs = 8

    static func isRaw(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let file = TIFFReader(bytes) else { return false }
        let first = file.directory(at: file.start)
        if first[dngVersion] != nil || hasSensorData(first, file) { return true }
        guard let entry = first[subIFDs] else { return false }
        return file.numbers(entry, limit: maxSubIFDs).contains {
            hasSensorData(file.directory(at: $0), file)
        }
    }

    private static func hasSensorData(
        _ directory: [Int: TIFFReader.Entry], _ file: TIFFReader
    ) -> Bool {
        directory[photometric].flatMap { file.numbers($0, limit: 1).first }
            .map(sensorSamples.contains) ?? false
    }
}
