package import Geometry
package import Motion

/// What widgets do in the same way over the grid and over the picture.
extension Chrome {
    /// Does what a widget asks for, if the chrome can do so alone; returns whether it could.
    package mutating func perform(
        _ action: Widget.Action, at moment: Moment, effects: inout [ViewerEffect]
    ) -> Bool {
        switch action {
        case .closeSheet: closeSheet(at: moment)
        case .setting(let action):
            effects += perform(action, at: moment).map { .changeSettings($0) }
        case .answer(let answer):
            if let (purpose, answer) = answerPrompt(answer, at: moment) {
                effects.append(.answered(purpose, answer))
            }
        case .present(let id): effects.append(.present(id: id))
        case .position(let use): effects.append(.position(use))
        case .folder(let step): effects.append(.folder(step))
        case .about: showAbout(at: moment)
        case .homePage: effects.append(.openHomePage)
        case .window(.minimize): effects.append(.window(.minimize))
        case .window(.toggleMaximized): effects.append(.window(.toggleMaximized))
        case .command, .show, .beginSelection, .endSelection, .edit, .endSearch,
            .back, .openMenu, .zoom,
            .sort,
            .window(.close), .crop:
            return false
        }
        return true
    }

    /// Asks the window for something, if the bars have the buttons of the window.
    package func request(_ request: WindowRequest, effects: inout [ViewerEffect]) {
        if layout.windowControls != nil { effects.append(.window(request)) }
    }

    /// The right button of a mouse on the bars opens the menu of the window at the top.
    package func pressButton(at point: Point, effects: inout [ViewerEffect]) {
        if point.y < layout.top { request(.showMenu(at: point), effects: &effects) }
    }
}
