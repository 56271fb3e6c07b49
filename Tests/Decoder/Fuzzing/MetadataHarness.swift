import ImageWire
import ImageTypes
import Metadata

@testable import Codecs

/// Metadata in all containers, and the messages that carry the metadata to the viewer.
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
        precondition(arrived == metadata.entries.count, "metadata entries are lost")
    }
}
