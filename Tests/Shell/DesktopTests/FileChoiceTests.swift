import Folders
import Testing

@testable import Desktop

@Suite struct FileChoiceTests {
    private func response(_ code: UInt32, _ uris: BusValue? = nil) -> FileChoice {
        let results = uris.map { BusValue.options(["choices": .bool(true), "uris": $0]) }
        return FileChoice(
            response: .tuple([.unsigned(code), results ?? .array([], of: "{sv}")]))
    }

    private func texts(_ texts: [String]) -> BusValue {
        .variant(.array(texts.map { .text($0) }, of: "s"))
    }

    @Test func chosenFilesBecomePaths() {
        #expect(
            response(0, texts(["file:///a%20b.png", "sftp://host/c.png", "file:///d"]))
                == .chosen([FilePath("/a b.png"), FilePath("/d")], refused: ["sftp://host/c.png"]))
    }

    @Test func aPersonMayCancel() {
        #expect(response(1) == .cancelled)
        #expect(response(1, texts(["file:///a"])) == .cancelled)
        #expect(response(0, texts([])) == .cancelled)
    }

    @Test func otherEndsAreErrors() {
        #expect(response(2) == .failed(FileChoice.Message.ended))
        #expect(response(77) == .failed(FileChoice.Message.ended))
    }

    @Test(arguments: [
        BusValue.other, .tuple([]), .tuple([.unsigned(0)]), .tuple([.text("0"), .other]),
        .tuple([.unsigned(0), .unsigned(1)]), .tuple([.unsigned(0), .options([:])]),
        .tuple([.unsigned(0), .options(["uris": .text("file:///a")])]),
        .tuple([.unsigned(0), .options(["uris": .array([.unsigned(1)], of: "u")])]),
        .tuple([.unsigned(0), .options([:]), .bool(true)]),
    ])
    func answersThatMakeNoSenseAreErrors(answer: BusValue) {
        #expect(FileChoice(response: answer) == .failed(FileChoice.Message.nonsense))
    }

    @Test func thePathOfARequestIsPredicted() {
        #expect(
            Portal.requestPath(of: ":1.42", token: "vitrine7")
                == "/org/freedesktop/portal/desktop/request/1_42/vitrine7")
    }

    @Test func filesAreChosenByType() throws {
        let arguments = try #require(
            ChooserArguments.arguments(.files, token: "t", parent: "wayland:x").tuple)
        #expect(arguments[0] == .text("wayland:x"))
        let options = try #require(arguments[2].dictionary)
        #expect(options["handle_token"]?.text == "t" && options["multiple"]?.bool == true)
        let filters = (options["filters"]?.array ?? []).compactMap(\.tuple)
        try #require(filters.map { $0[0].text } == ["Pictures", "All files"])
        #expect(filters[0][1].array?.contains(.tuple([.unsigned(1), .text("image/avif")])) == true)
        #expect(filters[1][1].array == [.tuple([.unsigned(0), .text("*")])])
        let folder = try #require(
            ChooserArguments.arguments(.folder, token: "t", parent: "").tuple?[2].dictionary)
        #expect(folder["directory"]?.bool == true && folder["filters"] == nil)
    }
}
