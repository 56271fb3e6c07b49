import Containers

/// How the chroma of a HEIF file's pictures is sampled, as their decoder configurations say.
struct HEIFSampling: Hashable {
    /// Where chroma samples are, in relation to the pixels that they stand for.
    enum Siting: Hashable {
        /// In the middle of the pixels; assumed where a file does not say, as encoders average pixels.
        case centered
        /// In the middle of the left pixels.
        case left
        /// On the upper left pixel.
        case upperLeft
    }

    /// Pixels for each chroma sample along each axis, as powers of two.
    var columnShift, rowShift: Int
    var siting = Siting.centered

    /// Reads the sampling that all pictures with colours in a file have; nil if they differ, or if there are
    /// none.
    ///
    /// A thumbnail or a tile is such a picture, too; a picture of grey or of alpha is not.
    init?(of bytes: UnsafeRawBufferPointer) {
        // The first four bytes of the box are its version and flags.
        guard let meta = ISOBoxes(bytes).first("meta"), meta.count > 4,
            let list = ISOBoxes(meta.dropping(4)).first("iprp").flatMap({
                ISOBoxes($0).first("ipco")
            })
        else { return nil }
        let boxes = ISOBoxes(list)
        let samplings = Set(boxes.compactMap { Self(configuration: $0) })
        guard samplings.count == 1, let sampling = samplings.first else { return nil }
        self = sampling
        // libheif rotates, mirrors and crops, too.
        let transforms = ["irot", "imir", "clap"]
        guard boxes.contains(where: { transforms.contains($0.type) }) else { return }
        guard columnShift == rowShift else { return nil }
        siting = .centered
    }

    /// Nil for other boxes, and for pictures without colours.
    ///
    /// Source: ISO/IEC 14496-15, 8.3.2.1; AV1 Codec ISO Media File Format Binding, 2.3.
    private init?(configuration box: ISOBoxes.Box) {
        switch (box.type, box.body.count) {
        case ("hvcC", 17...):
            // The siting is in the coded picture alone, and libheif does not tell.
            guard let shifts = [1: (1, 1), 2: (1, 0), 3: (0, 0)][box.body[16] & 3] else {
                return nil
            }
            (columnShift, rowShift) = shifts
        case ("av1C", 3...):
            let flags = box.body[2]
            guard flags & 16 == 0 else { return nil }
            (columnShift, rowShift) = (Int(flags >> 3 & 1), Int(flags >> 2 & 1))
            // Only 4:2:0 has other sites than the pixels.
            guard rowShift == 1 else { return }
            switch flags & 3 {
            case 1: siting = .left
            case 2: siting = .upperLeft
            default: break
            }
        default: return nil
        }
    }
}
