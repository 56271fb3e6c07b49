import Commands
import Geometry
import SceneModel
import Testing

@testable import Interface

@Suite struct AccessibleTreeTests {
    private static func widget(
        _ id: String, _ role: Widget.Role = .pushButton, _ name: String? = nil,
        description: String = "", states: Widget.States = [], action: Widget.Action? = nil,
        face: Widget.Face = .none, below children: [Widget] = []
    ) -> Widget {
        Widget(
            id, role, name ?? id, description: description,
            rect: Rect(x: 0, y: 0, width: 100, height: 50), states: states, action: action,
            face: face, children: children)
    }

    private static func window(_ children: [Widget]) -> Widget {
        widget("window", .frame, "Vitrine", below: children)
    }

    /// What is reported when one interface follows another one.
    private func events(
        _ before: [Widget], _ after: [Widget]
    ) -> (events: [AccessibleEvent], old: AccessibleTree, new: AccessibleTree) {
        let old = AccessibleTree(Self.window(before))
        let new = AccessibleTree(Self.window(after), after: old)
        return (new.events(since: old), old, new)
    }

    @Test func equalInterfacesHaveNoEvents() {
        let widgets = [Self.widget("a", below: [Self.widget("b")]), Self.widget("c")]
        #expect(events(widgets, widgets).events.isEmpty)
    }

