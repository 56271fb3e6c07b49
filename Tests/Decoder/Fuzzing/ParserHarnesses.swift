import Containers
import ImageTypes
import TOML
import JSON
import TestKit
import XML

@testable import Codecs
@testable import Metadata
@testable import RasterPipeline

/// The container parsers: PNG chunks, ISO boxes, RIFF chunks, JPEG segments.
struct ContainerHarness: Harness {
    let name = "containers"
    var seeds: [[UInt8]] { Seeds.metadata }

    func run(_ bytes: UnsafeRawBufferPointer) {
        for chunk in PNGChunks(bytes) { Self.read(bytes, chunk.data) }
        _ = PNGChunks(bytes).first("eXIf")
        for chunk in PNGChunks(bytes).tail { Self.read(bytes, chunk.data) }
        for chunk in RIFFChunks(bytes) { Self.read(bytes, chunk.data) }
        for box in ISOBoxes(bytes) {
            for inner in ISOBoxes(box.body) { Self.read(inner.body) }
        }
        for segment in JPEGSegments(bytes) { Self.read(segment.data) }
        for resource in PhotoshopResources(bytes) { Self.read(bytes, resource.data) }
        _ = MetadataBlocks(bytes)
        _ = PictureFormat.recognize(bytes)
        _ = FileKind.guess(bytes.prefix(PictureFormat.signatureLength))
    }

    private static func read(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        read(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }

    /// Reads the first and the last byte, so that an invalid range faults.
    static func read(_ bytes: UnsafeRawBufferPointer) {
        let sum = (bytes.first ?? 0) ^ (bytes.last ?? 0)
        withExtendedLifetime(sum) {}
    }
}

/// The TIFF directories that TIFF, EXIF and raw files share.
struct TIFFHarness: Harness {
    let name = "tiff-tags"
    var seeds: [[UInt8]] { Seeds.exif }

    func run(_ bytes: UnsafeRawBufferPointer) {
        if let file = TIFFReader(bytes) {
            for entry in file.directory(at: file.start).values {
                if let value = file.value(entry) { ContainerHarness.read(value) }
                _ =
                    (file.short(entry), file.text(entry), file.long(entry))
                    as (Int?, [UInt8]?, Int?)
            }
        }
        _ = TIFFKind.isRaw(bytes)
        _ = TIFFPages.count(bytes)
        _ = Exif(tiff: bytes)
        _ = Exif(jpeg: bytes)
        if let values = ExifValues(bytes) {
            for tag in [0x010F, 0x0132, 0x829A, 0x9003, 0x9286] {
                _ =
                    (values.text(.picture, tag), values.number(.camera, tag))
                    as (String?, Double?)
            }
        }
    }
}

/// XMP's XML and IPTC's records.
struct TextHarness: Harness {
    let name = "xmp-iptc"
    var seeds: [[UInt8]] { Seeds.texts }

    func run(_ bytes: UnsafeRawBufferPointer) {
        _ = XMPReader(bytes).values
        var scanner = XMLScanner(bytes)
        while let token = try? scanner.next() { withExtendedLifetime(token) {} }
        _ = IPTCReader.read(bytes)
    }
}

/// The metadata of gain maps, alone and in their files.
struct GainMapHarness: Harness {
    let name = "gain-map"
    var seeds: [[UInt8]] {
        let binary = TestGainMap.binary(channels: 3)
        let properties = "m:GainMapMax=\"2\" m:HDRCapacityMax=\"2\" m:Gamma=\"1.5\"/>"
        return [
            binary, TestGainMap.binary(isCommon: true),
            TestGainMap.jpeg(TestGainMap.map(binary: binary)),
            TestGainMap.jpeg(TestGainMap.map(xmp: properties)),
            TestGainMap.heif(item: [0] + binary),
        ]
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        let maps = [GainMap(iso: bytes), GainMap(XMPReader(bytes))].compactMap(\.self)
        for map in maps {
            precondition((1...256).contains(map.headroom), "an absurd headroom")
        }
        _ = MetadataReader.read(bytes)
    }
}

/// Settings files: reading, and a change that is read again.
struct SettingsHarness: Harness {
    let name = "settings"
    var seeds: [[UInt8]] {
        [
            Array("# c\n[a.\"b\"]\nc = 1 # d\ne.f = [0.4, {g = 'h'}]\n".utf8),
            Array("a = \"\"\"\nb\\\n \\u00e9\"\"\"\r\nc = 1979-05-27 07:32:00Z\n".utf8),
            Array("a = 'b'\nd = 0xFF_FF\nf = -1.5e3\n[a]\n[[e]]\n".utf8),
        ]
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        let document = TOMLDocument(Array(bytes))
        for entry in document.entries.prefix(4) {
            _ = document.setting(entry.path, to: .integer(1))
        }
        _ = document.setting(["a", "b"], to: .string("c"))
    }
}

/// The names of ICC profiles, and colour conversion by lcms2 with picture and screen profiles.
struct ProfileHarness: Harness {
    let name = "profile"
    var seeds: [[UInt8]] {
        [TestProfile.swapped, TestProfile.standard, TestProfile.gray(gamma: 1.8)]
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        _ = ICCDescription.name(of: bytes)
        let profile = Array(bytes)
        let layouts: [SampleLayout] = [.rgb8, .gray8, .cmyk8, .rgba16]
        let onScreen: [SampleLayout] = [
            .bgrx8, .premultipliedBGRA8, .rgba8, .rgb16, .rgbFloat,
        ]
        let converters =
            layouts.map { RowConverter($0, .profile(profile), screen: []) }
            + onScreen.map { RowConverter($0, .standard, screen: profile) }
            + [
                RowConverter(.rgb8, .profile(profile), screen: profile),
                RowConverter(.rgba16, .profile(profile), isGray: true, screen: []),
            ]
        for converter in converters {
            withUnsafeTemporaryAllocation(byteCount: 16 * 16, alignment: 16) { samples in
                samples.initializeMemory(as: UInt8.self, repeating: 0x5A)
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { words in
                    guard let from = samples.baseAddress, let to = words.baseAddress else { return }
                    converter.convert(from, to: to, width: 16, y: 0)
                }
            }
        }
    }
}

/// The JSON that a peer sends to the control socket.
struct JSONHarness: Harness {
    let name = "json"
    var seeds: [[UInt8]] {
        [
            #"{"command":"goto","arguments":[5]}"#,
            #"{"command":"open","arguments":["/é\ud83d\ude42"]}"#,
            #"[-1.5e+3,true,false,null,{"a":[]},"\b\f\n\r\t\/\u0041"]"#,
        ].map { Array($0.utf8) }
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        guard let value = try? JSONReader.read(Array(bytes)) else { return }
        // Every text that was read can be written and read again.
        guard let text = value.string else { return }
        let again = try? JSONReader.read(Array(JSONLine.quoted(text).utf8))
        precondition(again?.string == text, "a text changed")
    }
}
