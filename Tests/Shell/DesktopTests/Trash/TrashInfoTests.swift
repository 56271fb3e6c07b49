import Testing

@testable import Desktop

@Suite struct TrashInfoTests {
    private func path(_ text: String) -> String? {
        TrashInfo(Array(text.utf8))?.path.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func pathsAreRead() {
        #expect(
            path("[Trash Info]\nPath=/a%20b/%C3%BC.png\nDeletionDate=2026-01-01T00:00:00")
                == "/a b/ü.png")
        #expect(path("[Trash Info]\nDeletionDate=x\nPath=sub/c.png\n") == "sub/c.png")
        #expect(path("[Trash Info]\nPath=/first\nPath=/second\n") == "/first")
    }

    @Test(arguments: [
        "", "Path=/a", "[Trash Info]", "[Other]\nPath=/a", "[Trash Info]\nPath=",
        "[Trash Info]\nPath=/a%", "[Trash Info]\nPath=/a%zz", "[Trash Info]\nPath=/a%00b",
        "[Trash Info]\nPath=../../etc/passwd", "[Trash Info]\nPath=/a/%2e%2E/b",
        "[Trash Info]\nPath=..", "[Trash Info]\npath=/a",
    ])
    func liesAreRefused(text: String) { #expect(path(text) == nil) }

    @Test func aLongTextIsRefused() {
        let text = "[Trash Info]\nPath=/" + String(repeating: "a", count: 1 << 16)
        #expect(TrashInfo(Array(text.utf8)) == nil)
    }

    @Test func onlyThePathChanges() throws {
        let text = "[Trash Info]\n# note\nPath=/a\nDeletionDate=2026-01-01T00:00:00\nX=y\n"
        var info = try #require(TrashInfo(Array(text.utf8)))
        info.setPath(Array("/ü b%".utf8))
        #expect(
            String(decoding: info.text, as: UTF8.self)
                == text.replacing("/a", with: "/%C3%BC%20b%25"))
        #expect(info.path == Array("/ü b%".utf8))
    }
}
