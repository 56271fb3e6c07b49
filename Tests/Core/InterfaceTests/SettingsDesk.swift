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

/// A chrome with the page of settings, whose changes come back at once, without animations.
final class SettingsDesk {
    private(set) var chrome: Chrome
    private(set) var values: [String: TOMLValue] = [:]
    private(set) var changes: [SettingChange] = []
    private let obstacles: [String: String]

    init(
        _ surface: Size = Size(width: 1280, height: 800), theme: Theme = Theme(),
        obstacles: [String: String] = [:]
    ) {
        self.obstacles = obstacles
        chrome = Chrome(
            .viewer, on: BarLayout(surface: surface, theme: theme, text: .fixed),
            reducesMotion: true)
        chrome.showSettings(page, at: .zero)
    }

    /// A default of a setting: off, the first choice, or the fifth step.
    static func standard(_ entry: SettingsPage.Entry) -> TOMLValue {
        switch entry.control {
        case .flag: .flag(false)
        case .choice(let choices): choices[0].value
        case .number(let steps, _): .number(steps[4])
        }
    }

    var page: SettingsPage {
        SettingsPage(
            SettingsPage.entries.map { section in
                SettingsPage.Section(
                    section.title,
                    section.entries.map { entry in
                        let standard = Self.standard(entry)
                        return SettingsPage.Row(
                            entry, value: values[entry.name] ?? standard, standard: standard,
                            obstacle: obstacles[entry.name])
                    })
            }, note: obstacles.isEmpty ? "" : "A sentence about all settings.")
    }

    var sheet: Widget? { chrome.shownSettings?.widget(at: .zero) }

    func widget(_ id: String) -> Widget? { sheet?.widget(id) }

    var focused: String? { chrome.focusedWidget }

    func key(_ name: String, _ modifiers: KeyEvent.Modifiers = []) {
        let event = KeyEvent(name: name, modifiers: modifiers, action: .click)
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

    private func act(_ response: Chrome.Response?) {
        switch response {
        case .act(.closeSheet): chrome.closeSheet(at: .zero)
        case .act(.setting(let action)):
            guard let change = chrome.perform(action, at: .zero) else { return }
            changes.append(change)
            switch change {
            case .set(let name, let value): values[name] = value
            case .reset(let names): for name in names { values[name] = nil }
            }
            chrome.updateSettings(page)
        default: break
        }
    }
}
