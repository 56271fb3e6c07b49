import Geometry
import ImageTypes
import TestKit
import Testing

/// HEIC and AVIF, compared with heif-convert and ImageMagick.
@Suite struct HEIFTests {
    private let bench = Workbench()
    private let photo = TestPicture.photograph(202, 134)

    /// The photograph as PNG with 16 bits per sample.
    private var deep: [UInt8] {
        TestPicture.png(
            photo.pixels.flatMap { [$0, $0 &* 37] }, photo.size, colorType: 2, bitDepth: 16)
    }

    @Test(arguments: [
        ("it.heic", "-q 60", false), ("it.heic", "-q 90 -p chroma=444", false),
        ("it.heic", "-q 60 -p chroma=422", false), ("it.avif", "-A -q 60", false),
        ("it.avif", "-A -q 90 -p chroma=444", false), ("it.avif", "-A -q 60 -p chroma=422", false),
        ("it.heic", "-q 60", true), ("it.avif", "-A -q 60", true),
    ])
    func pixelsMatchHeifConvert(name: String, options: String, hasAlpha: Bool) throws {
        bench.put("in.png", hasAlpha ? photo.fadingPNG() : photo.png())
        try bench.run(
            "heif-enc \(options) in.png -o \(name) && heif-convert \(name) it.png && "
                + "convert it.png it.pam")
        let result = try Decoding(bench.bytes(name))
        let bitmap = try #require(result.bitmaps.last)
        #expect(result.info?.format == (name == "it.heic" ? "HEIC" : "AVIF"))
        #expect(bitmap.format == (hasAlpha ? .argb32 : .rgb24))
        Conformance.expect(
            result.info?.format ?? "", options + (hasAlpha ? " alpha" : ""),
            bitmap.largestDifference(from: try bench.pixels("it.pam")),
            // heif-convert of libheif 1.23 interpolates chroma.
            atMost: options.contains("chroma") ? 0.51 : 1.5, from: "heif-convert")
        #expect(result.message == nil)
    }

    @Test(arguments: [
        ("it.heic", "-b 10"), ("it.heic", "-b 12"),
        ("it.avif", "-A -b 12 -p chroma=444"),
    ])
    func deepSamplesAreDithered(name: String, options: String) throws {
        bench.put("in.png", deep)
        try bench.run(
            "heif-enc -q 80 \(options) in.png -o \(name) && heif-convert \(name) it.png && "
                + "convert it.png it.pam")
        let bitmap = try #require(try Decoding(bench.bytes(name)).bitmaps.last)
        // One step of dithering either way; heif-convert leaves the lowest bits of 16 empty.
        let difference = bitmap.largestDifference(from: try bench.pixels("it.pam"))
        Conformance.expect(
            name == "it.heic" ? "HEIC" : "AVIF", options, difference, atMost: 1.3,
            from: "heif-convert")
    }

    @Test(arguments: [("it.heic", 8), ("it.heic", 16), ("it.avif", 8)])
    func greyIsGrey(name: String, bits: Int) throws {
        var samples: [UInt8] = []
        for place in stride(from: 0, to: photo.pixels.count, by: 3) {
            samples += bits == 8 ? [photo.pixels[place]] : [photo.pixels[place], 128]
        }
        bench.put("in.png", TestPicture.png(samples, photo.size, colorType: 0, bitDepth: bits))
        try bench.run("heif-enc -q 95 \(name == "it.avif" ? "-A" : "") in.png -o \(name)")
        let bitmap = try #require(try Decoding(bench.bytes(name)).bitmaps.last)
        for (x, y) in [(0, 0), (100, 60), (201, 133), (55, 99)] {
            let (a, r, g, b) = bitmap.pixel(x, y)
            #expect(a == 255 && r == g && g == b)
            #expect(abs(r - photo.color(x, y).r) < 12)
        }
    }

