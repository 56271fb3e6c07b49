import Folders
import Geometry
import ImageTypes
import SystemCalls
import TestKit
import Testing

@testable import Desktop

/// The real xdg-desktop-portal, with a backend of the test that agrees to everything.
@Suite struct RealPortalTests {
    private let bus: PrivateBus
    private let folder = TemporaryFolder()
    private let services: DesktopServices

    init() throws {
        folder.folder("portals")
        folder.folder("data")
        let implemented = ["Wallpaper", "Access", "Email", "Print", "FileChooser"]
            .map { "org.freedesktop.impl.portal.\($0);" }.joined()
        _ = folder.file(
            "portals/test.portal",
            """
            [portal]
            DBusName=org.freedesktop.impl.portal.desktop.test
            Interfaces=\(implemented)
            UseIn=test
            """)
        bus = try PrivateBus(environment: [
            "HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)", "XDG_DATA_DIRS=/usr/share",
            "XDG_DATA_HOME=\(folder.path)/data", "XDG_DESKTOP_PORTAL_DIR=\(folder.path)/portals",
            "XDG_CURRENT_DESKTOP=test", "GIO_USE_VFS=local",
        ])
        let script = "\(Binaries.package)/Tests/Shell/DesktopTests/Support/portal-backend"
        try bus.run(["/usr/bin/python3", script, folder / "calls.txt"])
        let address = bus.address
        services = DesktopServices { address }
    }

    private var calls: String { TestFile.text(folder / "calls.txt") ?? "" }

    private func answer(_ request: (@escaping (DesktopAnswer) -> Void) -> Void) -> DesktopAnswer? {
        var answer: DesktopAnswer?
        request { answer = $0 }
        for _ in 0..<400 where answer == nil {
            waitUntilReady(services.pollDescriptor, milliseconds: 50)
            services.handleReadable()
        }
        return answer
    }

    private func picture() -> FilePath { FilePath(folder.file("a b.png", "pixels")) }

    @Test func theBackgroundIsSet() {
        let file = picture()
        #expect(answer { services.setBackground(file, parent: nil, onEnd: $0) } == .done)
        #expect(calls.contains("SetWallpaperURI"))
        #expect(calls.contains("'set-on': 'both'"))
    }

    @Test func mailHasTheFile() {
        let file = picture()
        #expect(
            answer {
                services.compose([file], subject: "One", token: nil, parent: nil, onEnd: $0)
            } == .done)
        // Some versions pass the path on, others the URI.
        let names = [file.description, LocalFileURI.uri(of: file)]
        #expect(calls.contains("ComposeEmail") && names.contains(where: calls.contains))
    }

    @Test func aPageIsPrinted() {
        let size = PixelSize(width: 8, height: 4)
        let picture = Bitmap(
            size: size, format: .rgb24,
            levels: [.init(mipLevel: 0, size: size, stride: 32, offset: 0)],
            memory: TestPixels(32 * 4))
        #expect(answer { services.print(picture, title: "A", parent: nil, onEnd: $0) } == .done)
        #expect(calls.contains("PreparePrint") && calls.contains("Print ("))
        let page = TestPDF.text(folder / "calls.txt.pdf") ?? ""
        // 100 mm × 200 mm, in points.
        #expect(page.hasPrefix("%PDF-") && page.contains("283.46") && page.contains("566.92"))
    }

    @Test func aFolderIsChosen() {
        var choice: FileChoice?
        _ = services.openFiles(.destination(title: "Copy to", start: FilePath(folder.path))) {
            choice = $0
        }
        for _ in 0..<400 where choice == nil {
            waitUntilReady(services.pollDescriptor, milliseconds: 50)
            services.handleReadable()
        }
        #expect(choice == .chosen([FilePath("/usr")], refused: []))
        #expect(calls.contains("'Copy to'"))
    }
}

/// Grey pixels.
final class TestPixels: PixelMemory {
    /// Nothing writes to the memory after `init`, and it lives as long as this object.
    nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

    init(_ count: Int) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0x80)
        bytes = UnsafeRawBufferPointer(memory)
    }

    deinit { bytes.deallocate() }
}
