import Commands
import Edits
import Geometry
import Gestures
package import Interface
import Localization
package import Motion
import SceneModel

/// The bars and the filmstrip over the picture.
extension ViewerModel {
    /// Whether the chrome lies over the picture; false while the grid handles input.
    var ownsChrome: Bool { chrome.mode == .viewer }

    // MARK: Looks

    /// Sets the looks of the interface, and the window buttons that the bars include.
    package mutating func setLooks(_ theme: Theme, windowControls: WindowControls?) {
        var layout = chrome.layout
        layout.theme = theme
        layout.windowControls = windowControls
        chrome.set(layout)
        layOutCrop()
        pager.setMirrored(theme.isRightToLeft)
    }

    /// Sets the date of a picture, as text for the bar; empty if unknown.
    package mutating func setDate(_ text: String, of index: Int) {
        pictureFacts.setDate(text, of: index)
    }

    /// Sets the text that stands for a picture where the picture cannot be seen; nil if there is none.
    package mutating func setAlternativeText(_ text: String?, of index: Int) {
        pictureFacts.setAlternativeText(text?.display, of: index)
    }

    /// Sets whether motions end within a frame, as the desktop asks for; those that have begun go on.
    package mutating func setReducesMotion(_ reducesMotion: Bool) {
        settings.reducedMotion = reducesMotion
        pager.reducesMotion = reducesMotion
        zoomPan.reducesMotion = reducesMotion
        backdrop.reducesMotion = reducesMotion
        cell.reducesMotion = reducesMotion
        chrome.reducesMotion = reducesMotion
        crop?.model.reducesMotion = reducesMotion
    }

    /// What the bars show; `title` is the name of the selected picture.
    func facts(title: String, at moment: Moment) -> ViewerFacts {
        var facts = ViewerFacts(
            name: title, index: index, count: count,
            percent: placement(at: moment).map { Self.percent(of: $0, on: viewport) })
        if facts.percent != nil {
            let (range, percent) = (goalLimits.range, viewport.scale * 100)
            facts.percentRange = range.lowerBound * percent...range.upperBound * percent
        }
        facts.date = pictureFacts.date(of: index) ?? facts.date
        facts.zoomField = chrome.zoomField
        facts.showsInformation = chrome.showsInformation
        facts.coversBottom = chrome.panelCoversBottom
        (facts.panelWidth, facts.panelWidthAtBottom) = chrome.panelWidth(at: moment)
        facts.isAnimation = playback != nil
        facts.isPlaying = playback == .playing
        facts.returnsToGrid = cell.exit != nil
        facts.isFavourite = pictureFacts.isFavourite(index)
        facts.files = files
        facts.slideshow = slideshowFacts(at: moment)
        return facts
    }

    /// The zoom in device pixels per picture pixel, in percent.
    private static func percent(of placement: Placement, on viewport: Viewport) -> Int {
        Int(clamping: (placement.zoom * viewport.scale * 100).rounded())
    }

    func bars(title: String = "", at moment: Moment) -> ViewerBars {
        ViewerBars(chrome.layout, facts(title: title, at: moment))
    }

    /// The widgets that are shown, and the picture, for assistive technology.
    package func widgets(title: String, at moment: Moment) -> [Widget] {
        var widgets: [Widget] = []
        if let picture = pager.picture, let placement = placement(at: moment) {
            let text = pictureFacts.alternativeText(of: index)
            var widget = Widget(
                "picture", .image, title,
                description: text ?? "\(picture.size.width) × \(picture.size.height)",
                rect: placement.boundingRect(of: picture.size.size), states: .focusable,
                action: .command(.chrome))
            widget.alternative = text
            if count > 1 { widget.place = Widget.Place(index, of: count) }
            if zoomPan.held == nil, !isAnimating(at: moment) {
                widget.announced = percentage(Self.percent(of: placement, on: viewport))
            }
            widgets.append(widget)
        } else if let failure = pager.failure {
            var box = failureBox(failure, about: viewport.center)
            box.states.insert(.focusable)
            widgets.append(box)
        }
        widgets += slideOverlayWidgets(at: moment)
        if isCropping {
            widgets += [cropFrameWidget(at: moment)].compactMap(\.self)
            widgets += cropBars(at: moment).widgets
        } else if chrome.showsBars {
            widgets += bars(title: title, at: moment).widgets
        }
        return widgets + chrome.overlays(above: widgets, at: moment)
    }

