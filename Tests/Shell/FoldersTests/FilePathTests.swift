import Folders
import Testing

/// Paths from the root on.
@Suite struct FilePathTests {
    private func absolute(_ path: String) -> String {
        String(decoding: FilePath(path).absolute, as: UTF8.self)
    }

    @Test(
        arguments: [
            ("/", "/"), ("/.", "/"), ("/./", "/"), ("/a", "/a"), ("/a/", "/a/"), ("/a/.", "/a"),
            ("/a/./", "/a/"), ("/a/./b", "/a/b"), ("/./a/././b.png", "/a/b.png"),
            // A name that begins with a dot is another name.
            ("/a/.b", "/a/.b"), ("/a/b.", "/a/b."), ("/a/...", "/a/..."),
            // The name before it may be that of a link.
            ("/a/../b", "/a/../b"), ("/a/./../b", "/a/../b"),
            ("//a//b", "//a//b"),
        ])
    func dotsAreLeftOut(path: String, expected: String) {
        #expect(absolute(path) == expected)
    }

    @Test func relativePathsBeginWithTheWorkingFolder() throws {
        let bytes = try #require(FilePath.workingFolder)
        let folder = String(decoding: bytes, as: UTF8.self)
        let start = folder == "/" ? "" : folder
        #expect(absolute(".") == folder)
        #expect(absolute("./") == "\(start)/")
        #expect(absolute("") == "\(start)/")
        #expect(absolute("a.png") == "\(start)/a.png")
        #expect(absolute("./a.png") == "\(start)/a.png")
        #expect(absolute("b/./a.png") == "\(start)/b/a.png")
        #expect(absolute("./-") == "\(start)/-")
        #expect(absolute("../a.png") == "\(start)/../a.png")
    }

    @Test func bytesThatAreNoTextStay() {
        let path: [UInt8] = [0x2F, 0xFF, 0x2F, 0x2E, 0x2F, 0xFE]
        #expect(FilePath(path).absolute == [0x2F, 0xFF, 0x2F, 0xFE])
    }
}