    @Test func numbersLastAndAreNeverGivenAgain() throws {
        let first = AccessibleTree(Self.window([Self.widget("a"), Self.widget("b")]))
        let second = AccessibleTree(Self.window([Self.widget("b")]), after: first)
        let third = AccessibleTree(
            Self.window([Self.widget("a"), Self.widget("b")]), after: second)
        #expect(first.number(of: "b") == third.number(of: "b"))
        let (old, new) = try (#require(first.number(of: "a")), #require(third.number(of: "a")))
        #expect(new > old)
        #expect(third.node(old) == nil)
    }

    @Test func whatComesAndGoesIsReportedWithoutItsChildren() throws {
        let (events, old, new) = events(
            [Self.widget("a", below: [Self.widget("b")]), Self.widget("c")],
            [Self.widget("c"), Self.widget("d", below: [Self.widget("e")])])
        let gone = try #require(old.number(of: "a"))
        let come = try #require(new.number(of: "d"))
        #expect(events == [.removed(from: 0, place: 0, gone), .added(to: 0, place: 1, come)])
    }

    @Test func anotherOrderIsReportedAsNewChildren() {
        let (events, _, _) = events(
            [Self.widget("a"), Self.widget("b")], [Self.widget("b"), Self.widget("a")])
        #expect(events.count == 4)
    }

    @Test func namesStatesAndValuesAreReported() throws {
        let (events, _, new) = events(
            [
                Self.widget("a", .toggleButton),
                Self.widget("p", .progressBar, face: .progress(0.25)),
            ],
            [
                Self.widget("a", .toggleButton, "other", states: [.checked, .disabled]),
                Self.widget("p", .progressBar, face: .progress(0.5)),
            ])
        let (a, p) = try (#require(new.number(of: "a")), #require(new.number(of: "p")))
        #expect(
            events == [
                .name(a, "other"), .state(a, .checked, true), .state(a, .disabled, true),
                .value(p, 0.5),
            ])
    }

    @Test func theFocusMovesOnce() throws {
        let (events, _, new) = events(
            [Self.widget("a", states: [.focused]), Self.widget("b")],
            [Self.widget("a"), Self.widget("b", states: [.focused])])
        let (a, b) = try (#require(new.number(of: "a")), #require(new.number(of: "b")))
        #expect(events == [.focus(b, from: a)])
    }

    @Test func withoutAFocusThePictureHasIt() {
        let tree = AccessibleTree(Self.window([Self.widget("picture", .image), Self.widget("a")]))
        #expect(tree.node(tree.focus)?.id == "picture")
        #expect(AccessibleTree(Self.window([])).focus == AccessibleTree.window)
        let broken = AccessibleTree(Self.window([Self.widget("failure", .statusBar)]))
        #expect(broken.node(broken.focus)?.id == "failure")
    }

    @Test func messagesAndPageTurnsAreSaid() {
        let turned = events(
            [Self.widget("picture", .image, "one")], [Self.widget("picture", .image, "two")])
        #expect(turned.events.contains(.announcement("two")))
        let said = events([], [Self.widget("toast", .notification, "Moved to the trash")])
        #expect(said.events.contains(.announcement("Moved to the trash")))
    }

    /// The focus stays on the picture, so a reader does not read the place and the text by itself.
    @Test func aPageTurnHasThePlaceAndTheAlternativeText() {
        func picture(_ name: String, _ index: Int, _ alternative: String? = nil) -> [Widget] {
            var widget = Self.widget("picture", .image, name)
            widget.place = Widget.Place(index, of: 12)
            widget.alternative = alternative
            return [widget]
        }
        let turned = events(picture("one", 1), picture("two", 2, "A lake"))
        #expect(turned.events.contains(.announcement("two, 3 of 12, A lake")))
        // A text that is read later is said by itself, and once.
        let read = events(picture("two", 2), picture("two", 2, "A lake")).events
        #expect(read == [.announcement("A lake")])
        #expect(events(picture("two", 2, "A lake"), picture("two", 2, "A lake")).events == [])
    }

    /// Also without the bars; and once, when the motion is over.
    @Test func aZoomIsSaid() {
        func picture(_ percent: Int?, _ name: String = "a") -> [Widget] {
            var widget = Self.widget("picture", .image, name)
            widget.announced = percent.map { "\($0) %" }
            return [widget]
        }
        #expect(events(picture(50), picture(100)).events == [.announcement("100 %")])
        #expect(events(picture(nil), picture(100)).events == [])
        let before = AccessibleTree(Self.window(picture(50)))
        let moving = AccessibleTree(Self.window(picture(nil)), after: before)
        #expect(moving.events(since: before) == [])
        let after = AccessibleTree(Self.window(picture(100)), after: moving)
        #expect(after.events(since: moving) == [.announcement("100 %")])
        // With another picture its name is said, not its zoom.
        let other = AccessibleTree(Self.window(picture(33, "b")), after: after)
        #expect(!other.events(since: after).contains(.announcement("33 %")))
    }

    @Test func theCaretAndTheSelectionAreReported() throws {
        func entry(_ change: (inout TextField) -> Void) -> [Widget] {
            var field = TextField("e\u{301}té été")
            change(&field)
            let rect = Rect(x: 0, y: 0, width: 100, height: 50)
            let face = Widget.Field(
                text: field.displayText, textRect: rect, edited: field.description)
            return [Self.widget("field", .entry, states: .editable, face: .field(face))]
        }
        let (events, _, new) = events(
            entry { $0.moveCursor(to: 0) }, entry { $0.select(fromScalar: 0, toScalar: 4) })
        let number = try #require(new.number(of: "field"))
        #expect(events == [.caret(number, 4), .textSelection(number)])
        #expect(new.node(number)?.selection == 0..<4)
    }

    /// A place inside of a character becomes the next one between characters.
    @Test(arguments: [(0, 0), (1, 2), (2, 2), (3, 3), (99, 4), (-5, 0)])
    func placesInATextAreBetweenCharacters(place: Int, found: Int) {
        var field = TextField("e\u{301}té")
        field.select(fromScalar: place, toScalar: place)
        #expect(field.description.caret.scalars == found)
        #expect(field.selection.isEmpty)
    }

    @Test func aSelectionOfChildrenIsReported() throws {
        func grid(_ selected: Bool) -> [Widget] {
            [
                Self.widget(
                    "grid", .table, states: .multiselectable,
                    below: [Self.widget("picture/1", .listItem, states: selected ? .selected : [])])
            ]
        }
        let (events, _, new) = events(grid(false), grid(true))
        let number = try #require(new.number(of: "grid"))
        #expect(events.contains(.selection(number)))
        #expect(new.selectedChildren(of: number) == [new.number(of: "picture/1")])
    }

    @Test(arguments: [
        ("", "abc", 0, "", "abc"), ("abc", "", 0, "abc", ""), ("abc", "abXc", 2, "", "X"),
        ("aaa", "aa", 2, "a", ""), ("e\u{301}", "e", 1, "\u{301}", ""),
    ])
    func aChangeOfATextIsItsMiddle(
        old: String, new: String, place: Int, removed: String, inserted: String
    ) throws {
        let change = try #require(AccessibleTree.change(of: old, to: new))
        #expect(change.place == place)
        #expect(change.removed == removed && change.inserted == inserted)
    }

    @Test func aTreeHasALimit() {
        let many = (0..<10_000).map { Self.widget("picture/\($0)", .listItem) }
        #expect(AccessibleTree(Self.window(many)).nodes.count == AccessibleTree.mostNodes)
    }

    @Test func theInnermostWidgetIsAtAPoint() {
        let tree = AccessibleTree(Self.window([Self.widget("a", below: [Self.widget("b")])]))
        #expect(tree.node(at: Point(x: 5, y: 5))?.id == "b")
        #expect(tree.node(at: Point(x: 500, y: 5)) == nil)
    }

    /// A program that applies the reported changes has the children of the new tree.
    @Test func theEventsLeadToTheNewTree() {
        var generator = SystemRandomNumberGenerator()
        func random(_ depth: Int) -> [Widget] {
            (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                Self.widget(
                    "w\(Int.random(in: 0...12, using: &generator))", .panel,
                    below: depth > 0 ? random(depth - 1) : [])
            }
        }
        var tree = AccessibleTree(Self.window(random(2)))
        for _ in 0..<200 {
            let new = AccessibleTree(Self.window(random(2)), after: tree)
            var children = tree.nodes.mapValues(\.children)
            for event in new.events(since: tree) {
                switch event {
                case .removed(let parent, let place, let number):
                    #expect(children[parent]?[place] == number)
                    children[parent]?.remove(at: place)
                case .added(let parent, let place, let number):
                    children[parent]?.insert(number, at: place)
                    addAll(number, of: new, to: &children)
                default: break
                }
            }
            #expect(reached(children) == reached(new.nodes.mapValues(\.children)))
            tree = new
        }
    }

    private func addAll(_ number: Int, of tree: AccessibleTree, to children: inout [Int: [Int]]) {
        children[number] = tree.node(number)?.children
        for child in tree.node(number)?.children ?? [] { addAll(child, of: tree, to: &children) }
    }

    /// The children of the widgets below the window.
    private func reached(_ children: [Int: [Int]]) -> [Int: [Int]] {
        var result: [Int: [Int]] = [:]
        var open = [AccessibleTree.window]
        while let number = open.popLast() {
            result[number] = children[number] ?? []
            open += children[number] ?? []
        }
        return result
    }
}
