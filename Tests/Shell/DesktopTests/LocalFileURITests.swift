import Folders
import Testing

@testable import Desktop

@Suite struct LocalFileURITests {
    @Test(arguments: [
        ("file:///a/b.png", "/a/b.png"), ("file:/a", "/a"), ("FILE:///a", "/a"),
        ("file://localhost/a%20b", "/a b"), ("file://LocalHost/a", "/a"),
        ("file:///%E2%82%AC%2f%25?x", "/€/%?x"), ("file:///", "/"),
    ])
    func localFiles(uri: String, path: String) {
        #expect(LocalFileURI.path(of: uri) == FilePath(path))
    }

    @Test func aPathNeedNotBeUnicode() {
        #expect(LocalFileURI.path(of: "file:///%ff%FE")?.bytes == [0x2f, 0xff, 0xfe])
    }

    @Test(arguments: [
        "", "file:", "file://", "file://localhost", "/a", "file:a", "file://other/a",
        "sftp://host/a", "http:///a", "file:///a%0", "file:///a%", "file:///a%zz", "file:///a%00b",
        "file:///a#b", "file", "trash:///a", "file:///%f\u{301}",
    ])
    func othersAreRefused(uri: String) {
        #expect(LocalFileURI.path(of: uri) == nil)
    }

    @Test func everyPathHasAURI() {
        #expect(LocalFileURI.uri(of: FilePath("/a/b c#%.png")) == "file:///a/b%20c%23%25.png")
        let path = FilePath([UInt8(ascii: "/")] + Array(1...255))
        #expect(LocalFileURI.path(of: LocalFileURI.uri(of: path)) == path)
    }
}
