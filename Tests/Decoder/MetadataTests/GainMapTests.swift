import ImageTypes
import SeededRandom
import TestKit
import Testing

@testable import Metadata

/// What the information panel says about light brighter than white, and gain maps that make no sense.
@Suite struct GainMapTests {
    private static func row(_ file: [UInt8]) -> String? {
        file.withUnsafeBytes { MetadataReader.read($0) }.entries.first { $0.label == "HDR" }?.value
    }

    private static func text(_ times: String) -> String {
        "up to \(times) times as bright as white"
    }

    // MARK: Forms

    @Test func mapsInJPEGAreNamed() {
        #expect(
            Self.row(TestGainMap.jpeg(TestGainMap.map(binary: TestGainMap.binary())))
                == Self.text("4"))
        #expect(
            Self.row(
                TestGainMap.jpeg(
                    TestGainMap.map(binary: TestGainMap.binary(headroom: 2300, channels: 3))))
                == Self.text("4.9"))
        #expect(
            Self.row(TestGainMap.jpeg(TestGainMap.map(binary: TestGainMap.binary(isCommon: true))))
                == Self.text("4"))
        #expect(
            Self.row(
                TestGainMap.jpeg(
                    TestGainMap.map(xmp: "m:GainMapMax=\"1.5\" m:HDRCapacityMax=\"1.5\"/>")))
                == Self.text("2.8"))
        let channels = """
            m:HDRCapacityMax="3"><m:GainMapMax><rdf:Seq><rdf:li>3</rdf:li><rdf:li>2.5</rdf:li>\
            <rdf:li>2</rdf:li></rdf:Seq></m:GainMapMax></rdf:Description>
            """
        #expect(Self.row(TestGainMap.jpeg(TestGainMap.map(xmp: channels))) == Self.text("8"))
        #expect(
            Self.row(
                TestGainMap.jpeg(
                    TestGainMap.map(
                        xmp: "a:HDRGainMapVersion=\"131072\" a:HDRGainMapHeadroom=\"3.25\"/>",
                        TestGainMap.apple))) == Self.text("3.3"))
        #expect(
            Self.row(
                TestGainMap.jpeg(
                    TestGainMap.map(xmp: "a:HDRGainMapVersion=\"65536\"/>", TestGainMap.apple)))
                == "gain map")
    }

    /// A brighter base with a map for darker screens is as bright as the base.
    @Test func aReversedMapCounts() {
        let reversed = """
            m:GainMapMin="-2" m:GainMapMax="0" m:HDRCapacityMax="2" m:BaseRenditionIsHDR="True"/>
            """
        #expect(Self.row(TestGainMap.jpeg(TestGainMap.map(xmp: reversed))) == Self.text("4"))
    }

    @Test func otherContainersAreRead() {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        func png(_ transfer: UInt8) -> [UInt8] {
            signature + TestGainMap.big(4, 4) + Array("cICP".utf8) + [9, transfer, 0, 1]
                + TestGainMap.big(0, 4) + TestGainMap.big(0, 4) + Array("IEND".utf8)
                + TestGainMap.big(0, 4)
        }
        #expect(Self.row(png(16)) == "PQ")
        #expect(Self.row(png(18)) == "HLG")
        #expect(Self.row(png(13)) == nil)
        let binary = TestGainMap.binary()
        let jxl =
            TestGainMap.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
            + TestGainMap.box(
                "jhgm", [0] + TestGainMap.big(binary.count, 2) + binary + [0, 0, 0, 0, 0])
        #expect(Self.row(jxl) == Self.text("4"))
        #expect(Self.row(TestGainMap.heif(item: [0] + binary)) == Self.text("4"))
        #expect(
            Self.row(TestGainMap.heif(color: Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80]))
                == "PQ")
        let kind = Array("urn:com:apple:photo:2020:aux:hdrgainmap\0".utf8)
        #expect(
            Self.row(TestGainMap.heif(auxiliary: [0, 0, 0, 0] + kind))
                == "gain map")
    }

    // MARK: Values that make no sense

    @Test(arguments: [
        TestGainMap.binary(below: 0), TestGainMap.binary(version: 1), TestGainMap.binary(gamma: 0),
        TestGainMap.binary(gamma: 10_001),
        TestGainMap.binary(headroom: 9000), TestGainMap.binary(headroom: 0),
        TestGainMap.binary(minimum: 2001),
        TestGainMap.binary(maximum: 9000), TestGainMap.binary(minimum: -9000),
        TestGainMap.binary(offset: 1001),
        Array(TestGainMap.binary().dropLast()), [0, 0, 0, 0], [],
    ])
    func mapsThatMakeNoSenseAreIgnored(binary: [UInt8]) {
        #expect(Self.row(TestGainMap.jpeg(TestGainMap.map(binary: binary))) == nil)
        // The file is as bright as its base, whatever the colours of the other picture are.
        let color = Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80]
        #expect(Self.row(TestGainMap.heif(item: [0] + binary, color: color)) == nil)
    }

    @Test(arguments: [
        "m:GainMapMax=\"nan\" m:HDRCapacityMax=\"2\"/>",
        "m:GainMapMax=\"2\" m:HDRCapacityMax=\"inf\"/>",
        "m:GainMapMax=\"two\" m:HDRCapacityMax=\"2\"/>", "m:GainMapMax=\"2\"/>",
        "m:GainMapMax=\"2\" m:HDRCapacityMax=\"2\" m:Gamma=\"-1\"/>",
        "m:GainMapMax=\"2\" m:GainMapMin=\"3\" m:HDRCapacityMax=\"2\"/>",
        "m:GainMapMax=\"2\" m:HDRCapacityMin=\"-4\" m:HDRCapacityMax=\"-3\"/>",
    ])
    func propertiesThatMakeNoSenseAreIgnored(properties: String) {
        #expect(Self.row(TestGainMap.jpeg(TestGainMap.map(xmp: properties))) == nil)
    }

    /// An index that leads outside of the file, to the file itself, or into the middle of something.
    @Test(arguments: [0, 1, 61, 1 << 20, 0xFFFF_FFFF])
    func indexesThatLeadNowhereAreIgnored(offset: Int) {
        let map = TestGainMap.map(binary: TestGainMap.binary())
        #expect(Self.row(TestGainMap.jpeg(map, offset: offset)) == nil)
        #expect(Self.row(TestGainMap.jpeg(map, length: offset)) == nil)
    }

    @Test func damagedFilesEndNothing() {
        var random = SeededGenerator(seed: 7)
        let files = [
            TestGainMap.jpeg(TestGainMap.map(binary: TestGainMap.binary(channels: 3))),
            TestGainMap.heif(item: [0] + TestGainMap.binary()),
        ]
        for file in files {
            for _ in 0..<2000 {
                var damaged = file
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    damaged[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                _ = Self.row(Array(damaged.prefix(Int.random(in: 0...file.count, using: &random))))
            }
        }
    }
}
