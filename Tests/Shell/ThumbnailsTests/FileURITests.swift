import Testing

@testable import Thumbnails

/// Compared with GLib 2.74 (g_file_get_uri of g_file_new_for_path).
@Suite struct FileURITests {
    @Test(arguments: [
        ("/a/b", "file:///a/b"), ("/a/b/", "file:///a/b"), ("/", "file:///"),
        ("/..", "file:///"), ("/a/..", "file:///"), ("/../x", "file:///x"),
        ("///a/./b/../c", "file:///a/c"), ("//a//b/", "file:////a/b"), ("//", "file:////"),
        ("//../x", "file:////x"), ("/a/...", "file:///a/..."), ("/ä", "file:///%C3%A4"),
        ("/!$&'()*+,-./:=@_~", "file:///!$&'()*+,-./:=@_~"),
    ])
    func urisAreThoseOfGLib(_ path: String, _ uri: String) {
        #expect(FileURI.uri(of: Array(path.utf8)) == Array(uri.utf8))
    }

    @Test func allOtherBytesAreEscaped() {
        let path: [UInt8] = Array("/a b".utf8) + [0xFF] + Array("\n%;#?[]\"<>|\\^`{}".utf8)
        let uri = "file:///a%20b%FF%0A%25%3B%23%3F%5B%5D%22%3C%3E%7C%5C%5E%60%7B%7D"
        #expect(FileURI.uri(of: path) == Array(uri.utf8))
    }

    @Test func relativePathsStartAtTheWorkingDirectory() {
        #expect(FileURI.canonical(Array("x".utf8)) == FileURI.canonical(Array("./y/../x".utf8)))
        #expect(FileURI.canonical(Array("x".utf8)).first == UInt8(ascii: "/"))
    }
}
