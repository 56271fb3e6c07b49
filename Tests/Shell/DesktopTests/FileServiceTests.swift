import Folders
import Geometry
import ImageTypes
import SystemCalls
import TestKit
import Testing

@testable import Desktop

/// What the desktop does with files, by portals and programs of the tests on a bus of their own.
@Suite struct FileServiceTests {
    private let bus: PrivateBus
    private let folder = TemporaryFolder()

    init() throws {
        bus = try PrivateBus(environment: [
            "HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)", "XDG_DATA_DIRS=/nonexistent",
            "GIO_USE_VFS=local",
        ])
    }

    private func services() -> DesktopServices {
        let address = bus.address
        return DesktopServices { address }
    }

    @discardableResult
    private func start(_ program: String, _ mode: String) throws -> RunningProcess {
        let script = "\(Binaries.package)/Tests/Shell/DesktopTests/Support/\(program)"
        return try bus.run(["/usr/bin/python3", script, mode, folder / "calls.txt"])
    }

    private var calls: String { TestFile.text(folder / "calls.txt") ?? "" }

    private func wait(_ services: DesktopServices, _ condition: () -> Bool) -> Bool {
        for _ in 0..<400 where !condition() {
            waitUntilReady(services.pollDescriptor, milliseconds: 50)
            services.handleReadable()
        }
        return condition()
    }

    private typealias End = (DesktopAnswer) -> Void

    /// The answer to a request; nil if there is none within 20 s.
    private func answer(_ request: (DesktopServices, @escaping End) -> Void) -> DesktopAnswer? {
        let services = services()
        var answer: DesktopAnswer?
        request(services) { answer = $0 }
        _ = wait(services) { answer != nil }
        return answer
    }

    private func picture() -> FilePath { FilePath(folder.file("a b.png", "pixels")) }

    private func background(_ services: DesktopServices, _ end: @escaping End) {
        services.setBackground(picture(), parent: "wayland:h", onEnd: end)
    }

    // MARK: Portals

    @Test func theBackgroundIsSet() throws {
        try start("portal", "services")
        #expect(answer(background) == .done)
        #expect(calls.contains("SetWallpaperFile ['wayland:h', 0]"))
        #expect(calls.contains("'show-preview': True, 'set-on': 'both'"))
        #expect(calls.contains("[b'pixels']"))
    }

    @Test(arguments: [
        ("cancels", DesktopAnswer.cancelled),
        ("fails", .failed("the desktop's service for backgrounds ended without an answer")),
        ("dies", .failed("the desktop's service for backgrounds ended without an answer")),
        ("refuses", .failed("the desktop's service for backgrounds failed: not today")),
        (
            "garbage-answer",
            .failed("the desktop's service for backgrounds sent an answer that makes no sense")
        ),
        (
            "lacks-services",
            .failed(
                "the desktop cannot set a background by its portal: install xdg-desktop-portal and "
                    + "one of its backends")
        ),
    ])
    func faultsHaveMessages(mode: String, expected: DesktopAnswer) throws {
        try start("portal", mode)
        #expect(answer(background) == expected)
    }

