/// Tells cameras' files from other TIFFs, as far as their directories show.
///
/// Source: TIFF/EP (ISO 12234-2) and the DNG specification 1.6 for the tags.
enum TIFFKind {
    private static let (photometric, subs, version) = (262, 330, 50706)
    /// A filter array's samples, and a sensor's that were made colours.
    private static let sensorSamples: Set<Int> = [32803, 34892]
    /// More no camera has.
    private static let mostSubs = 8

    static func isRaw(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let file = TIFFReader(bytes) else { return false }
        let first = file.directory(at: file.start)
        if first[version] != nil || isSensors(first, file) { return true }
        guard let subs = first[subs] else { return false }
        return file.numbers(subs, limit: mostSubs).contains {
            isSensors(file.directory(at: $0), file)
        }
    }

    private static func isSensors(
        _ directory: [Int: TIFFReader.Entry], _ file: TIFFReader
    ) -> Bool {
        directory[photometric].flatMap { file.numbers($0, limit: 1).first }
            .map(sensorSamples.contains) ?? false
    }
}
