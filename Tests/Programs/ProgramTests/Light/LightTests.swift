import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

/// Pictures that are brighter than white, as screens with headroom get them.
@Suite struct LightTests {
    let folder = TemporaryFolder()

    private static let size = PixelSize(width: 64, height: 64)

    /// The light in the middle of the picture `file` on a screen of each headroom.
    private func light(_ file: [UInt8], _ name: String, _ headrooms: [Double]) throws -> [Light] {
        let path = folder.file(name, file)
        let shots = headrooms.map { folder / "\(name)-\($0).png" }
        let result = ChildProcess.run(
            [Binaries.vitrine, "--headless", "64x64"]
                + zip(headrooms, shots).flatMap { ["--shot-light", "\($0):\($1)"] } + [path],
            environment: ["XDG_RUNTIME_DIR=\(folder.path)", "PATH=/usr/bin:/bin", "LANG=C.UTF-8"])
        #expect(result.status == 0, "\(result.errors)")
        return try shots.map { path in
            let shot = try #require(LightShot(path))
            #expect(shot.size == Self.size && shot.codePoints == [9, 16, 0, 1])
            return shot.light(32, 32)
        }
    }

    private static func picture(
        _ color: [UInt8], _ codes: [UInt8], _ segment: [UInt8],
        mapSize: PixelSize = PixelSize(width: 16, height: 16)
    ) -> [UInt8] {
        TestGainMap.picture(color, size, codes, segment, mapSize: mapSize)
    }

    /// Light in the primaries of sRGB, in multiples of white.
    private static func linear(_ code: UInt8) -> Double { pow(Double(code) / 255, 2.2) }

    /// Screens on which none of a gain of two stops counts, half of it, and all of it.
    private static let headrooms = [1.0, 2, 4, 8]
    private static let weights = [0.0, 0.5, 1, 1]

