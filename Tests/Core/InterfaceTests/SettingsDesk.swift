import Commands
import CoreTestKit
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import TOML
import Testing

@testable import Interface

/// A chrome with the settings page, whose changes come back at once, without animations.
final class SettingsDesk {
    private(set) var chrome: Chrome
    private(set) var values: [String: TOMLValue]
    private(set) var changes: [SettingChange] = []
    var obstacles: [String: String]
    var ownCommands: [KeyBinding: String] = [:]

    init(
        _ surface: Size = Size(width: 1280, height: 800), theme: Theme = Theme(),
        obstacles: [String: String] = [:], values: [String: TOMLValue] = [:],
        policy: CommandPolicy = .everything
    ) {
        self.obstacles = obstacles
        self.values = values
        var layout = BarLayout(
            surface: surface, theme: theme, text: .fixed, reducesMotion: true)
        layout.policy = policy
        chrome = Chrome(.viewer, on: layout)
        updateKeys()
        chrome.showSettings(page, at: .zero)
    }

    var page: SettingsPage {
        .sample(values: values, obstacles: obstacles, ownCommands: ownCommands)
    }

    /// Shows the page anew, as when a settings file was read.
    func update() { chrome.updateSettings(page) }

    /// The keys of the values.
    var keys: KeyMap {
        var keys = KeyMap()
        for (name, value) in values where name.hasPrefix("keys.") {
            let command = Command(rawValue: String(name.dropFirst("keys.".count)))
            let texts: [TOMLValue] = if case .array(let list) = value { list } else { [value] }
            do {
                try keys.set(
                    texts.map { KeyBinding(stringLiteral: $0.plainText) },
                    of: #require(command, "\(name)"))
            } catch { Issue.record("\(name): \(error)") }
        }
        return keys
    }

    private func updateKeys() {
        var layout = chrome.layout
        layout.keys = keys
        chrome.set(layout)
    }

    /// Presses the row that leads to the keys.
    func showKeys() throws { try tap(SettingsSheet.keysRow) }

    var sheet: Widget? { chrome.shownSettings?.widget(at: .zero) }

    func widget(_ id: String) -> Widget? { sheet?.widget(id) }

    var focused: String? { chrome.focusedWidget }

    func key(
        _ name: String, _ modifiers: KeyEvent.Modifiers = [], _ action: KeyEvent.Action = .click
    ) {
        let event = KeyEvent(name: name, modifiers: modifiers, action: action)
        guard let response = chrome.handleInPrompt(event, at: .zero) else {
            Issue.record("\(name) is not for the page")
            return
        }
        act(response)
    }

    /// Presses a key until a widget has the focus.
    func key(_ name: String, until id: String) {
        for _ in 0..<200 where focused != id { key(name) }
        #expect(focused == id)
    }

    /// Lands and lifts a finger on a widget, as the arena reports it; scrolls to the widget before.
    func tap(_ id: String) throws {
        let row = id.split(separator: "/").prefix(2).joined(separator: "/")
        for id in [row, id] { chrome.settings?.setFocus(id, at: .zero) }
        tap(at: try #require(widget(id)).rect.center)
    }

    func tap(at point: Point) {
        guard chrome.area(bars: [], at: .zero).contains(point) else {
            return act(chrome.handleInPrompt(.tap(at: point, source: .touch), at: .zero))
        }
        for gesture in [ChromeGesture.down(at: point, isPointer: false), .tap(at: point)] {
            #expect(chrome.handleInPrompt(.chrome(gesture), at: .zero) == nil)
            act(chrome.handle(.chrome(gesture), bars: [], filmstrip: nil, at: .zero))
        }
    }

    func drag(from point: Point, by distance: Double) {
        func fingers(_ y: Double) -> Manipulation {
            Manipulation(
                source: .touch, fingers: 1, base: point,
                centroid: Point(x: point.x, y: point.y + y))
        }
        _ = chrome.handleInPrompt(.manipulationBegan(fingers(0)), at: .zero)
        _ = chrome.handleInPrompt(.manipulationChanged(fingers(distance)), at: .zero)
    }

    /// Whether the page consumes a key.
    func isForPage(_ name: String) -> Bool {
        chrome.handleInPrompt(KeyEvent(name: name), at: .zero) != nil
    }

    /// Does a command that comes without a key.
    func command(_ command: Command) {
        act(chrome.handle(command, bars: [], at: .zero))
    }

    /// Lands a finger that the compositor takes.
    func cancel(at point: Point) {
        guard chrome.area(bars: [], at: .zero).contains(point) else { return }
        for gesture in [ChromeGesture.down(at: point, isPointer: false), .cancelled] {
            act(chrome.handle(.chrome(gesture), bars: [], filmstrip: nil, at: .zero))
        }
    }

    /// Does what a press by assistive technology does.
    func press(_ id: String) throws {
        act(chrome.press(try #require(widget(id)), at: .zero))
    }

    private func act(_ response: Chrome.Response?) {
        switch response {
        case .act(.closeSheet): chrome.closeSheet(at: .zero)
        case .act(.setting(let action)):
            let made = chrome.perform(action, at: .zero)
            guard !made.isEmpty else { return }
            changes += made
            for change in made {
                switch change {
                case .set(let name, let value): values[name] = value
                case .reset(let names): for name in names { values[name] = nil }
                }
            }
            updateKeys()
            update()
        default: break
        }
    }

    // MARK: Layout

    /// Rows follow each other, no part of a row covers another, texts have room, and targets have the size of
    /// a finger.
    func checkRows(_ rows: [Widget], _ scale: Double) {
        for (row, next) in zip(rows, rows.dropFirst()) {
            #expect(row.rect.maxY <= next.rect.y + 1e-6, "\(row.id)")
        }
        guard chrome.layout.surface.width >= 320 else { return }
        for row in rows { check(row, scale) }
        let ids = rows.flatMap(all).map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    private func all(_ widget: Widget) -> [Widget] { [widget] + widget.children.flatMap(all) }

    private func check(_ row: Widget, _ scale: Double) {
        let (parts, layout) = (all(row), chrome.layout)
        for part in parts {
            #expect(part.rect.x >= row.rect.x && part.rect.maxX <= row.rect.maxX + 1e-6)
            #expect(
                part.rect.y >= row.rect.y - 1e-6 && part.rect.maxY <= row.rect.maxY + 1e-6,
                "\(part.id)")
            if part.action != nil {
                #expect(part.rect.height >= 48 && part.rect.width >= 48, "\(part.id)")
                #expect(!part.name.isEmpty)
            }
            guard case .paragraph(let text, let role, let lines, _) = part.face else { continue }
            var style = layout.theme.style(role)
            style.lines = lines
            let extents = layout.text(text, style, width: part.rect.width)
            #expect(scale > 1 || !extents.isShortened, "\(part.id)")
            #expect(extents.height <= part.rect.height)
        }
        for (number, part) in row.children.enumerated() {
            for other in row.children.dropFirst(number + 1) {
                let common = part.rect.intersection(other.rect)
                #expect(
                    common.isEmpty || common.width < 1e-6 || common.height < 1e-6,
                    "\(part.id) and \(other.id)")
            }
        }
    }
}
