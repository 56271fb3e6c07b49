import Geometry
import Input
import Interface
import Localization
import Motion
import SceneModel

/// The page of a kiosk that offers the pictures of a medium which a visitor has plugged in.
struct MediaOffer: Hashable, Sendable {
    enum Outcome: Hashable, Sendable { case stay, show, decline }

    /// The folder of the medium.
    let folder: String
    private var press = ButtonPress<Outcome>()
    private var lastInput: Moment

    /// After this time without input the page closes, in milliseconds.
    private static let patience = 30_000.0
    /// In logical pixels.
    private static let gap = Theme.Space.text
    private static let largestWidth = 420.0

    init(_ folder: String, at moment: Moment) {
        self.folder = folder
        lastInput = moment
    }

    var deadline: Moment { lastInput.advanced(byMilliseconds: Self.patience) }

    /// The name of the medium, for a person.
    private var name: String {
        folder.split(separator: "/").last.map(String.init) ?? folder
    }

    // MARK: Input

    mutating func handle(
        _ event: InputEvent, on surface: Size, at moment: Moment
    ) -> Outcome {
        lastInput = moment
        switch event {
        case .touch(let touch):
            return press.handle(touch) { Self.button(at: $0, on: surface) } ?? .stay
        case .key(let key) where [.down, .click].contains(key.action):
            switch key.name {
            case "Return", "KP_Enter": return .show
            case "Escape": return .decline
            case _: return .stay
            }
        case .key, .pinch, .swipe, .hold, .pointer, .pen, .modifiers, .textInput, .resize,
            .scale:
            return .stay
        }
    }

    // MARK: Widgets

    private static func rect(on surface: Size) -> Rect {
        Rect(
            center: Point(x: (surface.width / 2).rounded(), y: (surface.height / 2).rounded()),
            size: Size(
                width: max(min(largestWidth, surface.width - 2 * gap), 1),
                height: 4 * Theme.target + 3 * gap))
    }

    private static func buttons(
        on surface: Size
    ) -> [(id: String, title: String, outcome: Outcome, rect: Rect)] {
        let rect = rect(on: surface)
        func line(_ number: Double) -> Rect {
            Rect(
                x: rect.x + gap, y: rect.y + (2 + number) * Theme.target + (1 + number) * gap,
                width: max(rect.width - 2 * gap, 1), height: Theme.target)
        }
        return [
            (showID, localized("Show the pictures"), .show, line(0)),
            (declineID, localized("Not now"), .decline, line(1)),
        ]
    }

    private static let showID = "media/show"
    private static let declineID = "media/decline"

    private static func button(at point: Point, on surface: Size) -> Outcome? {
        buttons(on: surface).first { $0.rect.contains(point) }?.outcome
    }

    /// What is pressed.
    var focus: WidgetFocus {
        var focus = WidgetFocus()
        focus.pressed = press.button.map { $0 == .show ? Self.showID : Self.declineID }
        return focus
    }

    func widget(on surface: Size) -> Widget {
        let rect = Self.rect(on: surface)
        func line(_ id: String, _ text: String, _ role: Widget.TextRole, y: Double) -> Widget {
            Widget(
                id, .label, text,
                rect: Rect(
                    x: rect.x + Self.gap, y: y, width: max(rect.width - 2 * Self.gap, 1),
                    height: Theme.target), face: .text(text, role, .center))
        }
        return Widget(
            "media", .dialog, localized("Removable medium"), rect: rect, states: .modal,
            face: .ground(radius: Theme.largeRadius, isDense: true),
            children: [
                line("media-name", name, .title, y: rect.y),
                line(
                    "media-text", localized("The pictures are only read."), .small,
                    y: rect.y + Theme.target),
            ]
                + Self.buttons(on: surface).map {
                    Widget(
                        $0.id, .pushButton, $0.title, rect: $0.rect,
                        face: .button($0.title, isProminent: $0.outcome == .show))
                })
    }
}
