import Control
import Testing

@Suite struct MessageTableTests {
    private static func read(_ text: String) throws(MessageError) -> Message {
        try ControlProtocol.message(Array(text.utf8))
    }

    @Test(arguments: [
        (#"{"command":"next"}"#, Message.next),
        (#"{"command":"next","arguments":[]}"#, .next),
        (#"{"command":"goto","arguments":[5],"version":1}"#, .goto(5)),
        (#"{"command":"goto","arguments":["-1"]}"#, .goto(-1)),
        (#"{"command":"zoom","arguments":[0.5]}"#, .zoom(.factor(0.5))),
        (#"{"command":"zoom","arguments":["1:1"]}"#, .zoom(.oneToOne)),
        (#"{"command":"rotate","arguments":[-90]}"#, .rotate(quarterTurns: -1)),
        (#"{"command":"rotate","arguments":[450]}"#, .rotate(quarterTurns: 1)),
        (#"{"command":"fullscreen","arguments":[true]}"#, .fullscreen(true)),
        (#"{"command":"fullscreen","arguments":["off"]}"#, .fullscreen(false)),
        (#"{"command":"slideshow","arguments":[2.5]}"#, .slideshow(.every(2.5))),
        (#"{"command":"slideshow","arguments":["on"]}"#, .slideshow(.on)),
        (#"{"command":"open","arguments":["/a","file:///b"]}"#, .open(["/a", "file:///b"])),
        (#"{"command":"set","arguments":["a.b","c d"]}"#, .set(key: "a.b", value: "c d")),
        (#"{"command":"do","arguments":["zoom-in"]}"#, .perform("zoom-in")),
    ])
    func aRequestIsAMessage(_ text: String, _ message: Message) throws {
        #expect(try Self.read(text) == message)
    }

    @Test(arguments: [
        "", "x", "5", "[]", "{}", #"{"command":5}"#, #"{"command":"nothing"}"#,
        #"{"command":"next","arguments":[1]}"#, #"{"command":"goto"}"#,
        #"{"command":"goto","arguments":[0]}"#, #"{"command":"goto","arguments":[1.5]}"#,
        #"{"command":"goto","arguments":[1,2]}"#, #"{"command":"goto","arguments":5}"#,
        #"{"command":"goto","arguments":[null]}"#, #"{"command":"goto","arguments":[[1]]}"#,
        #"{"command":"zoom","arguments":[0]}"#, #"{"command":"zoom","arguments":["nan"]}"#,
        #"{"command":"zoom","arguments":["inf"]}"#, #"{"command":"rotate","arguments":[45]}"#,
        #"{"command":"rotate","arguments":[1e300]}"#, #"{"command":"lock","arguments":["yes"]}"#,
        #"{"command":"slideshow","arguments":[0]}"#, #"{"command":"slideshow","arguments":[1e9]}"#,
        #"{"command":"open","arguments":[]}"#, #"{"command":"open","arguments":["a"]}"#,
        #"{"command":"open","arguments":["-"]}"#, #"{"command":"screenshot","arguments":["a"]}"#,
        #"{"command":"screenshot","arguments":["/a\u0000b"]}"#,
        #"{"command":"next","version":2}"#, #"{"command":"next","version":"1"}"#,
    ])
    func aBadRequestIsRefusedInWords(_ text: String) {
        let error = #expect(throws: MessageError.self) { try Self.read(text) }
        #expect(error?.reason.isEmpty == false)
    }

    @Test func theClientWritesWhatTheServerReads() throws {
        let line = ControlProtocol.request("open", ["/é \"x\"\n", "/b"])
        #expect(try Self.read(line) == .open(["/é \"x\"\n", "/b"]))
    }

    @Test func everyRowOfTheTableIsAMessage() throws {
        let names = MessageTable.entries.map(\.name)
        #expect(Set(names).count == names.count)
        let examples = [
            "open": ["/a"], "goto": ["1"], "zoom": ["fit"], "rotate": ["90"], "slideshow": ["on"],
            "fullscreen": ["on"], "screen": ["on"], "screenshot": ["/a.png"], "play": ["/a"],
            "lock": ["on"], "do": ["next"], "set": ["a", "b"],
        ]
        for entry in MessageTable.entries {
            _ = try MessageTable.message(entry.name, examples[entry.name] ?? [])
            for word in entry.words { _ = try MessageTable.message(entry.name, [word]) }
        }
    }

    @Test func repliesAreLines() {
        #expect(Reply.done.text == "{\"ok\":true}\n")
        #expect(Reply.error("a \"b\"").text == "{\"error\":\"a \\\"b\\\"\"}\n")
    }
}
