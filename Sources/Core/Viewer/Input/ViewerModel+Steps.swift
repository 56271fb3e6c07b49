import Commands
import Geometry
import Gestures
import CMath
package import Input
package import Interface
package import Motion
import SceneModel

/// Commands in steps: taps, keys and the wheel.
extension ViewerModel {
    /// The zoom factor of one press of a zoom key.
    private static let zoomStep = 1.5
    /// Two-finger scrolling with Ctrl zooms by a factor of e over this distance, in logical pixels.
    private static let scrollZoomExtent = 200.0
    /// Wheel detents per doubling of the zoom.
    private static let detentsPerDoubling = 4.0
    /// How far an arrow key moves a zoomed picture, as a fraction of the surface's size.
    private static let panStep = 0.2
    /// How far a wheel detent moves a zoomed picture, in logical pixels.
    private static let panDetent = 80.0
    /// A tap this near to the left or right edge turns the page, as a fraction of the
    /// width.
    private static let pageEdge = 0.12

    // MARK: Taps

    mutating func tap(
        at point: Point, _ source: Manipulation.Source, at moment: Moment,
        effects: inout [ViewerEffect]
    ) {
        if perform(chrome.tapBeside(at: point, moment), at: moment, effects: &effects) { return }
        if turnsPages(source), let step = pageStep(at: point) {
            select(index + step, at: moment, effects: &effects)
        } else {
            switch source {
            case .mouse: chrome.showBars(at: moment)
            case .pen: chrome.toggleBars(byPenAt: point, moment)
            case .touch, .touchpad, .scroll: chrome.toggleBars(at: moment)
            }
        }
    }

    /// Whether taps beside the edges turn the page.
    private func turnsPages(_ source: Manipulation.Source) -> Bool {
        switch settings.tapSides {
        case .off: false
        case .pointer: source == .mouse
        case .touch: true
        }
    }

    /// The page step of a tap at a point, 1 or −1; nil between the edges, and where there is no
    /// picture on that side.
    private func pageStep(at point: Point) -> Int? {
        let range = rangeBetweenSides
        guard !range.contains(point.x) else { return nil }
        // The page beside the left edge comes in when the pages move to the right.
        let step = pager.step(towards: Vector(dx: point.x < range.lowerBound ? 1 : -1, dy: 0))
        return index + step >= 0 && index + step < count ? step : nil
    }

    /// The range of x between the areas in which a tap turns the page, in logical pixels.
    var rangeBetweenSides: ClosedRange<Double> {
        let edge = viewport.size.width * Self.pageEdge
        return edge...viewport.size.width - edge
    }

    /// Zooms to the next level of the ladder, and from the highest level back to fit.
    mutating func stepUp(about point: Point, at moment: Moment) {
        let limits = goalLimits
        let steps =
            settings.doubleTap == .toggle ? Array(limits.ladder.prefix(2)) : limits.ladder
        zoom(to: limits.step(above: zoomPan.goal.zoom, in: steps), about: point, at: moment)
    }

    mutating func stepDown(about point: Point, at moment: Moment) {
        zoom(to: goalLimits.step(below: zoomPan.goal.zoom), about: point, at: moment)
    }

    // MARK: Keys

    /// Handles a key that is not for a prompt.
    package mutating func handle(_ key: KeyEvent, at moment: Moment, effects: inout [ViewerEffect])
    {
        if chrome.zoomField != nil, handleInField(key, at: moment) { return }
        if isCropping { return handleInCrop(key, at: moment, effects: &effects) }
        guard let command = chrome.layout.keys.command(for: key, in: .viewer) else { return }
        handle(command, at: moment, effects: &effects)
    }

