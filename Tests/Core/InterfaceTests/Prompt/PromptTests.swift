import Commands
import CoreTestKit
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Interface

/// What keys, fingers and the owner do with a prompt.
@Suite struct PromptTests {
    private let desk = PromptDesk()

    // MARK: Focus

    /// The first focus is where a key loses nothing.
    @Test func theFirstFocusIsSafe() {
        let cases: [(Prompt, String)] = [
            (SamplePrompts.rename, "prompt-field"), (SamplePrompts.delete, "prompt-cancel"),
            (SamplePrompts.rate, "prompt-stars/3"), (SamplePrompts.folders(3), "prompt/0"),
            (SamplePrompts.progress(0), "prompt-cancel"),
        ]
        for (prompt, id) in cases {
            desk.chrome.setPrompt(nil, at: .zero)
            desk.chrome.setPrompt(prompt, at: .zero)
            #expect(desk.chrome.focusedWidget == id)
        }
        desk.show(SamplePrompts.delete)
        #expect(desk.key("Return") == .cancelled)
    }

    @Test func tabVisitsEveryStop() {
        desk.show(SamplePrompts.folders(3))
        var seen: [String?] = []
        for _ in 0..<4 {
            seen.append(desk.chrome.focusedWidget)
            desk.key("Tab")
        }
        #expect(seen == ["prompt/0", "prompt-cancel", "prompt-confirm", "prompt/0"])
        desk.key("ISO_Left_Tab")
        desk.key("Tab", .shift)
        #expect(desk.chrome.focusedWidget == "prompt-confirm")
        #expect(desk.key("Return") == .confirmed)
    }

    /// A key that is held may have opened the prompt, so it gives no answer.
    @Test(arguments: ["Return", "space", "Escape"])
    func aHeldKeyGivesNoAnswer(name: String) {
        for prompt in [SamplePrompts.rename, SamplePrompts.applications, SamplePrompts.delete] {
            desk.chrome.setPrompt(nil, at: .zero)
            desk.show(prompt)
            #expect(desk.key(name, action: .repeated) == nil)
            #expect(desk.chrome.prompt == prompt)
        }
    }

    // MARK: Answers

    @Test func keysChooseARow() {
        desk.show(SamplePrompts.folders(30))
        for name in ["Down", "Down", "Up", "Down"] { desk.key(name) }
        #expect(desk.key("Return") == .choice(2) && desk.chrome.prompt == nil)
        desk.show(SamplePrompts.folders(30))
        desk.key("End")
        #expect(desk.chrome.focusedWidget == "prompt/29")
        desk.key("Prior")
        desk.key("Home")
        #expect(desk.chrome.focusedWidget == "prompt/0")
        #expect(desk.key("Escape") == .cancelled)
    }

    @Test func aLetterFindsAChoice() {
        desk.show(SamplePrompts.applications)
        desk.key("k")
        #expect(desk.chrome.focusedWidget == "prompt/2")
        desk.key("x")
        #expect(desk.key("space") == .choice(2))
    }

    @Test(arguments: 0...5) func digitsGiveStars(stars: Int) {
        desk.show(SamplePrompts.rate)
        #expect(desk.key("6") == nil && desk.key("a") == nil)
        #expect(desk.key(stars.isMultiple(of: 2) ? "\(stars)" : "KP_\(stars)") == .choice(stars))
    }

    @Test func arrowsMoveAlongTheStars() {
        desk.show(SamplePrompts.rate)
        desk.key("Right")
        #expect(desk.chrome.focusedWidget == "prompt-stars/4")
        for _ in 0..<9 { desk.key("Left") }
        #expect(desk.key("Return") == .choice(0))
    }

    @Test func fingersAnswer() throws {
        desk.show(SamplePrompts.folders(30))
        #expect(try desk.tap("prompt/2") == .choice(2))
        desk.show(SamplePrompts.rate)
        #expect(try desk.tap("prompt-stars/5") == .choice(5))
        desk.show(SamplePrompts.delete)
        #expect(try desk.tap("prompt-confirm") == .confirmed)
        #expect(desk.chrome.prompt == nil)
    }

    /// A tap beside the sheet cancels, but does not stop what is going on.
    @Test func aTapBesideCancels() {
        let beside = Gesture.tap(at: Point(x: 20, y: 20), source: .touch)
        desk.show(SamplePrompts.delete)
        #expect(desk.answer(desk.handle(beside)) == .cancelled)
        desk.show(SamplePrompts.progress(0.1))
        #expect(desk.handle(beside) == .consumed && desk.chrome.prompt != nil)
    }

    // MARK: Progress

    /// A progress that goes on keeps the focus and its size.
    @Test func aProgressIsUpdatedInPlace() throws {
        desk.show(SamplePrompts.progress(0, ""))
        let first = try #require(desk.chrome.shownSheet).widget(at: .zero)
        for step in 0...10 {
            desk.show(
                SamplePrompts.progress(
                    Double(step) / 10, "\(step) of 10: a name of some length.jpg"))
            let widget = try #require(desk.chrome.shownSheet).widget(at: .zero)
            #expect(widget.rect == first.rect && desk.chrome.focusedWidget == "prompt-cancel")
            #expect(widget.widget("prompt-progress")?.description == "\(step * 10) %")
        }
        #expect(desk.key("Return") == .cancelled && desk.chrome.isStopping)
        // What was asked to stop is asked once, and stays until it has stopped.
        #expect(desk.key("Return") == nil && desk.key("Escape") == nil)
        desk.show(SamplePrompts.progress(1))
        let button = desk.chrome.shownSheet?.widget(at: .zero).widget("prompt-cancel")
        #expect(button?.name == "Stopping…" && button?.states.contains(.disabled) == true)
        desk.chrome.setPrompt(nil, at: .zero)
        #expect(desk.chrome.prompt == nil)
        desk.show(SamplePrompts.progress(0))
        #expect(!desk.chrome.isStopping)
    }

