import Folders
import Glibc
import Testing

@testable import Desktop

@Suite struct LocalFileURITests {
    private static let ownName = "host.example.org"

    private func read(_ uri: String) -> Result<FilePath, LocalFileURI.Refusal> {
        Result { () throws(LocalFileURI.Refusal) in
            try LocalFileURI.read(Array(uri.utf8)) { $0 == Self.ownName }
        }
    }

    @Test(arguments: [
        ("file:///a/b.png", "/a/b.png"), ("file:/a", "/a"), ("FILE:///a", "/a"),
        ("file://localhost/a%20b", "/a b"), ("file://LocalHost/a", "/a"),
        ("file:///%E2%82%AC%2f%25?x", "/€/%?x"), ("file:///", "/"),
        ("file://host.example.org/a", "/a"), ("file://Host.Example.ORG/a", "/a"),
        ("file:////other/a", "//other/a"),
    ])
    func localFiles(uri: String, path: String) {
        #expect(read(uri) == .success(FilePath(path)))
    }

    @Test func aPathNeedNotBeUnicode() throws {
        #expect(LocalFileURI.path(of: "file:///%ff%FE")?.bytes == [0x2f, 0xff, 0xfe])
        // Programs that do not escape send the bytes of the name.
        let raw = try LocalFileURI.read(Array("file:///".utf8) + [0xE9, 0x20])
        #expect(raw.bytes == [0x2f, 0xE9, 0x20])
    }

    /// A file of another computer is never one of this.
    @Test(arguments: [
        "", "/a", "file", "file://other/a", "file://other", "file://localhost.other/a",
        "file://localhost:80/a", "file://user@localhost/a", "file://host/a", "file://example.org/a",
        "file://other.host.example.org/a", "file://%6Cocalhost/a", "file://\u{212A}/a",
        "sftp://host/a", "http:///a", "https://example.org/b.png", "trash:///a", "nonsense",
        "data:image/png;base64,AAAA", "file:///dev/stdin", "file:///dev/fd/3",
        "file://localhost/proc/self/fd/0", "file:///%64ev/std%69n",
    ])
    func othersAreRefused(uri: String) {
        #expect(read(uri) == .failure(.elsewhere))
    }

    @Test(arguments: [
        "file:", "file://", "file://localhost", "file:a", "file:///a%0", "file:///a%",
        "file:///a%zz",
        "file:///a%00b", "file:///a#b", "file:///%f\u{301}", "file:///a%%20", "file:///a%+1",
        "file:///a%u0041",
    ])
    func damagedOnesAreRefused(uri: String) {
        #expect(read(uri) == .failure(.damaged))
    }

    @Test func theOwnNameIsThisComputer() throws {
        var buffer = [CChar](repeating: 0, count: 256)
        try #require(gethostname(&buffer, 255) == 0)
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let name = String(decoding: bytes, as: UTF8.self).lowercased()
        #expect(LocalFileURI.isThisComputer(name))
        #expect(LocalFileURI.isThisComputer(String(name.prefix { $0 != "." })))
        for other in ["", name + "x", "x" + name, name + ".example.invalid", "example.invalid"] {
            #expect(!LocalFileURI.isThisComputer(other), "\(other)")
        }
        #expect(LocalFileURI.path(of: "file://\(name)/a") == FilePath("/a"))
    }

    @Test(arguments: [
        ("file:///a", true), ("FILE:/a", true), ("https://example.org/a", true),
        ("a+b-1.c://", true),
        ("file:a", false), ("a:b", false), ("C:/a", false), ("://a", false), ("1a://b", false),
        ("a b://c", false), ("/file:///a", false), ("file", false), ("", false), (":", false),
    ])
    func textsThatAreMeantAsURIs(text: String, isURI: Bool) {
        #expect(LocalFileURI.isURI(Array(text.utf8)) == isURI)
    }

    /// Neither a text of any bytes nor a damaged URI stops the program or names a relative path.
    @Test func anyBytesAreRead() {
        var state: UInt64 = 5
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<20_000 {
            var bytes = Array("file://localhost/a%20b".utf8)
            for _ in 0..<next(4) { bytes[next(bytes.count)] = UInt8(next(256)) }
            bytes.removeLast(next(8))
            if let path = try? LocalFileURI.read(bytes) {
                #expect(path.bytes.first == UInt8(ascii: "/") && !path.bytes.contains(0))
            }
            _ = LocalFileURI.isURI(bytes)
        }
    }

    @Test func everyPathHasAURI() {
        #expect(LocalFileURI.uri(of: FilePath("/a/b c#%.png")) == "file:///a/b%20c%23%25.png")
        let path = FilePath([UInt8(ascii: "/")] + Array(1...255))
        #expect(LocalFileURI.path(of: LocalFileURI.uri(of: path)) == path)
    }
}
