import Geometry
import ImageTypes
import TestKit
import Testing

/// SVG, compared with rsvg-convert, and restrictions on what drawings may load or run.
@Suite struct SVGTests {
    private static let start = "<svg xmlns=\"http://www.w3.org/2000/svg\""
    private static let shapes = """
        <defs><linearGradient id="g"><stop offset="0" stop-color="red"/>
        <stop offset="1" stop-color="blue"/></linearGradient></defs>
        <rect x="10" y="10" width="60" height="40" fill="url(#g)"/>
        <circle cx="60" cy="60" r="30" fill="lime" fill-opacity="0.5"/>
        """
    private let target = PixelSize(width: 300, height: 300)

    private func drawing(_ attributes: String, _ content: String = shapes) -> [UInt8] {
        Array("<?xml version=\"1.0\"?>\n\(Self.start) \(attributes)>\(content)</svg>".utf8)
    }

    /// Text needs the system's fonts and the font configuration, which the sandbox allows to be read.
    @Test(arguments: [
        shapes, "<text x='5' y='50' font-size='40' font-family='DejaVu Sans'>Grid</text>",
        "<text x='5' y='50' font-size='40' font-family='monospace'>Grid</text>",
        "<text x='5' y='50' font-size='40' font-family='serif'>Grid</text>",
        "<text x='5' y='50' font-size='40'>Grid</text>",
    ])
    func drawingsMatchRsvgConvert(content: String) throws {
        let file = drawing("width='100' height='80'", content)
        let result = try Decoding(file, target: target)
        // 6400 is 100 times 2^6.
        #expect(result.info?.format == "SVG")
        #expect(result.info?.size == PixelSize(width: 6400, height: 5120))
        #expect(result.bitmaps.count == 1 && result.failure == nil)
        #expect(result.info?.isTiled == true && result.info?.detail == 4)
        let bitmap = try #require(result.bitmaps.first)
        #expect(bitmap.format == .argb32 && bitmap.levels[0].mipLevel == 4)
        let folder = TemporaryFolder()
        let path = folder.file("a.svg", file)
        _ = ChildProcess.run([
            "rsvg-convert", "-w", "400", "-h", "320", path, "-o", folder / "a.png",
        ])
        let wanted = Reference([folder / "a.png"], PixelSize(width: 400, height: 320))
        for y in stride(from: 0, to: 320, by: 3) {
            for x in 0..<400 {
                let (own, other) = (bitmap.pixel(x, y), wanted.word(x, y))
                #expect(abs(own.r - other.r) <= 2 && abs(own.g - other.g) <= 2)
                #expect(abs(own.b - other.b) <= 2 && abs(own.a - other.a) <= 2)
            }
        }
    }

    @Test(arguments: [
        "width='1e38' height='1e38'", "width='1e38' viewBox='0 0 1e-38 1e38'",
        "width='1e-30' height='1e-30'",
    ])
    func anInvalidSizeIsRefused(_ attributes: String) throws {
        let failure = try Decoding(drawing(attributes)).failure
        guard case .damaged = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    private struct Scaled {
        var attributes: String
        var width: Int
        var height: Int
        /// The power of two that scales the size.
        var exponent = 0
    }

    private static let scaled = [
        Scaled(attributes: "width='1in' height='48pt'", width: 96, height: 64, exponent: 6),
        Scaled(attributes: "viewBox='0 0 30 10'", width: 30, height: 10, exponent: 8),
        Scaled(
            attributes: "width='100%' height='100%' viewBox='0 0 200 100'", width: 200,
            height: 100, exponent: 5),
        Scaled(attributes: "width='60' viewBox='0 0 200 100'", width: 60, height: 30, exponent: 7),
        Scaled(attributes: "width='5000' height='100'", width: 5000, height: 100),
        Scaled(attributes: "width='40000' height='100'", width: 10000, height: 25),
        Scaled(attributes: "", width: 90, height: 90, exponent: 6),
        Scaled(attributes: "width='10.5mm' height='10.5mm'", width: 5080, height: 5080),
    ]

    @Test(arguments: scaled.indices)
    func theSizeIsScaledByAPowerOfTwo(_ index: Int) throws {
        let scaled = Self.scaled[index]
        let decoding = try Decoding(
            drawing(scaled.attributes), target: PixelSize(width: 60, height: 60))
        let size = PixelSize(
            width: scaled.width << scaled.exponent, height: scaled.height << scaled.exponent)
        #expect(decoding.info?.size == size, "\(scaled.attributes)")
    }

    @Test func aDrawingWithoutASizeFillsThePicture() throws {
        let result = try Decoding(
            drawing("", "<rect width='90' height='90' fill='red'/>"), target: target)
        let bitmap = try #require(result.bitmaps.first)
        let last = bitmap.levels[0].size.width - 1
        #expect(bitmap.pixel(last, last) == (255, 255, 0, 0))
    }

    @Test(arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>",
        "\u{FEFF}<!-- a > b --> <svg:svg xmlns:svg='http://www.w3.org/2000/svg' width='8' height='8'/>",
        "<?xml version='1.0'?>\n<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/x'>"
            + "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>",
    ])
    func drawingsAreRecognizedByTheirRootElement(_ text: String) throws {
        #expect(try Decoding(Array(text.utf8), target: target).info?.format == "SVG")
    }

    @Test(arguments: ["<html><svg/></html>", "svg", "<svgx/>", "<!-- <svg> -->", "<a/>", "<svg"])
    func otherTextIsNotADrawing(_ text: String) throws {
        #expect(try Decoding(Array(text.utf8)).failure == .notAPicture(kind: "a text file"))
    }

