import ImageWire
import ImageTypes

@testable import Codecs

/// What a file tells of its picture, in all containers, and on its way to the viewer.
struct MetadataHarness: Harness {
    let name = "metadata"
    var seeds: [[UInt8]] { Seeds.metadata }

    func run(_ bytes: UnsafeRawBufferPointer) {
        let metadata = MetadataReader.read(bytes)
        var arrived = 0
        for part in metadata.parts {
            checkArrives(.metadata(id: 1, part))
            arrived += part.entries.count
        }
        precondition(arrived == metadata.entries.count, "entries are lost on the way")
    }
}