    mutating func perform(
        _ command: Command, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        // A key does not bring a dismissed picture back.
        guard zoomPan.isShown, policy.allows(command) else { return }
        if isCropping { return performInCrop(command, at: moment, effects: &effects) }
        zoomPan.endSeries()
        zoomPan.stepFromManipulation(on: geometry)
        switch command {
        case .left: step(Vector(dx: -1, dy: 0), at: moment, effects: &effects)
        case .right: step(Vector(dx: 1, dy: 0), at: moment, effects: &effects)
        case .up, .down:
            let direction = command == .up ? -1.0 : 1
            if chrome.scrollInformation(direction, at: moment) { return }
            step(Vector(dx: 0, dy: direction), at: moment, effects: &effects)
        case .next: select(index + 1, at: moment, effects: &effects)
        case .previous: select(index - 1, at: moment, effects: &effects)
        case .first: select(0, at: moment, effects: &effects)
        case .last: select(count - 1, at: moment, effects: &effects)
        case .zoomIn: zoom(by: Self.zoomStep, about: viewport.center, at: moment)
        case .zoomOut: zoom(by: 1 / Self.zoomStep, about: viewport.center, at: moment)
        case .fit: zoom(to: goalLimits.fit, about: viewport.center, at: moment)
        case .oneToOne: zoom(to: goalLimits.oneToOne, about: viewport.center, at: moment)
        case .fill: zoom(to: goalLimits.fill, about: viewport.center, at: moment)
        case .rotateClockwise: turn(by: 1, at: moment, effects: &effects)
        case .rotateAnticlockwise: turn(by: -1, at: moment, effects: &effects)
        case .keepZoom: toggleKeepZoom(at: moment, effects: &effects)
        case .slideshow: toggleSlideshow(at: moment, effects: &effects)
        case .light: toggleLight(at: moment)
        case .checkerboard: toggleCheckerboard(&effects)
        case .playPause: if playback != nil { effects.append(.playPause) }
        case .nextFrame: if playback != nil { effects.append(.nextFrame) }
        case .openFiles: effects.append(.openFiles)
        case .openFolder: effects.append(.openFolder)
        case .newWindow: effects.append(.newWindow)
        case .fullscreen: effects.append(.window(.toggleFullscreen))
        case .chrome: chrome.toggleBars(at: moment)
        case .help: chrome.toggleHelp(at: moment)
        case .settings: effects.append(.openSettings)
        case .menu: openMenu(at: viewport.center)
        case .information: chrome.toggleInformation(at: moment)
        case .leave where chrome.showsInformation: chrome.hideInformation(at: moment)
        case .leave: goUpOneLevel(at: moment, effects: &effects)
        case .grid: leaveToGrid(at: moment)
        case .quit: close(effects: &effects)
        case .undo, .redo, .delete, .deleteForGood, .flipHorizontally, .flipVertically, .favourite,
            .rate, .rename, .copyTo, .moveTo, .openWith, .showInFiles, .share, .print,
            .setBackground, .copy, .paste, .runCommand:
            effects.append(.files(command))
        case .crop: beginCrop(at: moment)
        case .pageUp, .pageDown, .open, .select, .selectAll, .defaultColumns, .focusNext,
            .focusPrevious, .favouritesOnly, .find,
            .parentFolder, .previousFolder:
            break
        }
    }

    /// Handles an arrow key: pans a zoomed picture, or turns the page at fit.
    private mutating func step(
        _ direction: Vector, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        guard !goalLimits.isFit(zoomPan.goal.zoom) else {
            if direction.dx != 0 {
                // The right key brings in the page at the right: the pages move to the left.
                let step = pager.step(towards: -direction)
                select(index + step, at: moment, effects: &effects)
            }
            return
        }
        let size = viewport.size
        pan(
            by: Vector(
                dx: -direction.dx * size.width * Self.panStep,
                dy: -direction.dy * size.height * Self.panStep),
            at: moment)
    }

    // MARK: Wheel and scroll

    mutating func turnWheel(
        _ detents: Vector, at point: Point, zooms: Bool, _ moment: Moment,
        effects: inout [ViewerEffect]
    ) {
        if chrome.turnWheelOnMenu(detents.dy) { return }
        zoomPan.stepFromManipulation(on: geometry)
        let atFit = goalLimits.isFit(zoomPan.goal.zoom)
        if zooms || settings.wheel == .zoom {
            zoomStep(
                by: exp2(-detents.dy / 120 / Self.detentsPerDoubling), about: point, at: moment)
        } else if atFit {
            let steps = pager.wheelStep(
                detents.dy + (pager.isMirrored ? -detents.dx : detents.dx), at: moment)
            if steps != 0 {
                select(
                    min(max(index + steps, 0), max(count - 1, 0)), at: moment,
                    effects: &effects)
            }
        } else {
            pan(by: detents * (-Self.panDetent / 120), at: moment)
        }
    }

    /// A zoom step of a series, about the aim of the first step.
    private mutating func zoomStep(by factor: Double, about point: Point, at moment: Moment) {
        guard let aim = seriesAim(about: point, at: moment) else { return }
        zoom(to: zoomPan.goal.zoom * factor, by: aim, at: moment)
    }

