import ImageTypes

@testable import Codecs

/// Something that takes bytes from outside; whatever they are, it has to come back without a trap,
/// a bad access or a leak.
protocol Harness {
    /// As `meson-helpers/fuzz` takes it.
    var name: String { get }
    /// Inputs to begin with; pictures come from the formats' own tools as well.
    var seeds: [[UInt8]] { get }
    /// Once, before the first input.
    func prepare()
    func run(_ bytes: UnsafeRawBufferPointer)
}

extension Harness {
    var seeds: [[UInt8]] { [] }
    func prepare() {}
}

enum Harnesses {
    /// Each codec by its format, then what chooses among them, then the parsers, then the viewer's side.
    static var all: [any Harness] {
        PictureDecoders.codecs.map { PictureHarness(codec: $0) } + [
            PictureHarness(codec: nil),
            JPEGPartsHarness(),
            TiledHarness(isJPEG: true),
            TiledHarness(isJPEG: false),
            MetadataHarness(),
            ContainerHarness(),
            TIFFHarness(),
            TextHarness(),
            ProfileHarness(),
            WireHarness(),
            ConversationHarness(),
            CacheHarness(),
        ]
    }
}

extension PictureFormat {
    /// Its name as a word: "JPEG XL" is "jpeg-xl".
    var harnessName: String {
        String(name.lowercased().map { $0 == " " ? "-" : $0 })
    }
}