    /// The box with the reason why a picture cannot be shown.
    func failureBox(_ text: String, about center: Point) -> Widget {
        MessageBox.widget("failure", .statusBar, text, about: center, chrome.layout)
    }

    /// The areas of the surface that belong to the chrome.
    func chromeArea(at moment: Moment) -> ChromeArea {
        chrome.area(
            bars: isCropping ? cropBars(at: moment).areas : bars(at: moment).areas, at: moment)
    }

    // MARK: Filmstrip

    /// The cells of the filmstrip, and the opacity with which they are drawn; empty while the bars are
    /// hidden, and over the grid.
    func filmstripCells(at moment: Moment) -> (cells: [(index: Int, rect: Rect)], opacity: Double) {
        let share = chrome.barShare(at: moment)
        guard ownsChrome, share > 0, !isCropping, let strip = bars(at: moment).filmstrip else {
            return ([], 0)
        }
        return (strip.cells(at: filmstrip.position(at: moment)), share)
    }

    /// Whether the filmstrip is visible at least in part, so that thumbnails are needed.
    package func showsFilmstrip(at moment: Moment) -> Bool {
        !filmstripCells(at: moment).cells.isEmpty
    }

    private mutating func scrub(
        _ translation: Vector, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        guard let strip = bars(at: moment).filmstrip else { return }
        if !filmstrip.isHeld { filmstrip.begin(at: moment) }
        guard
            let middle = filmstrip.drag(
                by: translation.dx, on: strip, isStill: settings.reducedMotion)
        else { return }
        choose(middle, slides: false, at: moment, effects: &effects)
    }

    /// Selects a picture of the filmstrip; fingers on the picture lose their hold.
    private mutating func choose(
        _ index: Int, slides: Bool = true, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        zoomPan.endSeries()
        zoomPan.stepFromManipulation(on: geometry)
        select(index, slides: slides, at: moment, effects: &effects)
    }

    /// Hides the chrome, because the picture leaves or arrives.
    mutating func hideChrome(at moment: Moment) {
        chrome.hide(at: moment)
        filmstrip.end(on: index, at: moment, isStill: settings.reducedMotion)
    }

    // MARK: Input

    /// Handles a gesture on the chrome, or the pointer; returns whether the gesture was one.
    mutating func handleOnChrome(
        _ gesture: Gesture, at moment: Moment, effects: inout [ViewerEffect]
    ) -> Bool {
        chrome.followInput(gesture)
        if chrome.closesMenu(gesture) { return true }
        if let point = gesture.buttonPress, chromeArea(at: moment).contains(point) {
            chrome.pressButton(at: point, effects: &effects)
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
    package mutating func perform(
        _ response: Chrome.Response, at moment: Moment, effects: inout [ViewerEffect]
    ) -> Bool {
        switch response {
        case .ignored: return false
        case .consumed: break
        case .act(let action): act(action, at: moment, effects: &effects)
        case .window(let request): chrome.request(request, effects: &effects)
        case .scrub(let translation): scrub(translation, at: moment, effects: &effects)
        case .endScrub: filmstrip.end(on: index, at: moment, isStill: settings.reducedMotion)
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

    private mutating func act(
        _ action: Widget.Action, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        if chrome.perform(action, at: moment, effects: &effects) {
            return takeAngle(&effects, at: moment)
        }
        switch action {
        case .command(let command): perform(command, at: moment, effects: &effects)
        case .show(let index): choose(index, at: moment, effects: &effects)
        case .back: goUpOneLevel(at: moment, effects: &effects)
        case .openMenu(let kind): openMenu(kind, at: moment)
        case .window(.close): close(effects: &effects)
        case .edit:
            if chrome.zoomField == nil, let percent = facts(title: "", at: moment).percent {
                chrome.editZoom(percent, at: moment)
            }
        case .crop(let action): actInCrop(action, at: moment, effects: &effects)
        case .zoom(let percent): zoom(toPercent: Double(percent), at: moment)
        case .sort, .about, .homePage, .beginSelection, .endSelection, .closeSheet, .setting,
            .answer, .window,
            .present, .endSearch, .folder, .position:
            break
        }
    }

    // MARK: Information

    /// Whether the information panel is shown; its content should then be set.
    package var showsInformation: Bool { chrome.showsInformation }

    /// Sets the content of the information panel; `isOther` says that the content describes another
    /// picture than before.
    package mutating func setInformation(_ information: Information?, isOther: Bool) {
        chrome.setInformation(information, isOther: isOther)
    }
}
