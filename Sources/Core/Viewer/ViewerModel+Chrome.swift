import Commands
import Geometry
import Gestures
package import Interface
package import Motion
import SceneModel

/// The bars, the menu and the filmstrip over the picture.
extension ViewerModel {
    /// The commands of the menu by section; each of them has a key, too.
    private static let menuCommands: [[(Command, Icon?)]] = [
        [(.fit, .fit), (.oneToOne, .oneToOne)],
        [(.rotateClockwise, .rotateClockwise), (.rotateAnticlockwise, .rotateAnticlockwise)],
        [(.playPause, .play), (.nextFrame, nil)],
        [
            (.slideshow, .slideshow), (.keepZoom, .keepZoom), (.information, .information),
            (.checkerboard, nil), (.fullscreen, .fullscreen),
        ],
        [(.openFiles, .picture)], [(.help, .help)], [(.leave, .close)],
    ]

    // MARK: Looks

    /// Sets the looks of the interface, and the window buttons that the bars include.
    package mutating func setLooks(_ theme: Theme, windowControls: WindowControls?) {
        var layout = chrome.layout
        layout.theme = theme
        layout.windowControls = windowControls
        chrome.set(layout)
    }

    /// Sets the date of a picture, as text for the bar; empty if unknown.
    package mutating func setDate(_ text: String, of index: Int) { date = (text, index) }

    /// Sets whether motions end within a frame, as the desktop asks for; those that have begun go on.
    package mutating func setReducesMotion(_ reducesMotion: Bool) {
        settings.reducedMotion = reducesMotion
        pager.reducesMotion = reducesMotion
        zoomPan.reducesMotion = reducesMotion
        backdrop.reducesMotion = reducesMotion
        cell.reducesMotion = reducesMotion
        chrome.reducesMotion = reducesMotion
        filmstrip.reducesMotion = reducesMotion
    }

    /// What the bars show; `title` is the name of the selected picture.
    func facts(title: String, at moment: Moment) -> ViewerFacts {
        var facts = ViewerFacts(
            name: title, index: index, count: count,
            percent: placement(at: moment).map {
                Int(clamping: ($0.zoom * viewport.scale * 100).rounded())
            })
        if date.index == index { facts.date = date.text }
        facts.zoomField = chrome.zoomField
        facts.showsInformation = chrome.showsInformation
        facts.coversBottom = chrome.panelCoversBottom
        (facts.panelWidth, facts.panelWidthAtBottom) = chrome.panelWidth(at: moment)
        facts.isAnimation = playback != nil
        facts.isPlaying = playback == .playing
        facts.returnsToGrid = cell.exit != nil
        return facts
    }

    func bars(title: String = "", at moment: Moment) -> ViewerBars {
        ViewerBars(chrome.layout, facts(title: title, at: moment))
    }

    /// The widgets that are shown, and the picture, for assistive technology.
    package func widgets(title: String, at moment: Moment) -> [Widget] {
        var widgets: [Widget] = []
        if let picture = pager.picture, let placement = placement(at: moment) {
            widgets.append(
                Widget(
                    "picture", .image, title,
                    description: "\(picture.size.width) × \(picture.size.height)",
                    rect: placement.boundingRect(of: picture.size.size)))
        } else if let failure = pager.failure {
            widgets.append(failureBox(failure, about: viewport.center))
        }
        widgets += slideOverlayWidgets(at: moment)
        if chrome.showsBars { widgets += bars(title: title, at: moment).widgets }
        return widgets + chrome.overlays(at: moment)
    }

    /// The identifier of the widget with the focus; nil without one.
    package var focusedWidget: String? { chrome.focus.focused }

    /// The box with the reason why a picture cannot be shown.
    func failureBox(_ text: String, about center: Point) -> Widget {
        MessageBox.widget("failure", .statusBar, text, about: center, chrome.layout)
    }

    /// The areas of the surface that belong to the chrome.
    func chromeArea(at moment: Moment) -> ChromeArea {
        chrome.area(bars: bars(at: moment).areas, at: moment)
    }

    // MARK: Filmstrip

    /// The cells of the filmstrip, and the opacity with which they are drawn; empty while the bars are
    /// hidden.
    func filmstripCells(at moment: Moment) -> (cells: [(index: Int, rect: Rect)], opacity: Double) {
        let share = chrome.barShare(at: moment)
        guard share > 0, let strip = bars(at: moment).filmstrip else { return ([], 0) }
        return (strip.cells(at: filmstrip.position(at: moment)), share)
    }

    /// Whether the filmstrip is visible at least in part, so that thumbnails are needed.
    package func showsFilmstrip(at moment: Moment) -> Bool {
        !filmstripCells(at: moment).cells.isEmpty
    }

    private mutating func scrub(_ translation: Vector, at moment: Moment, effects: inout [Effect]) {
        guard let strip = bars(at: moment).filmstrip else { return }
        if !filmstrip.isHeld { filmstrip.begin(at: moment) }
        guard let middle = filmstrip.drag(by: translation.dx, on: strip) else { return }
        choose(middle, slides: false, at: moment, effects: &effects)
    }

    /// Selects a picture of the filmstrip; fingers on the picture lose their hold.
    private mutating func choose(
        _ index: Int, slides: Bool = true, at moment: Moment, effects: inout [Effect]
    ) {
        zoomPan.endSeries()
        zoomPan.stepFromManipulation(on: geometry)
        select(index, slides: slides, at: moment, effects: &effects)
    }

    /// Hides the chrome, because the picture leaves or arrives.
    mutating func hideChrome(at moment: Moment) {
        chrome.hide(at: moment)
        filmstrip.end(on: index, at: moment)
    }

    // MARK: Input