    private func expect(
        _ file: [UInt8], _ name: String, _ wanted: (Double) -> [Double],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try light(file, name, Self.headrooms)
        for (light, weight) in zip(found, Self.weights) {
            let difference = light.difference(from: Light(sRGB: wanted(weight)))
            #expect(
                difference <= 1, "\(name) at \(weight): \(light.values)",
                sourceLocation: sourceLocation)
        }
    }

    @Test func mapsOfOneChannelMultiplyLight() throws {
        for (base, code) in [(200, 255), (120, 128), (230, 64), (90, 0)] as [(UInt8, UInt8)] {
            let file = Self.picture([base, base, base], [code], TestGainMap.twoStops)
            try expect(file, "iso-\(base).jpg") { weight in
                let gain = exp2(2 * Double(code) / 255 * weight)
                return Array(repeating: Self.linear(base) * gain, count: 3)
            }
        }
    }

    /// A colour, three channels, and the usual offsets of 1/64.
    @Test func channelsAndOffsetsCount() throws {
        let segment = TestGainMap.segment(
            0xE2, "urn:iso:std:iso:ts:21496:-1\0",
            TestGainMap.binary(offset: 16, channels: 3))
        let (base, codes): ([UInt8], [UInt8]) = ([220, 180, 140], [200, 170, 150])
        try expect(Self.picture(base, codes, segment), "channels.jpg") { weight in
            zip(base, codes).map { base, code in
                let gain = exp2(2 * Double(code) / 255 * weight)
                return (Self.linear(base) + 0.016) * gain - 0.016
            }
        }
    }

    @Test func mapsOfAdobeAndAppleAreShown() throws {
        func segment(_ properties: String, _ names: String) -> [UInt8] {
            Array(TestGainMap.map(xmp: properties, names).dropFirst(2).dropLast(2))
        }
        let adobe = segment(
            """
            m:Version="1.0" m:GainMapMax="2" m:Gamma="2" m:OffsetSDR="0" m:OffsetHDR="0" \
            m:HDRCapacityMax="2"/>
            """, TestGainMap.adobe)
        try expect(Self.picture([180, 180, 180], [100], adobe), "adobe.jpg") { weight in
            let gain = exp2(2 * sqrt(100.0 / 255) * weight)
            return Array(repeating: Self.linear(180) * gain, count: 3)
        }
        let apple = segment(
            "a:HDRGainMapVersion=\"65536\" a:HDRGainMapHeadroom=\"4\"/>", TestGainMap.apple)
        try expect(Self.picture([180, 180, 180], [200], apple), "apple.jpg") { weight in
            let light = pow((200.0 / 255 + 0.099) / 1.099, 1 / 0.45)
            let gain = pow(1 + 3 * light, weight)
            return Array(repeating: Self.linear(180) * gain, count: 3)
        }
    }

    /// A map that does not fit, or that has the brighter picture as its base, is ignored.
    @Test func mapsThatDoNotFitAreIgnored() throws {
        let usual = TestGainMap.twoStops
        let larger = Self.picture(
            [180, 180, 180], [255], usual, mapSize: PixelSize(width: 65, height: 64))
        let reversed = Self.picture(
            [180, 180, 180], [255],
            Array(
                TestGainMap.map(
                    xmp: """
                        m:Version="1.0" m:GainMapMax="2" m:HDRCapacityMax="2" \
                        m:BaseRenditionIsHDR="True"/>
                        """
                ).dropFirst(2).dropLast(2)))
        var cut = Self.picture([180, 180, 180], [255], usual)
        cut.removeLast(200)
        for (index, file) in [
            larger, cut, reversed, TestGainMap.plain([180, 180, 180], Self.size),
        ]
        .enumerated() {
            try expect(file, "ignored-\(index).jpg") { _ in
                Array(repeating: Self.linear(180), count: 3)
            }
        }
    }

    /// Light above white in PNGs with the transfer functions of ITU-R BT.2100.
    @Test func highRangesReachTheirLight() throws {
        func file(_ part: Double, transfer: UInt8) -> [UInt8] {
            let code = Int(part * 65535 + 0.5)
            let samples = (0..<3).flatMap { _ in [UInt8(code >> 8), UInt8(code & 255)] }
            let pixels = (0..<Self.size.width * Self.size.height).flatMap { _ in samples }
            return TestPicture.png(
                TestPicture.png(pixels, Self.size, colorType: 2, bitDepth: 16),
                with: [("cICP", [9, transfer, 0, 1])])
        }
        for luminance in [20.0, 100, 203, 400, 800] {
            let found = try light(
                file(Light.code(luminance), transfer: 16), "pq-\(luminance).png", [8])
            let wanted = Light([luminance, luminance, luminance])
            #expect(found[0].difference(from: wanted) <= 1, "\(luminance): \(found[0].values)")
        }
        // Of hybrid log-gamma, the greys of a display of 1000 cd/m²; source: ITU-R BT.2100, table 5.
        for part in [0.4, 0.6, 0.75, 0.9] {
            let scene =
                part <= 0.5
                ? part * part / 3 : (exp((part - 0.55991073) / 0.17883277) + 0.28466892) / 12
            let luminance = 1000 * pow(scene, 1.2)
            let found = try light(file(part, transfer: 18), "hlg-\(part).png", [8])
            let wanted = Light([luminance, luminance, luminance])
            #expect(found[0].difference(from: wanted) <= 1, "\(part): \(found[0].values)")
        }
    }

    @Test(arguments: ["4", "4:", "0.5:a.png", "65:a.png", "x:a.png", ":a.png"])
    func shotsNeedAHeadroomAndAFile(_ value: String) {
        let result = ChildProcess.run([
            Binaries.vitrine, "--headless", "64x64", "--shot-light", value, "a.png",
        ])
        #expect(result.status == 2)
        #expect(result.errors.contains("--shot-light takes a number from 1 to 64"))
    }
}