    @Test func aLostFileHasAMessage() throws {
        try start("portal", "services")
        let lost = FilePath(folder / "lost.png")
        #expect(
            answer { $0.setBackground(lost, parent: nil, onEnd: $1) }
                == .failed("lost.png: there is no such file"))
    }

    @Test func mailHasTheFiles() throws {
        try start("portal", "services")
        let files = [picture(), FilePath(folder.file("c.png", "more"))]
        #expect(
            answer { $0.compose(files, subject: "Two", token: "tok", parent: nil, onEnd: $1) }
                == .done)
        #expect(calls.contains("'subject': 'Two', 'attachment_fds': [0, 1]"))
        #expect(calls.contains("'activation_token': 'tok'"))
        #expect(calls.contains("[b'pixels', b'more']"))
    }

    @Test func theDesktopMayAskForTheApplication() throws {
        try start("portal", "services")
        let file = picture()
        #expect(
            answer { $0.openWithDesktop(file, token: nil, parent: "p", onEnd: $1) } == .done)
        #expect(calls.contains("OpenFile ['p', 0]") && calls.contains("'ask': True"))
    }

    /// The program for maps gets the place as a URI.
    @Test func aPlaceIsShownOnAMap() throws {
        try start("portal", "services")
        #expect(
            answer {
                $0.open(.map("geo:48.20849,16.37208"), token: "t", parent: "p", onEnd: $1)
            } == .done)
        #expect(calls.contains("OpenURI ['p', 'geo:48.20849,16.37208'"))
        #expect(calls.contains("'activation_token': 't'"))
    }

    @Test func choosersForWriting() throws {
        try start("portal", "chooses")
        let services = services()
        var choices: [FileChoice] = []
        _ = services.openFiles(.destination(title: "Copy to", start: FilePath("/home"))) {
            choices.append($0)
        }
        #expect(wait(services) { choices.count == 1 })
        #expect(calls.contains("Copy to") && calls.contains("directory True"))
        #expect(calls.contains("current_folder [47, 104, 111, 109, 101, 0]"))
        _ = services.openFiles(.newFile(title: "Save", name: "x.png", start: nil)) {
            choices.append($0)
        }
        #expect(wait(services) { choices.count == 2 })
        #expect(calls.contains("current_name x.png"))
    }

    @Test func aCancelledRequestIsSilent() throws {
        try start("portal", "waits")
        let services = services()
        let request = services.setBackground(picture(), parent: nil) { _ in
            Issue.record("an answer")
        }
        #expect(wait(services) { calls.contains("SetWallpaperFile") })
        services.cancel(request)
        // The connection still answers.
        var answer: DesktopAnswer?
        services.showInFiles([picture()], token: nil) { answer = $0 }
        bus.end()
        #expect(wait(services) { answer != nil })
    }

    @Test func theEndOfTheBusEndsRequests() throws {
        try start("portal", "waits")
        let services = services()
        var answer: DesktopAnswer?
        services.setBackground(picture(), parent: nil) { answer = $0 }
        #expect(wait(services) { calls.contains("SetWallpaperFile") })
        bus.end()
        #expect(wait(services) { answer != nil })
        #expect(
            answer
                == .failed(
                    "the desktop's service for backgrounds cannot be reached: the session bus went "
                        + "away"))
    }

    // MARK: Printing

    private func bitmap(_ width: Int, _ height: Int) -> Bitmap {
        let stride = Bitmap.Level.stride(ofWidth: width)
        let size = PixelSize(width: width, height: height)
        return Bitmap(
            size: size, format: .rgb24,
            levels: [Bitmap.Level(mipLevel: 0, size: size, stride: stride, offset: 0)],
            memory: TestPixels(stride * height))
    }

    /// The size of the page of the document that arrived, in points.
    private var page: String? {
        guard let text = TestPDF.text(folder / "calls.txt.Print0") else { return nil }
        guard text.hasPrefix("%PDF-"), text.contains("%%EOF") else { return nil }
        return text.split(separator: "/MediaBox").dropFirst().first?
            .prefix { $0 != "]" }.description
    }

    @Test(arguments: [
        ("services", 40, 30, "[ 0 0 841.889764 595.275591 "),
        ("services", 30, 40, "[ 0 0 595.275591 841.889764 "),
        ("landscape", 30, 40, "[ 0 0 841.889764 595.275591 "),
        ("hostile-paper", 30, 40, "[ 0 0 595.275591 841.889764 "),
    ])
    func aPageIsPrinted(mode: String, width: Int, height: Int, page: String) throws {
        try start("portal", mode)
        let bitmap = bitmap(width, height)
        #expect(answer { $0.print(bitmap, title: "A picture", parent: "p", onEnd: $1) } == .done)
        let orientation = width > height ? "landscape" : "portrait"
        #expect(calls.contains("PreparePrint ['p', 'A picture', {'orientation': '\(orientation)'}"))
        #expect(calls.contains("Print ['p', 'A picture', 0]") && calls.contains("'token': 77"))
        #expect(self.page?.split(separator: " ") == page.split(separator: " "))
    }

    @Test func printingMayFail() throws {
        try start("portal", "no-printer")
        let bitmap = bitmap(4, 3)
        #expect(
            answer { $0.print(bitmap, title: "", parent: nil, onEnd: $1) }
                == .failed("the desktop's print service sent an answer that makes no sense"))
        #expect(!calls.split(separator: "\n").contains { $0.hasPrefix("Print [") })
    }

    // MARK: File manager

    @Test func theFileManagerShowsFiles() throws {
        try start("desktop-program", "manager")
        let file = picture()
        #expect(answer { $0.showInFiles([file], token: "tok", onEnd: $1) } == .done)
        #expect(calls == "ShowItems (['\(LocalFileURI.uri(of: file))'], 'tok')\n")
    }

    @Test func aFileManagerThatFailsHasAMessage() throws {
        try start("desktop-program", "fails")
        let file = picture()
        #expect(
            answer { $0.showInFiles([file], token: nil, onEnd: $1) }
                == .failed("the file manager failed: no window"))
    }

    @Test func withoutABusThereAreMessages() {
        let services = DesktopServices { nil }
        var answers: [DesktopAnswer] = []
        let reason = "cannot be reached: this session has no desktop services"
        let bitmap = bitmap(2, 2)
        services.showInFiles([FilePath("/a")], token: nil) { answers.append($0) }
        _ = wait(services) { answers.count == 1 }
        services.print(bitmap, title: "", parent: nil) { answers.append($0) }
        _ = wait(services) { answers.count == 2 }
        #expect(
            answers == [
                .failed("the file manager \(reason)"),
                .failed("the desktop's print service \(reason)"),
            ])
    }
}
