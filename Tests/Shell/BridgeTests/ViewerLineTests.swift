import Testing

@testable import Bridge

@Suite struct ViewerLineTests {
    private func line(_ text: String) -> ViewerLine? { ViewerLine(Array(text.utf8)) }

    @Test func linesOfTheViewerAreRead() {
        let text =
            "{\"event\":\"state\",\"mode\":\"viewer\",\"path\":\"/a/b.png\",\"index\":2,\"count\":9,"
            + "\"zoom\":null,\"rotation\":0,\"fullscreen\":true,\"locked\":false,\"screen\":true,"
            + "\"touched\":17,\"slideshow\":{\"on\":true}}"
        var state = ViewerState()
        (state.mode, state.path, state.index, state.count) = ("viewer", "/a/b.png", 2, 9)
        (state.screenIsOn, state.touched, state.isPlaying) = (true, 17, true)
        #expect(line(text) == .state(state))
        #expect(line("{\"ok\":true}") == .done)
        #expect(line("{\"error\":\"no\"}") == .error("no"))
        #expect(
            line("{\"program\":\"vitrine 1\",\"version\":1,\"pid\":3}")
                == .hello(program: "vitrine 1"))
        #expect(
            line("{\"history\":[{\"path\":\"/a\",\"time\":\"t\"},{\"path\":1}]}")
                == .history([ShownPicture(path: "/a", time: "t")]))
    }

    @Test func otherLinesDoNoHarm() {
        #expect(line("") == nil && line("[]") == nil && line("{\"a\":") == nil)
        #expect(line("{}") == .unknown && line("{\"event\":7}") == .unknown)
        #expect(
            line("{\"event\":\"state\",\"index\":1e300,\"touched\":\"x\"}") == .state(ViewerState())
        )
        #expect(ViewerState.name("") == "" && ViewerState.name("/") == "")
    }
}
