import Geometry
@testable import Interface
import Testing

@testable import Desktop

/// The answers to calls of assistive technology, also to those that make no sense.
@Suite struct AccessibilityTests {
    private let answers: AccessibilityAnswers

    init() {
        func rect(_ x: Double, _ y: Double) -> Rect { Rect(x: x, y: y, width: 40, height: 20) }
        let field = Widget.Field(text: "one\0two", textRect: rect(0, 0))
        let window = Widget(
            "window", .frame, "album", rect: Rect(x: 0, y: 0, width: 400, height: 300),
            children: [
                Widget("go", .pushButton, "Go", rect: rect(10, 10), action: .back),
                Widget(
                    "off", .pushButton, "Off", rect: rect(60, 10), states: .disabled, action: .back),
                Widget(
                    "field", .entry, "Name", rect: rect(110, 10), states: [.editable, .focusable],
                    action: .edit, face: .field(field)),
                Widget(
                    "done", .progressBar, "Progress", rect: rect(.nan, .infinity),
                    face: .progress(0.5)),
            ])
        answers = AccessibilityAnswers(
            tree: AccessibleTree(window), isActive: true, busName: ":1.7", locale: "C")
    }

    private func call(
        _ id: String, _ interface: AccessibilityInterface, _ method: String,
        _ arguments: BusValue...
    ) throws -> AccessibilityAnswers.Answer? {
        let number = try #require(answers.tree.number(of: id))
        return answers.call(method, of: "\(number)", interface.name, .tuple(arguments))
    }

    @Test func theWindowHasChildren() throws {
        let children = try #require(try call("window", .accessible, "GetChildren"))
        #expect(children.value.tuple?.first?.array?.count == 4)
        let none = try #require(
            try call("window", .accessible, "GetChildAtIndex", .short(Int32.max)))
        #expect(none.value == .tuple([answers.reference(nil)]))
        #expect(
            answers.property("ChildCount", of: "root", "org.a11y.atspi.Accessible") == .short(1))
    }

    @Test func onlyWhatCanBePressedHasAnAction() throws {
        #expect(try call("go", .action, "DoAction", .short(0))?.request == .press("go"))
        #expect(try call("go", .action, "DoAction", .short(1)) == nil)
        #expect(try call("off", .action, "DoAction", .short(0)) == nil)
        #expect(try call("go", .action, "DoAction") == nil)
    }

    @Test func aFieldIsReadAndWritten() throws {
        // D-Bus carries no null characters.
        let text = try call("field", .text, "GetText", .short(0), .short(-1))
        #expect(text?.value == .tuple([.text("one")]))
        let part = try call("field", .text, "GetText", .short(Int32.max), .short(Int32.min))
        #expect(part?.value == .tuple([.text("")]))
        let set = try call("field", .editableText, "SetTextContents", .text("new"))
        #expect(set?.request == .setText("new", "field"))
        let long = String(repeating: "x", count: AccessibilityAnswers.longestText + 1)
        #expect(try call("field", .editableText, "SetTextContents", .text(long)) == nil)
        #expect(try call("go", .editableText, "SetTextContents", .text("new")) == nil)
    }

    @Test func aWidgetIsFoundByItsPlace() throws {
        let found = try call(
            "window", .component, "GetAccessibleAtPoint", .short(15), .short(15), .unsigned(1))
        #expect(found?.value == .tuple([answers.reference(answers.tree.number(of: "go"))]))
        let extents = try call("done", .component, "GetExtents", .unsigned(0))
        #expect(
            extents?.value == .tuple([.tuple([.short(0), .short(0), .short(40), .short(20)])]))
        #expect(try call("go", .component, "GetExtents", .unsigned(99)) == nil)
    }

    @Test(arguments: ["", "-1", "00", "0x1", "999", "99999999999999999999", "root/0", "null"])
    func otherPathsHaveNoObject(name: String) {
        #expect(answers.object(name) == nil)
        #expect(!answers.has(name, "org.a11y.atspi.Accessible"))
        #expect(
            answers.call("GetChildren", of: name, "org.a11y.atspi.Accessible", .tuple([])) == nil)
    }

    @Test(arguments: [
        "GetExtents", "Contains", "GetAccessibleAtPoint", "GetChildAtIndex", "GetText",
        "InsertText", "DeleteText", "DoAction", "SetTextContents", "Unknown",
    ])
    func callsWithOtherArgumentsAreRefused(method: String) throws {
        for interface in AccessibilityInterface.allCases {
            for arguments in [BusValue.tuple([]), .tuple([.text("x"), .other]), .other, .short(1)] {
                for number in ["0", "1", "2", "3", "4", "root"] {
                    let answer = answers.call(method, of: number, interface.name, arguments)
                    #expect(answer?.request == nil)
                }
            }
        }
    }

    @Test func theCacheHasALimit() {
        let cells = (0..<3000).map {
            Widget(
                "picture/\($0)", .listItem, "\($0)", rect: .init(x: 0, y: 0, width: 1, height: 1))
        }
        var large = answers
        large.tree = AccessibleTree(
            Widget(
                "window", .frame, "", rect: .init(x: 0, y: 0, width: 1, height: 1), children: cells)
        )
        let items = large.cacheItems().tuple?.first?.array
        #expect(items?.count == AccessibilityAnswers.mostCached + 1)
    }

    @Test func everyEventHasItsSignals() {
        let events: [(AccessibleEvent, [String])] = [
            (.added(to: 0, place: 1, 2), ["ChildrenChanged add"]),
            (.removed(from: 0, place: 1, 9), ["ChildrenChanged remove"]),
            (.name(1, "x"), ["PropertyChange accessible-name"]),
            (.value(1, 2), ["PropertyChange accessible-value"]),
            (
                .text(1, place: 0, removed: "a", inserted: "b"),
                ["TextChanged delete", "TextChanged insert"]
            ),
            (.state(1, .checked, true), ["StateChanged checked"]),
            (.state(1, .disabled, true), ["StateChanged enabled", "StateChanged sensitive"]),
            (.focus(1, from: 2), ["StateChanged focused", "StateChanged focused"]),
            (.announcement("x"), ["Announcement "]),
        ]
        for (event, names) in events {
            let signals = AccessibilitySignal.signals(of: event, answers)
            #expect(signals.map { $0.member + " " + $0.detail } == names)
        }
    }

    @Test(arguments: [
        ("/", true), ("/a/b_1", true), ("", false), ("a", false), ("/a/", false), ("//", false),
        ("/a-b", false), ("/ä", false),
    ])
    func pathsOfOtherProgramsAreChecked(path: String, isValid: Bool) {
        #expect(BusPath.isValid(path) == isValid)
    }
}