    /// Replaces the name and the content of the box named `name`.
    private func changed(_ file: [UInt8], _ name: String, to new: String, _ content: [UInt8]) throws
        -> [UInt8]
    {
        var file = file
        let place = try #require(
            file.indices.dropLast(24).first { file[$0..<($0 + 4)].elementsEqual(name.utf8) })
        file.replaceSubrange(place..<(place + 4), with: new.utf8)
        file.replaceSubrange((place + 4)..<(place + 4 + content.count), with: content)
        return file
    }

    /// `irot` rotates counterclockwise by quarters; EXIF repeats the orientation, which is ignored.
    @Test(arguments: [(1, 8), (2, 3), (3, 6)])
    func rotationIsAppliedOnce(quarters: UInt8, exif: UInt8) throws {
        let orientation = try #require(Orientation(rawValue: exif))
        let card = TestPicture.card(96, 64)
        bench.put("in.jpg", card.stored(as: orientation).jpeg(quality: 100))
        try bench.run(
            "heif-enc -q 95 -A in.jpg -o it.avif"
                + " && exiftool -q -overwrite_original -Orientation#=\(exif) it.avif")
        let file = try changed(bench.bytes("it.avif"), "pixi", to: "irot", [quarters])
        let result = try Decoding(file)
        #expect(result.info?.size == card.size)
        let bitmap = try #require(result.bitmaps.last)
        for (x, y) in [(20, 16), (76, 16), (20, 48), (76, 48)] {
            let (_, r, g, b) = bitmap.pixel(x, y)
            let wanted = card.color(x, y)
            #expect(abs(r - wanted.r) < 20 && abs(g - wanted.g) < 20 && abs(b - wanted.b) < 20)
        }
    }

    @Test(arguments: [0, 1] as [UInt8])
    func mirroringIsApplied(_ axis: UInt8) throws {
        bench.put("in.png", TestPicture.card(96, 64).png())
        try bench.run("heif-enc -q 95 -A -p chroma=444 in.png -o it.avif")
        let file = try changed(bench.bytes("it.avif"), "pixi", to: "imir", [axis])
        bench.put("mirrored.avif", file)
        try bench.run("heif-convert mirrored.avif it.png && convert it.png it.pam")
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        #expect(bitmap.largestDifference(from: try bench.pixels("it.pam")) <= 0.51)
    }

    @Test(arguments: ["it.heic", "it.avif"])
    func profilesAreApplied(_ name: String) throws {
        let flat = TestPicture(size: PixelSize(width: 64, height: 64)) { _, _ in (220, 40, 90) }
        let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + TestProfile.exchanged
        let length = profile.count + 2
        bench.put(
            "in.jpg",
            [0xFF, 0xD8, 0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + profile
                + flat.jpeg().dropFirst(2))
        try bench.run("heif-enc -q 95 \(name == "it.avif" ? "-A" : "") in.jpg -o \(name)")
        let (_, r, g, b) = try #require(try Decoding(bench.bytes(name)).bitmaps.last).pixel(9, 9)
        #expect(abs(r - 40) < 16 && abs(g - 220) < 8 && abs(b - 90) < 10)
    }

    @Test func lightBeyondWhiteIsToneMapped() throws {
        // In SMPTE ST 2084, 0.58 is diffuse white (203 cd/m²), 0.75 about five times as bright.
        let card = TestPicture(size: PixelSize(width: 64, height: 64)) { x, _ in
            x < 32 ? (148, 148, 148) : (191, 191, 191)
        }
        bench.put("in.png", card.png())
        try bench.run("heif-enc -q 95 -A in.png -o it.avif")
        let colors = Array("nclx".utf8) + [0, 9, 0, 16]
        let file = try changed(bench.bytes("it.avif"), "colr", to: "colr", colors)
        let bitmap = try #require(try Decoding(file).bitmaps.last)
        let (white, bright) = (bitmap.pixel(8, 8).r, bitmap.pixel(56, 8).r)
        #expect((200...245).contains(white))
        #expect(bright > white && bright >= 250)
    }

    // MARK: Brands

    /// Brands of a file, the major one first, and the name of the format; empty for none.
    @Test(arguments: [
        ("heic mif1 heic", "HEIC"), ("mif1 mif1 heic", "HEIC"), ("avif mif1 avif miaf", "AVIF"),
        ("mif1 mif1 miaf avif", "AVIF"), ("msf1 msf1 hevc", "HEIC"), ("avis avif", "AVIF"),
        ("msf1 iso8 avis", "AVIF"), ("isom mp42", ""),
    ])
    func brandsDecideTheFormat(brands: String, name: String) {
        let brands = brands.split(separator: " ")
        let (major, others) = (brands[0], brands.dropFirst())
        let length = UInt8(16 + 4 * others.count)
        let bytes: [UInt8] =
            [0, 0, 0, length] + Array("ftyp\(major)".utf8) + [0, 0, 0, 0]
            + others.flatMap { Array($0.utf8) }
        #expect(PictureFormat.recognize(bytes)?.name ?? "" == name)
    }

    // MARK: Bad input

    @Test(arguments: ["it.heic", "it.avif"])
    func damagedFilesDoNotCrashTheDecoder(_ name: String) throws {
        bench.put("in.png", photo.png())
        try bench.run("heif-enc \(name == "it.avif" ? "-A" : "") -q 50 in.png -o \(name)")
        let file = bench.bytes(name)
        _ = try RobustnessChecks.truncate(
            file, size: photo.size, at: [0.002, 0.02, 0.05, 0.2, 0.5, 0.8, 0.95])
        try RobustnessChecks.damage(file, seed: 3)
        try RobustnessChecks.damage(file, seed: 1234, bytes: 3)
    }

    @Test func anAbsurdSizeIsRefused() throws {
        bench.put("in.png", photo.png())
        try bench.run("heif-enc -q 50 in.png -o it.heic")
        var file = bench.bytes("it.heic")
        // The `ispe` box: version and flags, then width and height.
        let place = try #require(
            file.indices.dropLast(16).first { file[$0..<($0 + 4)].elementsEqual("ispe".utf8) })
        file.replaceSubrange((place + 8)..<(place + 16), with: [0, 1, 0, 0, 0, 1, 0, 0])
        let result = try Decoding(file)
        #expect(result.bitmaps.isEmpty)
        #expect(result.failure != nil && result.failure != .crashed)
    }
}
