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

    /// The gain map of a JPEG; nil without one.
    init?(jpeg bytes: UnsafeRawBufferPointer) {
        guard let found = JPEGGainMap(bytes) else { return nil }
        self = .gainMap(headroom: found.map?.headroom)
    }

    /// The content of a tmap item, or of the metadata of a jhgm box: a version, then the binary form.
    init?(versioned bytes: UnsafeRawBufferPointer) {
        guard bytes.first == 0, let map = GainMap(iso: bytes.dropping(1)) else { return nil }
        self = .gainMap(headroom: map.headroom)
    }
}