    mutating func zoomByScroll(_ distance: Double, about point: Point, at moment: Moment) {
        let factor = exp(-distance / Self.scrollZoomExtent)
        guard !isMoving(at: moment) else {
            zoomStep(by: factor, about: point, at: moment)
            return
        }
        guard let aim = seriesAim(about: point, at: moment) else { return }
        let zoom = zoomPan.computedPlacement(at: moment).zoom * factor
        zoomPan.rest(at: zoomPan.zoomed(to: zoom, by: aim, on: geometry))
    }

    /// Shows or hides the checkerboard behind transparent areas.
    mutating func toggleCheckerboard(_ effects: inout [ViewerEffect]) {
        settings.checkerboard.toggle()
        effects.append(.choose("viewer.checkerboard", isOn: settings.checkerboard))
    }

    // MARK: Motions

    /// The zoom limits in the rotation that the picture will have at rest.
    var goalLimits: ZoomLimits { limits(rotation: zoomPan.goal.rotation) }

    private mutating func pan(by translation: Vector, at moment: Moment) {
        travel(
            from: zoomPan.computedPlacement(at: moment),
            to: zoomPan.panned(by: translation, on: geometry), pivot: viewport.center, at: moment)
    }

    /// Zooms by a factor of the target zoom, so that quick presses accumulate.
    private mutating func zoom(by factor: Double, about point: Point, at moment: Moment) {
        zoom(to: zoomPan.goal.zoom * factor, about: point, at: moment)
    }

    /// Zooms to `zoom`, in logical pixels per picture pixel, about a point of the surface.
    mutating func zoom(to zoom: Double, about point: Point, at moment: Moment) {
        guard hasPicture, let size = pager.picture?.size else { return }
        let aim = zoomPan.newAim(about: pagePoint(point, at: moment), of: size, at: moment)
        self.zoom(to: zoom, by: aim, at: moment)
    }

    private mutating func zoom(to zoom: Double, by aim: ZoomAim, at moment: Moment) {
        travel(
            from: zoomPan.computedPlacement(at: moment),
            to: zoomPan.zoomed(to: zoom, by: aim, on: geometry), pivot: aim.point, at: moment)
    }

    /// The aim of the current series of zoom steps; nil without a picture.
    private mutating func seriesAim(about point: Point, at moment: Moment) -> ZoomAim? {
        guard hasPicture, let size = pager.picture?.size else { return nil }
        return zoomPan.continueSeries(
            about: pagePoint(point, at: moment), of: size, at: moment)
    }

    /// The point of the current page at a point of the surface, in logical pixels.
    private func pagePoint(_ point: Point, at moment: Moment) -> Point {
        point - Vector(dx: pagerOffset(at: moment), dy: 0)
    }

    /// Turns the picture by clockwise quarter turns, to stay so.
    private mutating func turn(by quarters: Int, at moment: Moment, effects: inout [ViewerEffect]) {
        guard hasPicture else { return }
        rotate(by: Double(quarters) * .pi / 2, at: moment)
        effects.append(.turned(index: pager.page, quarters: quarterTurns))
    }

    /// How far the current picture is turned against its pixels at rest, in clockwise quarter turns; 0
    /// without a picture.
    package var quarterTurns: Int {
        hasPicture ? Int(clamping: (zoomPan.goal.rotation / (.pi / 2)).rounded()) : 0
    }

    /// Rotates the picture about the centre of the surface, in radians.
    private mutating func rotate(by angle: Double, at moment: Moment) {
        guard hasPicture else { return }
        travel(
            from: zoomPan.computedPlacement(at: moment),
            to: zoomPan.rotated(by: angle, on: geometry), pivot: viewport.center, at: moment)
    }

    /// Moves the picture from `start` to `target` about `pivot`, a point of the surface in logical
    /// pixels, with the picture's current velocity; a displaced pager settles.
    mutating func travel(
        from start: Placement, to target: Placement, pivot: Point, at moment: Moment
    ) {
        if let manipulation = zoomPan.held {
            pager.settle(from: manipulation.pagerOffset, velocity: 0, at: moment)
        }
        endPair(at: moment)
        zoomPan.travel(from: start, to: target, pivot: pivot, at: moment)
    }
}
