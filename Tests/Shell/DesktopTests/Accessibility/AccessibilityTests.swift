import Commands
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
        var edited = TextField("one two")
        edited.select(from: 4, to: 7)
        var cells = (40..<43).map {
            Widget("picture/\($0)", .listItem, "\($0)", rect: rect(200, 200), action: .show($0))
        }
        for index in cells.indices { cells[index].place = .init(40 + index, of: 100_000) }
        cells[1].states = .selected
        let window = Widget(
            "window", .frame, "album", rect: Rect(x: 0, y: 0, width: 400, height: 300),
            children: [
                Widget("go", .pushButton, "Go", rect: rect(10, 10), action: .back),
                Widget(
                    "next", .pushButton, "Next", rect: rect(10, 40), action: .command(.undo)
                ).withKeys(.init(), in: .viewer),
                Widget("dial", .slider, "Straighten", rect: rect(10, 60), face: .dial(3)),
                Widget(
                    "off", .pushButton, "Off", rect: rect(60, 10), states: .disabled, action: .back),
                Widget(
                    "field", .entry, "Name", rect: rect(110, 10), states: [.editable, .focusable],
                    action: .edit, face: .field(field)),
                Widget(
                    "done", .progressBar, "Progress", rect: rect(.nan, .infinity),
                    face: .progress(0.5)),
                Widget(
                    "edited", .entry, "Name", rect: rect(160, 10), states: .editable, action: .edit,
                    face: .field(
                        .init(
                            text: "one two", textRect: rect(0, 0), edited: edited.description))),
                Widget(
                    "grid", .table, "album", rect: rect(200, 200), states: .multiselectable,
                    children: cells),
            ])
        answers = AccessibilityAnswers(
            windows: [
                .init(number: 1, tree: AccessibleTree(window), isActive: true, hasFocus: true)
            ], busName: ":1.7", locale: "C")
    }

    private var tree: AccessibleTree { answers.windows[0].tree }

    private func call(
        _ id: String, _ interface: AccessibilityInterface, _ method: String,
        _ arguments: BusValue...
    ) throws -> AccessibilityAnswers.Answer? {
        let number = try #require(tree.number(of: id))
        return answers.call(method, of: "1_\(number)", interface.name, .tuple(arguments))
    }

    @Test func theWindowHasChildren() throws {
        let children = try #require(try call("window", .accessible, "GetChildren"))
        #expect(children.value.tuple?.first?.array?.count == 8)
        let none = try #require(
            try call("window", .accessible, "GetChildAtIndex", .short(Int32.max)))
        #expect(none.value == .tuple([AccessibilityAnswers.null]))
        #expect(
            answers.property("ChildCount", of: "root", "org.a11y.atspi.Accessible") == .short(1))
    }

    @Test func onlyWhatCanBePressedHasAnAction() throws {
        #expect(try call("go", .action, "DoAction", .short(0))?.request == .press("go"))
        #expect(try call("go", .action, "DoAction", .short(1)) == nil)
        #expect(try call("off", .action, "DoAction", .short(0)) == nil)
        #expect(try call("go", .action, "DoAction") == nil)
    }

    @Test func anActionHasItsKey() throws {
        for (id, keys) in [("next", ";;<Control>z"), ("go", "")] {
            let binding = try call(id, .action, "GetKeyBinding", .short(0))
            #expect(binding?.value == .tuple([.text(keys)]))
            let actions = try call(id, .action, "GetActions")?.value.tuple?.first?.array
            #expect(actions?.first?.tuple?.last == .text(keys))
        }
    }

    @Test func valuesAreSet() throws {
        func change(_ id: String, _ property: String, _ value: BusValue) throws
            -> AccessibilityRequest?
        {
            let number = try #require(tree.number(of: id))
            return answers.change(
                property, of: "1_\(number)", AccessibilityInterface.value.name, to: value)
        }
        #expect(try change("dial", "CurrentValue", .double(-2.5)) == .setValue(-2.5, "dial"))
        #expect(try change("dial", "CurrentValue", .double(1e300)) == .setValue(45, "dial"))
        #expect(try change("dial", "CurrentValue", .double(.nan)) == nil)
        #expect(try change("dial", "CurrentValue", .text("1")) == nil)
        #expect(try change("dial", "MaximumValue", .double(1)) == nil)
        #expect(try change("done", "CurrentValue", .double(1)) == nil)
        #expect(try change("go", "CurrentValue", .double(1)) == nil)
        let interface = AccessibilityInterface.value.name
        #expect(answers.change("CurrentValue", of: "root", interface, to: .double(1)) == nil)
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

    @Test func theCaretIsReadAndMoved() throws {
        let number = try #require(tree.number(of: "edited"))
        func property(_ name: String) -> BusValue? {
            answers.property(name, of: "1_\(number)", AccessibilityInterface.text.name)
        }
        #expect(property("CaretOffset") == .short(7))
        #expect(property("CharacterCount") == .short(7))
        #expect(try call("edited", .text, "GetNSelections")?.value == .tuple([.short(1)]))
        #expect(
            try call("edited", .text, "GetSelection", .short(0))?.value
                == .tuple([.short(4), .short(7)]))
        #expect(
            try call("edited", .text, "SetCaretOffset", .short(2))?.request
                == .setSelection(anchor: 2, caret: 2, "edited"))
        #expect(
            try call("edited", .text, "SetSelection", .short(0), .short(1), .short(3))?.request
                == .setSelection(anchor: 1, caret: 3, "edited"))
        #expect(
            try call("edited", .text, "RemoveSelection", .short(0))?.request
                == .setSelection(anchor: 7, caret: 7, "edited"))
        // A field that nobody edits has no caret.
        let idle = try call("field", .text, "SetCaretOffset", .short(2))
        #expect(idle?.value == .tuple([.bool(false)]) && idle?.request == nil)
    }

    @Test(arguments: [
        (0, 4, "t", 4), (1, 5, "two", 4), (1, 2, "one ", 0), (1, 3, "one ", 0),
        (5, 2, "one two", 0), (0, 7, "", 7), (0, -1, "", 7),
    ])
    func partsOfATextAreRead(kind: Int32, offset: Int32, text: String, start: Int32) throws {
        for method in ["GetStringAtOffset", "GetTextAtOffset"] {
            let part = try call(
                "edited", .text, method, .short(offset), .unsigned(UInt32(kind)))?.value.tuple
            #expect(part?.first == .text(text))
            #expect(part?[1] == .short(start))
        }
    }

    @Test func cellsAreSelected() throws {
        let cell = try #require(tree.number(of: "picture/41"))
        #expect(
            try call("grid", .selection, "GetSelectedChild", .short(0))?.value
                == .tuple([answers.reference(cell, in: 1)]))
        #expect(
            try call("grid", .selection, "IsChildSelected", .short(1))?.value
                == .tuple([.bool(true)]))
        #expect(
            try call("grid", .selection, "SelectChild", .short(2))?.request
                == .setSelected(true, "picture/42"))
        #expect(
            try call("grid", .selection, "DeselectSelectedChild", .short(0))?.request
                == .setSelected(false, "picture/41"))
        #expect(try call("grid", .selection, "SelectAll")?.request == .setAllSelected(true))
        #expect(try call("grid", .selection, "SelectChild", .short(9))?.request == nil)
        #expect(try call("go", .selection, "SelectAll") == nil)
    }

    /// Of 100,000 cells three are objects; they tell how many there are.
    @Test func cellsTellTheirPlaceAmongAll() throws {
        let attributes = try call("picture/41", .accessible, "GetAttributes")?.value.tuple?.first
        #expect(
            attributes?.array?.contains(.entry(.text("posinset"), .text("42"))) == true
                && attributes?.array?.contains(.entry(.text("setsize"), .text("100000"))) == true)
    }

    @Test func aWidgetIsFoundByItsPlace() throws {
        let found = try call(
            "window", .component, "GetAccessibleAtPoint", .short(15), .short(15), .unsigned(1))
        #expect(found?.value == .tuple([answers.reference(tree.number(of: "go"), in: 1)]))
        let extents = try call("done", .component, "GetExtents", .unsigned(0))
        #expect(
            extents?.value == .tuple([.tuple([.short(0), .short(0), .short(40), .short(20)])]))
        #expect(try call("go", .component, "GetExtents", .unsigned(99)) == nil)
    }

    @Test(arguments: [
        "", "-1", "0", "00", "0x1", "999", "99999999999999999999", "root/0", "null", "1_", "_0",
        "1_00", "01_0", "1_-1", "2_0", "0_0", "1_999", "1_0_0", "1_99999999999999999999", "+1_0",
    ])
    func otherPathsHaveNoObject(name: String) {
        #expect(answers.object(name) == nil)
        #expect(!answers.has(name, "org.a11y.atspi.Accessible"))
        #expect(
            answers.call("GetChildren", of: name, "org.a11y.atspi.Accessible", .tuple([])) == nil)
    }

    @Test(arguments: [
        "GetExtents", "Contains", "GetAccessibleAtPoint", "GetChildAtIndex", "GetText",
        "InsertText", "DeleteText", "DoAction", "SetTextContents", "Unknown", "SetCaretOffset",
        "GetStringAtOffset", "GetSelection", "AddSelection", "RemoveSelection", "SetSelection",
        "SelectChild", "DeselectChild", "GetSelectedChild", "IsChildSelected",
    ])
    func callsWithOtherArgumentsAreRefused(method: String) throws {
        for interface in AccessibilityInterface.allCases {
            for arguments in [BusValue.tuple([]), .tuple([.text("x"), .other]), .other, .short(1)] {
                for number in (0...7).map({ "1_\($0)" }) + ["root"] {
                    let answer = answers.call(method, of: number, interface.name, arguments)
                    #expect(answer == nil)
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
        large.windows[0].tree = AccessibleTree(
            Widget(
                "window", .frame, "", rect: .init(x: 0, y: 0, width: 1, height: 1), children: cells)
        )
        let items = large.cacheItems().tuple?.first?.array
        #expect(items?.count == AccessibilityAnswers.mostCached + 1)
        // Several windows share the limit, so that none is left out.
        large.windows.append(large.windows[0])
        large.windows[1].number = 2
        let shared = large.cacheItems().tuple?.first?.array
        #expect(shared?.count == AccessibilityAnswers.mostCached + 1)
        #expect(
            shared?.contains { $0.tuple?.first == large.reference(AccessibleTree.window, in: 2) }
                == true)
    }

    @Test func everyEventHasItsSignals() {
        let events: [(AccessibleEvent, [String])] = [
            (.added(to: 0, place: 1, 2), ["ChildrenChanged add"]),
            (.removed(from: 0, place: 1, 9), ["ChildrenChanged remove"]),
            (.name(1, "x"), ["PropertyChange accessible-name"]),
            (.description(1, "x"), ["PropertyChange accessible-description"]),
            (.value(1, 2), ["PropertyChange accessible-value"]),
            (
                .text(1, place: 0, removed: "a", inserted: "b"),
                ["TextChanged delete", "TextChanged insert"]
            ),
            (.caret(1, 3), ["TextCaretMoved "]), (.textSelection(1), ["TextSelectionChanged "]),
            (.selection(1), ["SelectionChanged "]),
            (.state(1, .checked, true), ["StateChanged checked"]),
            (.state(1, .disabled, true), ["StateChanged enabled", "StateChanged sensitive"]),
            (.focus(1, from: 2), ["StateChanged focused", "StateChanged focused"]),
            (.announcement("x"), ["Announcement "]),
        ]
        for (event, names) in events {
            let signals = AccessibilitySignal.signals(of: event, in: 1, answers)
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
