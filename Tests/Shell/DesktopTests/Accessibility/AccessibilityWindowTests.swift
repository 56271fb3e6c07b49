import Geometry
@testable import Interface
import Testing

@testable import Desktop

/// Several windows on the accessibility bus, which come and go.
@Suite struct AccessibilityWindowTests {
    private static let rect = Rect(x: 0, y: 0, width: 400, height: 300)

    private func interface(_ name: String, focus: String = "go") -> Widget {
        Widget(
            "window", .frame, name, rect: Self.rect,
            children: ["go", "stop"].map { id in
                Widget(
                    id, .pushButton, id, rect: Self.rect,
                    states: focus == id ? [.focusable, .focused] : .focusable, action: .back)
            })
    }

    private func answers(_ windows: [AccessibilityWindow]) -> AccessibilityAnswers {
        AccessibilityAnswers(windows: windows, busName: ":1.7", locale: "C")
    }

    /// Two windows, of which one is active.
    private func both(active: Int? = 1) -> [AccessibilityWindow] {
        [AccessibilityWindow]().showing([
            .init(interface("left"), of: 1, isActive: active == 1),
            .init(interface("right"), of: 2, isActive: active == 2),
        ])
    }

    /// What signals say, shortly: the last part of the path, the member, its detail and a number.
    private func lines(_ signals: [AccessibilitySignal]) -> [String] {
        signals.map { signal in
            let name = signal.path.split(separator: "/").last ?? ""
            return "\(name) \(signal.member) \(signal.detail) \(signal.first)"
        }
    }

    @Test func everyWindowIsAChildOfTheApplication() {
        let answers = answers(both())
        let accessible = AccessibilityInterface.accessible.name
        #expect(answers.property("ChildCount", of: "root", accessible) == .short(2))
        let children = answers.call("GetChildren", of: "root", accessible, .tuple([]))
        #expect(
            children?.value.tuple?.first?.array
                == [answers.reference(0, in: 1), answers.reference(0, in: 2)])
        #expect(answers.property("Name", of: "2_0", accessible) == .text("right"))
        #expect(answers.property("Parent", of: "2_0", accessible) == answers.application)
        #expect(answers.property("Parent", of: "2_1", accessible) == answers.reference(0, in: 2))
        let place = answers.call("GetIndexInParent", of: "2_0", accessible, .tuple([]))
        #expect(place?.value == .tuple([.short(1)]))
        #expect(answers.window(of: "2_1") == 2 && answers.window(of: "root") == nil)
    }

    /// The focus is in the active window, else in the one that was active last.
    @Test func oneWindowHasTheFocus() {
        let first = both(active: nil)
        #expect(first.map(\.hasFocus) == [true, false])
        func shown(_ active: Int?, after former: [AccessibilityWindow]) -> [AccessibilityWindow] {
            former.showing((1...2).map { .init(nil, of: $0, isActive: active == $0) })
        }
        let second = shown(2, after: first)
        #expect(second.map(\.hasFocus) == [false, true])
        let none = shown(nil, after: second)
        #expect(none.map(\.hasFocus) == [false, true])
        #expect(none.showing([.init(nil, of: 1, isActive: false)]).map(\.hasFocus) == [true])
        let focused = UInt32(1 << 12)
        func isFocused(_ name: String, _ windows: [AccessibilityWindow]) -> Bool {
            let answers = answers(windows)
            return answers.object(name).map { answers.states(of: $0)[0] & focused != 0 } ?? false
        }
        #expect(isFocused("1_1", first) && !isFocused("2_1", first))
        #expect(!isFocused("1_1", second) && isFocused("2_1", second))
    }

    @Test func anotherWindowBecomesActive() {
        let answers = answers(both(active: 2))
        #expect(
            lines(answers.signals(since: both(active: 1))) == [
                "1_1 StateChanged focused 0", "1_0 Deactivate  0", "1_0 StateChanged active 0",
                "2_0 Activate  0", "2_0 StateChanged active 1", "2_1 StateChanged focused 1",
            ])
        #expect(lines(answers.signals(since: both(active: 2))).isEmpty)
    }

    /// The focus of a window that has not the focus of the desktop is not heard; other changes are.
    @Test func changesBelongToTheirWindow() {
        let former = both(active: 1)
        let windows = former.showing([
            .init(nil, of: 1, isActive: true),
            .init(interface("moved", focus: "stop"), of: 2, isActive: false),
        ])
        #expect(
            lines(answers(windows).signals(since: former)) == [
                "2_0 PropertyChange accessible-name 0"
            ])
        let active = windows.showing([
            .init(interface("left", focus: "stop"), of: 1, isActive: true),
            .init(nil, of: 2, isActive: false),
        ])
        #expect(
            lines(answers(active).signals(since: windows)) == [
                "1_1 StateChanged focused 0", "1_2 StateChanged focused 1",
            ])
    }

    @Test func windowsComeAndGo() {
        let former = both(active: 2)
        let one = former.showing([.init(nil, of: 1, isActive: true)])
        let gone = answers(one)
        #expect(
            lines(gone.signals(since: former)) == [
                "2_0 Destroy  0", "root ChildrenChanged remove 1", "1_0 Activate  0",
                "1_0 StateChanged active 1", "1_1 StateChanged focused 1",
            ])
        let action = AccessibilityInterface.action.name
        #expect(!gone.has("2_1", action) && gone.object("2_0") == nil)
        #expect(gone.call("DoAction", of: "2_1", action, .tuple([.short(0)])) == nil)
        #expect(
            gone.call("DoAction", of: "1_1", action, .tuple([.short(0)]))?.request == .press("go"))
        let back = one.showing([
            .init(nil, of: 1, isActive: true), .init(interface("again"), of: 3, isActive: false),
        ])
        #expect(
            lines(answers(back).signals(since: one)) == [
                "root ChildrenChanged add 1", "3_0 Create  0",
            ])
        #expect(answers(back).object("2_0") == nil)
        let none = back.showing([])
        #expect(
            lines(answers(none).signals(since: back)) == [
                "3_0 Destroy  0", "root ChildrenChanged remove 1", "1_0 Destroy  0",
                "root ChildrenChanged remove 0",
            ])
    }

    /// A window of which no interface was shown is not there yet.
    @Test func aWindowWithoutAnInterfaceIsLeftOut() {
        #expect([AccessibilityWindow]().showing([.init(nil, of: 1, isActive: true)]).isEmpty)
    }
}
