import Folders
import Glibc
import SystemCalls
import Testing
import WaylandClient

@testable import Application

/// Files in the forms in which programs exchange them.
@Suite struct FileListTests {
    private static let paths = [
        FilePath("/home/a b/ü#1.png"), FilePath(Array("/x/".utf8) + [0xFF, 0x0A, 0x25]),
    ]

    @Test(arguments: [FileList.uris, FileList.gnome])
    func pathsComeBackAsTheyWent(type: String) throws {
        let bytes = try #require(FileList.bytes(of: Self.paths, as: type))
        #expect(bytes.allSatisfy { $0 < 128 })
        let received = try #require(FileList.parse(bytes, as: type))
        #expect(received == FileList.Received(paths: Self.paths))
    }

    @Test func theFormsAreThoseOfOtherPrograms() {
        let path = [FilePath("/a b.png")]
        #expect(
            FileList.bytes(of: path, as: FileList.uris) == Array("file:///a%20b.png\r\n".utf8))
        #expect(
            FileList.bytes(of: path, as: FileList.gnome) == Array("copy\nfile:///a%20b.png".utf8))
        #expect(FileList.bytes(of: path, as: FileList.text) == Array("/a b.png".utf8))
        #expect(FileList.bytes(of: path, as: "image/png") == nil)
    }

    @Test func whatIsNoFileOfThisComputerIsRefused() throws {
        let text = """
            # a comment
            file:///a.png
            https://example.org/b.png
            file://other.machine/c.png
            file:///d%ZZ.png
            nonsense
            file:/e.png
            """
        let received = try #require(FileList.parse(Array(text.utf8), as: FileList.uris))
        #expect(received.paths == [FilePath("/a.png"), FilePath("/e.png")])
        #expect(received.refused.count == 4 && !received.isCut)
        let cut = FileList.parse(Array("cut\nfile:///a.png".utf8), as: FileList.gnome)
        #expect(cut == FileList.Received(paths: [FilePath("/a.png")], isCut: true))
        #expect(FileList.parse([], as: FileList.uris) == FileList.Received())
        #expect(FileList.parse([0, 255, 10, 13], as: FileList.gnome)?.paths == [])
    }

    @Test func tenThousandFilesAreTakenAndOneMoreIsNot() {
        let line = Array("file:///pictures/of/a/long/holiday/picture-0123456789.jpeg\r\n".utf8)
        let all = (0..<FileList.most).flatMap { _ in line }
        #expect(all.count < FileList.limit)
        #expect(FileList.parse(all, as: FileList.uris)?.paths.count == 10_000)
        #expect(FileList.parse(all + line, as: FileList.uris) == nil)
    }

    /// Other programs do not escape every byte, and a name need not be UTF-8.
    @Test func bytesOfNamesAreKept() throws {
        let line = Array("file:///a".utf8) + [0xE9, 0x20] + Array("%FF.png".utf8)
        let received = try #require(FileList.parse(line, as: FileList.uris))
        #expect(
            received.paths.map(\.bytes) == [
                Array("/a".utf8) + [0xE9, 0x20, 0xFF] + Array(".png".utf8)
            ])
    }

    @Test func filesComeBeforePicturesAndPicturesKeepMost() {
        func choice(_ types: String...) -> [String] { DataWant.choose(types).map(\.type) }
        #expect(choice("image/png", "text/uri-list") == ["text/uri-list", "image/png"])
        #expect(choice("text/uri-list", FileList.gnome) == [FileList.gnome])
        #expect(choice("image/jpeg", "image/png") == ["image/png"])
        #expect(choice("image/jpeg") == ["image/jpeg"])
        #expect(choice("text/html", "image/webp") == ["image/webp"])
        #expect(choice("text/plain", "application/pdf") == [])
        #expect(DataWant.choose(["image/png"]).map(\.usesMemoryFile) == [true])
        // Browsers list the address first.
        let browser = ["text/x-moz-url", "text/uri-list", "text/html", "image/jpeg", "image/png"]
        #expect(DataWant.choose(browser).map(\.type) == ["text/uri-list", "image/png"])
        #expect(DataWant.choose(browser).map(\.usesMemoryFile) == [false, true])
    }

    /// Where a list names no local file, the picture beside it is taken.
    @Test(arguments: [
        ("file:///a.png", true), ("https://example.org/a.png\r\nfile:///b.png", true),
        ("https://example.org/a.png", false), ("# a comment", false), ("file://other/a.png", false),
        ("file:///a%zz", false), ("nonsense", false),
    ])
    func aListIsOfUseIfItNamesALocalFile(text: String, isUseful: Bool) {
        let data = ReceivedData(type: FileList.uris, contents: .bytes(Array(text.utf8)))
        #expect(data.namesPicture == isUseful)
    }

    @Test func aPictureAndAListThatIsTooLongAreOfUse() {
        let picture = OwnedDescriptor(dup(0))
        #expect(ReceivedData(type: "image/png", contents: .memory(picture)).namesPicture)
        let long = (0...FileList.most).flatMap { _ in Array("https://a/\n".utf8) }
        #expect(ReceivedData(type: FileList.uris, contents: .bytes(long)).namesPicture)
    }
}
