import ImageTypes
import RasterPipeline

@testable import Codecs

/// A consumer of untrusted bytes, which must return without a trap, a bad access or a leak.
protocol Harness {
    /// The name of the harness on the command line of `meson-helpers/check/fuzz`.
    var name: String { get }
    /// The initial corpus; `meson-helpers/check/fuzz` adds pictures made by the formats' own tools.
    var seeds: [[UInt8]] { get }
    /// Called once, before the first input.
    func prepare()
    func run(_ bytes: UnsafeRawBufferPointer)
}

extension Harness {
    var seeds: [[UInt8]] { [] }
    func prepare() {}
}

enum Harnesses {
    /// One harness per codec, then format detection, the parsers, and the viewer's side.
    static var all: [any Harness] {
        PictureDecoders.codecs.map { PictureHarness(codec: $0) } + [
            PictureHarness(codec: nil),
            JPEGPartsHarness(),
            TiledHarness(isJPEG: true),
            TiledHarness(isJPEG: false),
            MetadataHarness(),
            EditsHarness(),
            ContainerHarness(),
            TIFFHarness(),
            TextHarness(),
            SettingsHarness(),
            JSONHarness(),
            GainMapHarness(),
            ProfileHarness(),
            WireHarness(),
            ConversationHarness(),
            CacheHarness(),
            FileMessagesHarness(),
        ] + ofCommands
    }
}

extension PictureFormat {
    /// The name in lower case with hyphens: "JPEG XL" becomes "jpeg-xl".
    var harnessName: String {
        String(name.lowercased().map { $0 == " " ? "-" : $0 })
    }
}