    @Test func gzippedDrawingsAreDecoded() throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.svg", drawing("width='100' height='80'"))
        _ = ChildProcess.run(["gzip", path])
        let file = Reference.contents(path + ".gz")
        let result = try Decoding(file, target: target)
        #expect(result.info?.size == PixelSize(width: 6400, height: 5120))
        let cut = try Decoding(Array(file.prefix(file.count - 12)), target: target)
        #expect(cut.failure == .damaged(reason: "the gzip data is corrupt or cut short"))
        // Other gzipped data is not a drawing.
        let other = folder.file("b", "just text")
        _ = ChildProcess.run(["gzip", other])
        let failure = try Decoding(Reference.contents(other + ".gz")).failure
        #expect(failure == .notAPicture(kind: "a gzip archive"))
    }

    @Test func aGzipBombIsRefused() throws {
        let folder = TemporaryFolder()
        let script = """
            (printf '%s' "<svg xmlns='http://www.w3.org/2000/svg'>"; \
            head -c 70000000 /dev/zero | tr '\\0' ' '; printf '</svg>') | gzip -1 > \(folder / "a")
            """
        _ = ChildProcess.run(["bash", "-c", script])
        let result = try Decoding(Reference.contents(folder / "a"))
        #expect(result.failure == .damaged(reason: "it is more than 64 MiB of text"))
    }

    @Test func tooMuchPlainTextIsRefused() throws {
        let end = Array("</svg>".utf8)
        let start = Array("\(Self.start) width='9' height='9'>".utf8)
        let spaces = [UInt8](repeating: 32, count: 64 << 20)
        let failure = try Decoding(start + spaces + end).failure
        #expect(failure == .damaged(reason: "it is more than 64 MiB of text"))
    }

    // MARK: Forbidden content

    /// Decodes a drawing that refers to a secret file; the file's colours must not be shown.
    private func leak(
        _ content: (_ secret: String) -> String, doctype: (String) -> String = { _ in "" }
    )
        throws -> Decoding
    {
        let folder = TemporaryFolder()
        let secret = folder.file("secret.png", TestPicture.card(8, 8).png())
        let text =
            doctype(secret) + "\(Self.start) xmlns:xlink='http://www.w3.org/1999/xlink' "
            + "xmlns:xi='http://www.w3.org/2001/XInclude' width='100' height='100'>"
            + content(secret) + "</svg>"
        return try Decoding(Array(text.utf8), target: target)
    }

    @Test func externalPicturesAreNotLoaded() throws {
        for prefix in ["file://", ""] {
            let result = try leak {
                "<image xlink:href='\(prefix)\($0)' width='100' height='100'/>"
            }
            #expect(try #require(result.bitmaps.first).pixel(100, 100).a == 0)
        }
        // A picture embedded as a data URL is shown.
        let inside =
            "<image width='100' height='100' xlink:href='data:image/svg+xml,"
            + "%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2210%22 height=%2210%22%3E"
            + "%3Crect width=%2210%22 height=%2210%22 fill=%22red%22/%3E%3C/svg%3E'/>"
        let shown = try leak { _ in inside }
        #expect(try #require(shown.bitmaps.first).pixel(100, 100) == (255, 255, 0, 0))
    }

    @Test func externalEntitiesAreNotLoaded() throws {
        // If the entity were loaded, a red rectangle would be shown.
        let folder = TemporaryFolder()
        let color = folder.file("color", "<rect width='100' height='100' fill='red'/>")
        let text =
            "<!DOCTYPE svg [<!ENTITY out SYSTEM 'file://\(color)'>]>"
            + "\(Self.start) width='100' height='100'>&out;</svg>"
        let result = try Decoding(Array(text.utf8), target: target)
        #expect(result.bitmaps.isEmpty || result.bitmaps[0].pixel(100, 100).a == 0)
        let included = try leak { "<xi:include href='\($0)' parse='text'/>" }
        #expect(included.bitmaps.isEmpty || included.bitmaps[0].pixel(100, 100).a == 0)
    }

    @Test func scriptsAreNotRun() throws {
        let script = """
            <script>document.documentElement.firstChild.setAttribute('fill','red')</script>
            <rect width='100' height='100' fill='lime' onload="this.setAttribute('fill','red')"/>
            """
        let result = try Decoding(drawing("width='100' height='100'", script), target: target)
        #expect(try #require(result.bitmaps.first).pixel(100, 100) == (255, 0, 255, 0))
    }

    @Test func aBillionLaughsAreRefused() throws {
        var entities = "<!ENTITY l0 'ha'>"
        for level in 1...9 {
            let part = String(repeating: "&l\(level - 1);", count: 10)
            entities += "<!ENTITY l\(level) '\(part)'>"
        }
        let text =
            "<!DOCTYPE svg [\(entities)]>\(Self.start) width='9' height='9'><text>&l9;</text></svg>"
        let result = try Decoding(Array(text.utf8), target: target)
        #expect(result.failure != .crashed && result.failure != .hung)
        #expect(result.failure != nil)
    }

    @Test func damagedFilesDoNotCrashTheDecoder() throws {
        let file = drawing("width='5000' height='40'")
        #expect(try Damage.isSurvived(file, from: 60, seeds: 6))
        guard case .damaged = try Decoding(Array(file.prefix(200))).failure else {
            Issue.record("a drawing that ends is damaged")
            return
        }
        let huge = try Decoding(drawing("width='1e300' height='1e-300'"))
        #expect(huge.failure != .crashed && huge.failure != .hung)
    }
}
