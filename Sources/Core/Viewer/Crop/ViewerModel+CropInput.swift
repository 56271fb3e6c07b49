import Commands
import Geometry
import Gestures
import Input
import Interface
import Motion
import SceneModel

/// Input while a picture is cropped.
extension ViewerModel {
    /// How far an arrow key moves the picture, as a fraction of the frame.
    private static let cropStep = 0.05
    /// The zoom factor of one press of a zoom key.
    private static let cropZoomStep = 1.25

    // MARK: Gestures

    /// Handles a gesture while a picture is cropped.
    mutating func handleInCrop(
        _ gesture: Gesture, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        if chrome.handleInPanels(gesture, at: moment) { return }
        chrome.followInput(gesture)
        if chrome.closesMenu(gesture) { return }
        if case .chrome = gesture {
            let bars = cropBars(at: moment)
            var chrome = chrome
            let response = chrome.handle(
                gesture, bars: bars.widgets, filmstrip: bars.dialRect, at: moment)
            self.chrome = chrome
            performInCrop(response, at: moment, effects: &effects)
            return
        }
        switch gesture {
        case .tap(let point, _):
            let response = chrome.tapBeside(at: point, moment)
            performInCrop(response, at: moment, effects: &effects)
        case .wheel(let detents, _, _):
            if chrome.turnWheelOnMenu(detents.dy) { return }
        case .caught, .manipulationBegan, .quickZoomBegan: chrome.closeMenu()
        case .pen(let control, let point): useInCrop(control, at: point, moment, effects: &effects)
        default: break
        }
        crop?.model.handle(gesture, at: moment)
    }

    /// Performs the command of an eraser or of a button of a pen.
    private mutating func useInCrop(
        _ control: PenControl, at point: Point, _ moment: Moment, effects: inout [ViewerEffect]
    ) {
        let response = control == .eraser ? chrome.tapBeside(at: point, moment) : .ignored
        if response != .ignored {
            performInCrop(response, at: moment, effects: &effects)
        } else {
            let command = settings.gestures.command(of: control)
            performInCrop(command, at: moment, effects: &effects)
        }
    }

    /// Does what the chrome asks for.
    private mutating func performInCrop(
        _ response: Chrome.Response, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        switch response {
        case .scrub(let translation): crop?.model.turnDial(by: translation.dx, at: moment)
        case .endScrub: crop?.model.endDial(at: moment)
        case .tapFilmstrip(let point):
            if let dial = cropBars(at: moment).dialRect {
                let ruler = CropBars.ruler(of: dial, chrome.layout.theme)
                // The number before the ruler is a field.
                guard point.x >= ruler.x else { return askForAngle(at: moment) }
                guard point.x <= ruler.maxX else { break }
                crop?.model.tapDial(at: point.x - ruler.center.x, at: moment)
            }
        case .choose: break
        default: perform(response, at: moment, effects: &effects)
        }
    }

    /// Does what a button or a row of a menu asks for.
    mutating func actInCrop(
        _ action: CropAction, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        switch action {
        case .cancel: endCrop(at: moment)
        case .save(let destination): saveCrop(to: destination, at: moment, effects: &effects)
        case .method(let method):
            crop?.method = method
            openCropMenu(.cropSave, at: moment)
        case .ratio(let ratio): crop?.model.choose(ratio, at: moment)
        case .swapSides: crop?.model.swapSides(at: moment)
        case .rotate: crop?.model.rotate(quarters: 1, at: moment)
        case .flipHorizontally: crop?.model.flip(vertically: false, at: moment)
        case .flipVertically: crop?.model.flip(vertically: true, at: moment)
        case .reset: crop?.model.reset(at: moment)
        case .zoomIn: zoomCrop(by: Self.cropZoomStep, at: moment)
        case .zoomOut: zoomCrop(by: 1 / Self.cropZoomStep, at: moment)
        }
    }

    /// Zooms about the middle of the frame.
    private mutating func zoomCrop(by factor: Double, at moment: Moment) {
        let center = crop?.model.target.frame.center ?? viewport.center
        crop?.model.zoom(by: factor, about: center, at: moment)
    }

