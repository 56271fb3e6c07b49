import Containers

/// The index of a multi-picture file in a JPEG.
///
/// Offsets of pictures count from the TIFF header of the index; that of the first picture is 0.
/// Source: CIPA DC-007, 5.2.
struct MultiPictureIndex {
    private let index: UnsafeRawBufferPointer
    private let structure: TIFFStructure
    /// The offsets of the entries in the index.
    private let places: [Int]

    /// Nil for a JPEG without an index, or with a corrupt one.
    init?(_ file: UnsafeRawBufferPointer) {
        guard let entries = MultiPictureEntries(file),
            let structure = TIFFStructure(entries.index)
        else { return nil }
        (index, places) = (entries.index, entries.places)
        self.structure = structure
    }

    /// Whether there are further views of the scene: a panorama, stereo pictures, other angles.
    var hasOtherViews: Bool {
        places.dropFirst().contains {
            (structure.number(at: $0, 4) ?? 0) & 0xFF_FF00 == 0x02_0000
        }
    }

    /// Adds the changes of the index in `file` when the first picture grows at `place`.
    func grow(
        by growth: Int, at place: Int, in file: UnsafeRawBufferPointer,
        _ changes: inout ByteChanges
    ) {
        guard growth != 0, let first = places.first else { return }
        let start = file.offset(of: index)
        func add(to field: Int) {
            guard let value = structure.number(at: field, 4), value > 0,
                (0...Int(UInt32.max)).contains(value + growth)
            else { return }
            changes.replace(
                (start + field)..<(start + field + 4), with: structure.encoded(value + growth, 4))
        }
        add(to: first + 4)
        // The header of the index moves with the other pictures if it lies behind the place.
        if place >= start { for entry in places.dropFirst() { add(to: entry + 8) } }
    }
}
