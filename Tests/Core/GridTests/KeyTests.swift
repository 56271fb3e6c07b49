import Commands
import Geometry
import Gestures
import Input
import Testing

@testable import Grid

/// Keys of the grid, and the selection.
@Suite struct KeyTests {
    @Test func arrowsMoveTheFocusAndKeepItVisible() throws {
        var hand = Hand()
        #expect(hand.frame.cells.allSatisfy { !$0.isFocused })
        hand.press("Right")
        #expect(hand.grid.focus == 1)
        for _ in 0..<3 { hand.press("Right") }
        hand.press("Left")
        #expect(hand.grid.focus == 3)
        for _ in 0..<4 {
            hand.press("Down")
            hand.wait(30)
        }
        #expect(hand.grid.focus == 23)
        hand.settle()
        let cell = try #require(hand.frame.cell(23))
        #expect(cell.isFocused && cell.rect.maxY <= 1080 && cell.rect.y >= 0)
        hand.press("Up")
        #expect(hand.grid.focus == 18)
        hand.press("Return")
        #expect(hand.requests == [.open(index: 18)])
    }

    /// Before the first arrow key, the first visible picture or the one seen last has the focus.
    @Test func returnOpensThePictureSeenLast() {
        var hand = Hand()
        hand.press("Return")
        hand.grid.setFocus(7)
        hand.press("Return")
        hand.grid.setFocus(900)
        hand.press("Return")
        #expect(hand.requests == [.open(index: 0), .open(index: 7), .open(index: 7)])
    }

    @Test func homeEndAndPagesGoThroughTheGrid() {
        var hand = Hand()
        hand.press("End")
        hand.settle()
        #expect(hand.grid.focus == 499)
        #expect(abs(hand.frame.scroll.y - (hand.frame.content.height - 1080)) < 1e-6)
        hand.press("Home")
        hand.settle()
        #expect(hand.grid.focus == 0 && hand.frame.scroll.y == 0)
        hand.press("Next")
        #expect(hand.grid.focus == 15, "972 px down are three rows of 385, less the start")
        hand.press("Prior")
        #expect(hand.grid.focus == 0)
    }

    @Test func rowsOfSectionsKeepTheColumn() {
        let sections = [GridSection(title: "a", first: 0), GridSection(title: "b", first: 7)]
        var hand = Hand(count: 20, sections: sections)
        hand.press("Home")
        for _ in 0..<4 { hand.press("Right") }
        #expect(hand.grid.focus == 4)
        hand.press("Down")
        #expect(hand.grid.focus == 6, "the section's last row is short")
        hand.press("Down")
        #expect(hand.grid.focus == 8)
    }

    @Test func longPressStartsSelectionByTapsUntilEscape() {
        var hand = Hand()
        let (first, second) = (Point(x: 100, y: 100), Point(x: 500, y: 100))
        hand.send(.caught(at: first))
        hand.send(.longPress(at: first, source: .touch))
        #expect(hand.grid.selection == [0])
        hand.send(.caught(at: second))
        hand.send(.tap(at: second, source: .touch))
        #expect(hand.grid.selection == [0, 1])
        #expect(hand.frame.cell(1)?.isSelected == true)
        hand.press("Escape")
        #expect(hand.grid.selection.isEmpty)
        #expect(!hand.requests.contains(.leave))
        hand.press("Escape")
        #expect(hand.requests.last == .leave)
    }

    @Test func ctrlAndShiftSelectByPointerAndByKey() {
        var hand = Hand()
        hand.send(.tap(at: Point(x: 500, y: 100), source: .mouse), modifiers: .control)
        hand.send(.tap(at: Point(x: 100, y: 500), source: .mouse), modifiers: .shift)
        #expect(hand.grid.selection == Set(1...5))
        hand.press("space", .control)
        #expect(hand.grid.selection == Set(1...4))
        hand.press("Right", .shift)
        #expect(hand.grid.selection == Set(1...6))
        hand.press("a", .control)
        #expect(hand.grid.selection.count == 500)
        #expect(hand.requests.isEmpty)
    }

    @Test func anEmptyGridSurvivesEveryKey() {
        var hand = Hand(count: 0)
        for entry in CommandTable.entries where entry.command != .leave {
            for key in entry.keys[.grid] ?? [] {
                hand.press(key.name, key.hasControl ? .control : [])
            }
        }
        hand.settle()
        hand.pinch(at: Point(x: 10, y: 10), to: 3)
        hand.drag(from: Point(x: 10, y: 10), by: Vector(dx: 0, dy: 99))
        hand.settle()
        #expect(hand.frame.cells.isEmpty && hand.frame.scroll == .zero)
        #expect(!hand.requests.contains { if case .open = $0 { true } else { false } })
    }
}