    /// Handles a gesture on the chrome, or the pointer; returns whether the gesture was one.
    mutating func handleOnChrome(
        _ gesture: Gesture, at moment: Moment, effects: inout [Effect]
    ) -> Bool {
        chrome.followInput(gesture)
        if case .longPress(let point, _) = gesture, chromeArea(at: moment).contains(point) {
            // By the right button of the mouse.
            if point.y < BarLayout.top { showWindowMenu(at: point, effects: &effects) }
            return true
        }
        guard case .chrome = gesture else { return false }
        var chrome = chrome
        let response = chrome.handle(
            gesture, bars: bars(at: moment).widgets,
            filmstrip: chrome.showsBars ? bars(at: moment).filmstripArea : nil, at: moment)
        self.chrome = chrome
        return perform(response, at: moment, effects: &effects)
    }

    /// Does what the chrome asks for; returns whether the input was for the chrome.
    @discardableResult
    mutating func perform(
        _ response: Chrome.Response, at moment: Moment, effects: inout [Effect]
    ) -> Bool {
        switch response {
        case .ignored: return false
        case .consumed: break
        case .act(let action): act(action, at: moment, effects: &effects)
        case .moveWindow:
            if chrome.layout.windowControls != nil { effects.append(.moveWindow) }
        case .toggleMaximized:
            if chrome.layout.windowControls != nil {
                effects.append(.window(.toggleMaximized))
            }
        case .showWindowMenu(let point): showWindowMenu(at: point, effects: &effects)
        case .scrub(let translation): scrub(translation, at: moment, effects: &effects)
        case .endScrub: filmstrip.end(on: index, at: moment)
        case .choose(let step):
            let new =
                switch step {
                case .previous: index - 1
                case .next: index + 1
                case .first: 0
                case .last: count - 1
                }
            if (0..<count).contains(new) { choose(new, at: moment, effects: &effects) }
        case .tapFilmstrip(let point):
            let strip = bars(at: moment).filmstrip
            if let index = strip?.index(at: point, filmstrip.position(at: moment)) {
                choose(index, at: moment, effects: &effects)
            }
        }
        return true
    }

    private func showWindowMenu(at point: Point, effects: inout [Effect]) {
        if chrome.layout.windowControls != nil { effects.append(.showWindowMenu(at: point)) }
    }

    private mutating func act(
        _ action: Widget.Action, at moment: Moment, effects: inout [Effect]
    ) {
        switch action {
        case .command(let command): perform(command, at: moment, effects: &effects)
        case .show(let index): choose(index, at: moment, effects: &effects)
        case .back: goUpOneLevel(at: moment, effects: &effects)
        case .closeSheet: chrome.closeHelp(at: moment)
        case .openMenu:
            openMenu(
                at: Point(
                    x: chrome.layout.theme.isRightToLeft ? 0 : viewport.size.width,
                    y: BarLayout.top))
        case .window(.close): close(effects: &effects)
        case .window(let action): effects.append(.window(action))
        case .edit:
            if chrome.zoomField == nil, let percent = facts(title: "", at: moment).percent {
                chrome.editZoom(percent, at: moment)
            }
        case .sort, .beginSelection, .endSelection: break
        }
    }

    // MARK: Menu

    private var menuItems: [Menu.Item] {
        Menu.Item.sections(
            Self.menuCommands.map { section in
                section.compactMap { menuItem($0, icon: $1) }
            })
    }

    /// The item of a command; nil where the picture does not have the command.
    private func menuItem(_ command: Command, icon: Icon?) -> Menu.Item? {
        let entry = CommandTable.entry(of: command)
        guard entry.condition != .animation || playback != nil, command != .slideshow || count > 1,
            policy.allows(command), command != .leave || cell.exit != nil || policy.allowsLeaving
        else { return nil }
        let plays = command == .playPause && playback == .playing
        let isPlay = command == .playPause && playback != .playing
        let isBack = command == .leave && cell.exit != nil
        return Menu.Item(
            title: isPlay ? "Play" : isBack ? "Back to the grid" : entry.title,
            action: .command(command), icon: plays ? .pause : isBack ? .back : icon,
            detail: entry.keys[.viewer]?.first?.label ?? "",
            isChecked: isChecked(command))
    }

    /// Whether the setting that a command toggles is on; nil for other commands.
    private func isChecked(_ command: Command) -> Bool? {
        switch command {
        case .checkerboard: settings.checkerboard
        case .keepZoom: settings.keepZoom
        case .slideshow: slideshow.isOn
        default: nil
        }
    }

    mutating func openMenu(at point: Point) {
        guard zoomPan.isShown, policy.allows(.menu) else { return }
        chrome.openMenu(menuItems, at: point)
    }

    // MARK: Information

    /// Whether the information panel is shown; its content should then be set.
    package var showsInformation: Bool { chrome.showsInformation }

    /// Sets the content of the information panel; `isOther` says that the content describes another
    /// picture than before.
    package mutating func setInformation(_ information: Information?, isOther: Bool) {
        chrome.setInformation(information, isOther: isOther)
    }

    /// The text of the message that is shown for a limited time; nil while none is shown.
    package var toast: String? { chrome.messageText }

    /// Shows a message for a limited time, after those that are shown.
    package mutating func show(_ toast: Toast, at moment: Moment) {
        chrome.show(toast, at: moment)
    }

    /// Hands over the messages to the chrome of the grid, apart from those about a picture.
    package mutating func giveMessages(to other: inout Chrome, at moment: Moment) {
        other.receiveMessages(from: &chrome, at: moment)
    }

    /// Shows the messages of the chrome of the grid.
    package mutating func receiveMessages(from other: inout Chrome, at moment: Moment) {
        chrome.receiveMessages(from: &other, at: moment)
    }
}
