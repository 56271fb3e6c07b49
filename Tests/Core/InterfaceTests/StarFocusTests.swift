import Motion
import Testing

@testable import Interface

/// The focus of the question for stars, which may be asked before the stars are known.
@Suite struct StarFocusTests {
    /// The stars at first, what a person presses, the stars that arrive then (nil for none), the focus
    /// after that, and what Return answers.
    private typealias Row = (
        first: Int?, keys: [String], later: Int?, focus: String, answer: Prompt.Answer
    )

    private static let rows: [Row] = [
        // Known before the question, or the same later.
        (3, [], 3, "prompt-stars/3", .choice(3)),
        (0, [], 0, "prompt-stars/0", .choice(0)),
        (9, [], 9, "prompt-stars/5", .choice(5)),
        // Not known, or not the same for all pictures: Return changes nothing.
        (nil, [], nil, "prompt-cancel", .cancelled),
        (4, [], nil, "prompt-cancel", .cancelled),
        // Known after the question, and nobody has moved the focus.
        (nil, [], 5, "prompt-stars/5", .choice(5)),
        (nil, [], 0, "prompt-stars/0", .choice(0)),
        (2, [], 5, "prompt-stars/5", .choice(5)),
        (nil, ["x"], 5, "prompt-stars/5", .choice(5)),
        (nil, ["Next"], 5, "prompt-stars/5", .choice(5)),
        // A focus that somebody has moved stays.
        (nil, ["Right"], nil, "prompt-stars/1", .choice(1)),
        (nil, ["Right"], 5, "prompt-stars/1", .choice(1)),
        (nil, ["Right", "Right", "Right"], 5, "prompt-stars/3", .choice(3)),
        (nil, ["Left"], 5, "prompt-stars/0", .choice(0)),
        (nil, ["Tab"], 5, "prompt-stars/0", .choice(0)),
        (nil, ["Right", "Tab"], 5, "prompt-cancel", .cancelled),
        (2, ["Right"], 5, "prompt-stars/3", .choice(3)),
        (2, ["Right", "Left"], 5, "prompt-stars/2", .choice(2)),
        (2, ["Right"], nil, "prompt-stars/3", .choice(3)),
        (2, ["Tab"], 5, "prompt-cancel", .cancelled),
        (2, ["Tab", "Left"], 5, "prompt-stars/2", .choice(2)),
    ]

    private static func prompt(_ stars: Int?) -> Prompt {
        var prompt = SamplePrompts.rate
        prompt.rating = stars
        return prompt
    }

    @Test(arguments: rows.indices) func theFocusFollowsTheStars(number: Int) {
        let row = Self.rows[number]
        let desk = PromptDesk()
        desk.show(Self.prompt(row.first))
        for key in row.keys { #expect(desk.key(key) == nil, "\(row)") }
        desk.show(Self.prompt(row.later))
        #expect(desk.chrome.focusedWidget == row.focus, "\(row)")
        #expect(desk.key("Return") == row.answer, "\(row)")
    }

    /// The stars are shown as they arrive, wherever the focus is.
    @Test(arguments: ["", "Right", "Tab"]) func theStarsThatArriveAreShown(key: String) throws {
        let desk = PromptDesk()
        func stars(_ state: Widget.States) throws -> [String] {
            let sheet = try #require(desk.chrome.shownSheet).widget(at: .zero)
            return (0...5).map { "prompt-stars/\($0)" }
                .filter { sheet.widget($0)?.states.contains(state) == true }
        }
        desk.show(Self.prompt(nil))
        if !key.isEmpty { desk.key(key) }
        #expect(try stars(.checked) == [])
        #expect(try stars(.focusable).count == 6)
        desk.show(Self.prompt(5))
        #expect(try stars(.checked) == ["prompt-stars/5"])
        desk.show(Self.prompt(0))
        #expect(try stars(.checked) == ["prompt-stars/0"])
    }

    /// A digit needs no stars that are known.
    @Test(arguments: 0...5) func aDigitAnswersBeforeTheStarsAreKnown(stars: Int) {
        let desk = PromptDesk()
        desk.show(Self.prompt(nil))
        #expect(desk.key("\(stars)") == .choice(stars))
    }
}
