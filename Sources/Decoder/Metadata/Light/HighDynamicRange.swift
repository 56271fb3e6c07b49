import Containers

/// How a file stores light that is brighter than white.
enum HighDynamicRange: Hashable {
    /// A map of gains; `headroom` is how many times as bright as white the picture becomes, nil where the file does not
    /// say.
    case gainMap(headroom: Double?)
    /// The transfer functions of ITU-R BT.2100.
    case perceptualQuantizer, hybridLogGamma

    /// A transfer function by its number in ITU-T H.273; nil for those that end at white.
    init?(transfer: Int) {
        switch transfer {
        case 16: self = .perceptualQuantizer
        case 18: self = .hybridLogGamma
        default: return nil
        }
    }

    /// The gain map of a JPEG: one of the further pictures, or the mark of Apple's maps in them.
    init?(jpeg bytes: UnsafeRawBufferPointer) {
        for picture in (MultiPictureEntries(bytes)?.others ?? []).prefix(Self.mostPictures) {
            if let found = Self(map: JPEGSegments(picture)) {
                self = found
                return
            }
        }
        return nil
    }

    /// More pictures than these are not searched for the map.
    private static let mostPictures = 8

    /// The segments of a gain map; nil for those of another picture.
    private init?(map: JPEGSegments) {
        let application = JPEGSegments.application
        if let bytes = map.first(application + 2, named: "urn:iso:std:iso:ts:21496:-1\0") {
            guard let map = GainMap(iso: bytes) else { return nil }
            self = .gainMap(headroom: map.headroom)
            return
        }
        guard let packet = map.first(application + 1, named: MetadataBlocks.xmpName) else {
            return nil
        }
        let xmp = XMPReader(packet)
        if let map = GainMap(xmp) {
            self = .gainMap(headroom: map.headroom)
        } else if xmp.values[.appleGainMapVersion] != nil {
            let headroom = xmp.values[.appleGainMapHeadroom]?.first.flatMap { Double($0) }
            self = .gainMap(headroom: headroom.flatMap { (1...256).contains($0) ? $0 : nil })
        } else {
            return nil
        }
    }

    /// The content of a tmap item, or of the metadata of a jhgm box: a version, then the binary form.
    init?(versioned bytes: UnsafeRawBufferPointer) {
        guard bytes.first == 0, let map = GainMap(iso: bytes.dropping(1)) else { return nil }
        self = .gainMap(headroom: map.headroom)
    }
}