    @Test(arguments: [-1, 0, 2, Double.infinity, -Double.infinity, .nan])
    func everyShareCanBeShown(share: Double) {
        desk.show(SamplePrompts.progress(share))
        let bar = desk.chrome.shownSheet?.widget(at: .zero).widget("prompt-progress")
        #expect(["0 %", "100 %"].contains(bar?.description))
    }

    // MARK: Everything else

    /// A finger scrolls the choices, and throws them.
    @Test func choicesScroll() throws {
        desk.show(SamplePrompts.folders(300))
        let center = try #require(desk.chrome.shownSheet).places.body.center
        var fingers = Manipulation(source: .touch, fingers: 1, base: center, centroid: center)
        #expect(desk.handle(.manipulationBegan(fingers)) == .consumed)
        fingers.centroid.y -= 150
        #expect(desk.handle(.manipulationChanged(fingers), 10) == .consumed)
        let release = Release(centroid: fingers.centroid)
        #expect(desk.handle(.manipulationEnded(release), 20) == .consumed)
        #expect(desk.chrome.shownSheet?.area.offset(at: desk.at(20)) == 150)
    }

    /// Choices that are set again stay where a finger has scrolled them to, unless the surface changes.
    @Test func choicesStayWhereTheyAre() throws {
        desk.show(SamplePrompts.folders(300))
        _ = desk.handle(
            .wheel(Vector(dx: 0, dy: 1200), at: .zero, zooms: false))
        let offset = try #require(desk.chrome.shownSheet).area.offset(at: .zero)
        #expect(offset > 500)
        var prompt = SamplePrompts.folders(300)
        prompt.choices[0].title = "Renamed"
        desk.show(prompt)
        var layout = desk.chrome.layout
        layout.usesPointer.toggle()
        desk.chrome.set(layout)
        #expect(desk.chrome.shownSheet?.area.offset(at: .zero) == offset)
        layout.surface.height = 500
        desk.chrome.set(layout)
        #expect(desk.chrome.shownSheet?.area.offset(at: .zero) == 0)
    }

    /// The rest of a gesture that began before the prompt is for the content.
    @Test func gesturesThatBeganBeforeGoOn() {
        desk.show(SamplePrompts.delete)
        let fingers = Manipulation(source: .touch, fingers: 1, base: .zero, centroid: .zero)
        #expect(desk.handle(.manipulationChanged(fingers)) == nil)
        #expect(desk.handle(.manipulationBegan(fingers)) == .consumed)
        #expect(desk.handle(.longPress(at: .zero, source: .mouse)) == .consumed)
    }

    /// The sheet and the dimmed surface come and go by springs, and take no input when they go.
    @Test func theSheetComesAndGoes() throws {
        desk.chrome.reducesMotion = false
        desk.show(SamplePrompts.delete)
        #expect(desk.chrome.promptItems(at: .zero).isEmpty && desk.chrome.isAnimating(at: .zero))
        #expect(desk.chrome.promptItems(at: desk.at(100)).count == 2)
        desk.chrome.advance(to: desk.at(2000))
        #expect(!desk.chrome.isAnimating(at: desk.at(2000)))
        guard case .layer(let layer)? = desk.chrome.promptItems(at: desk.at(2000)).last else {
            Issue.record("no sheet")
            return
        }
        #expect(layer.opacity == 1 && layer.rect == desk.chrome.shownSheet?.places.rect)
        desk.chrome.setPrompt(nil, at: desk.at(2000))
        let response = desk.chrome.handleInPrompt(KeyEvent(name: "Return"), at: desk.at(2000))
        #expect(response == nil)
        #expect(desk.chrome.promptItems(at: desk.at(2050)).count == 2)
        desk.chrome.advance(to: desk.at(4000))
        #expect(desk.chrome.promptItems(at: desk.at(4000)).isEmpty && desk.chrome.sheet == nil)
        desk.chrome.reducesMotion = true
        desk.chrome.setPrompt(SamplePrompts.rate, at: desk.at(5000))
        #expect(
            !desk.chrome.isAnimating(at: desk.at(5000))
                && desk.chrome.promptItems(at: desk.at(5000)).count == 2)
    }

    /// The bars stay while a prompt is shown, and take no input.
    @Test func whatLiesBelowTakesNoInput() {
        desk.chrome.showBars(at: .zero)
        desk.show(SamplePrompts.delete)
        desk.chrome.advance(to: desk.at(60_000))
        #expect(desk.chrome.showsBars)
        #expect(
            !desk.chrome.area(bars: [Rect(x: 0, y: 0, width: 200, height: 64)], at: .zero)
                .contains(Point(x: 30, y: 30)))
    }
}