    /// Opens a menu of the crop bars.
    mutating func openCropMenu(_ kind: Widget.MenuKind, at moment: Moment) {
        let items = items(of: kind)
        guard crop != nil, !items.isEmpty else { return }
        let button = cropBars(at: moment).widgets.lazy.flatMap(\.children).first {
            $0.action == .openMenu(kind)
        }
        chrome.openMenu(items, of: button, at: viewport.center)
    }

    // MARK: Keys

    /// Handles a key while a picture is cropped.
    mutating func handleInCrop(_ key: KeyEvent, at moment: Moment, effects: inout [ViewerEffect]) {
        guard key.action != .up else { return }
        let command = chrome.layout.keys.command(for: key, in: .viewer)
        // A menu and the button with the focus come first.
        let isForChrome =
            chrome.showsMenu || chrome.showsHelp || command == .focusNext
            || command == .focusPrevious || isForFocus(command)
        if isForChrome, let command {
            var chrome = chrome
            let response = chrome.handle(
                command, bars: cropBars(at: moment).widgets, at: moment)
            self.chrome = chrome
            if response != .ignored {
                return performInCrop(response, at: moment, effects: &effects)
            }
        }
        if performInCrop(key, at: moment, effects: &effects) { return }
        if let command { performInCrop(command, at: moment, effects: &effects) }
    }

    /// Whether a command is for the button that has the focus; the dial uses the arrows itself.
    private func isForFocus(_ command: Command?) -> Bool {
        guard let focused = chrome.focusedWidget else { return false }
        switch command {
        case .left, .right: return focused != CropBars.dial
        case .chrome, .next, .leave: return true
        default: return false
        }
    }

    /// Handles a key by its name; returns whether the key has a meaning here.
    private mutating func performInCrop(
        _ key: KeyEvent, at moment: Moment, effects: inout [ViewerEffect]
    ) -> Bool {
        guard key.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return false }
        switch key.name {
        case "Left", "KP_Left": moveCrop(-1, 0, key, at: moment)
        case "Right", "KP_Right": moveCrop(1, 0, key, at: moment)
        case "Up", "KP_Up": moveCrop(0, -1, key, at: moment)
        case "Down", "KP_Down": moveCrop(0, 1, key, at: moment)
        case "bracketleft": crop?.model.straighten(by: -1, at: moment)
        case "bracketright": crop?.model.straighten(by: 1, at: moment)
        case "comma": straightenByTenth(-1, at: moment)
        case "period": straightenByTenth(1, at: moment)
        case "a":
            if let next = crop?.model.ratio.next { crop?.model.choose(next, at: moment) }
        case "x": crop?.model.swapSides(at: moment)
        case "Return", "KP_Enter": saveCrop(to: .copy, at: moment, effects: &effects)
        default: return false
        }
        return true
    }

    private mutating func moveCrop(
        _ x: Double, _ y: Double, _ key: KeyEvent, at moment: Moment
    ) {
        guard var model = crop?.model else { return }
        if chrome.focusedWidget == CropBars.dial, x != 0 {
            model.straighten(by: x, at: moment)
        } else {
            let size = model.target.frame.size
            let step = Vector(
                dx: x * size.width * Self.cropStep, dy: y * size.height * Self.cropStep)
            key.modifiers.contains(.shift)
                ? model.resizeFrame(by: step, at: moment) : model.pan(by: step, at: moment)
        }
        crop?.model = model
    }

    /// Performs a command while a picture is cropped; commands that turn pages or change files have no
    /// effect.
    mutating func performInCrop(
        _ command: Command, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        guard policy.allows(command) else { return }
        switch command {
        case .leave: endCrop(at: moment)
        case .zoomIn: zoomCrop(by: Self.cropZoomStep, at: moment)
        case .zoomOut: zoomCrop(by: 1 / Self.cropZoomStep, at: moment)
        case .fit: crop?.model.reset(at: moment)
        case .rotateClockwise: crop?.model.rotate(quarters: 1, at: moment)
        case .rotateAnticlockwise: crop?.model.rotate(quarters: -1, at: moment)
        case .flipHorizontally: crop?.model.flip(vertically: false, at: moment)
        case .flipVertically: crop?.model.flip(vertically: true, at: moment)
        case .checkerboard: toggleCheckerboard(&effects)
        case .fullscreen: effects.append(.window(.toggleFullscreen))
        case .quit: close(effects: &effects)
        default: break
        }
    }
}
