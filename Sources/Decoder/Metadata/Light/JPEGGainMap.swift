import Containers

/// The gain map of a JPEG file: one of the further pictures in the file.
package struct JPEGGainMap {
    /// What the map means; nil for a map of Apple's in a file that does not tell the headroom.
    package let map: GainMap?
    /// The file of the map, a JPEG.
    package let picture: UnsafeRawBufferPointer

    /// More pictures than these are not searched for the map.
    private static let mostPictures = 8

    /// Nil for a file without a map; the file has to outlive this value.
    package init?(_ file: UnsafeRawBufferPointer) {
        for picture in (MultiPictureEntries(file)?.others ?? []).prefix(Self.mostPictures) {
            guard let found = Self.map(JPEGSegments(picture), in: file) else { continue }
            (map, self.picture) = (found, picture)
            return
        }
        return nil
    }

    /// What the segments of a picture say about a map; nil for a picture that is none, and a map of nil for one of
    /// unknown headroom.
    private static func map(
        _ segments: JPEGSegments, in file: UnsafeRawBufferPointer
    ) -> GainMap?? {
        let application = JPEGSegments.application
        if let bytes = segments.first(application + 2, named: "urn:iso:std:iso:ts:21496:-1\0") {
            return GainMap(iso: bytes).map { .some($0) } ?? .none
        }
        guard let packet = segments.first(application + 1, named: MetadataBlocks.xmpName) else {
            return .none
        }
        let xmp = XMPReader(packet)
        if let map = GainMap(xmp) { return .some(map) }
        guard xmp.values[.appleGainMapVersion] != nil else { return .none }
        let headroom =
            xmp.values[.appleGainMapHeadroom]?.first.flatMap { Double($0) }
            ?? JPEGSegments(file).first(application + 1, named: "Exif\0\0")
            .flatMap { AppleHeadroom(exif: $0)?.value }
        return .some(headroom.flatMap { GainMap(apple: $0) })
    }
}
