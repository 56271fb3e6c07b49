import Geometry
import Gestures
import CMath
package import Input
package import Motion
import SceneModel

/// Taps, keys and the wheel: what goes in steps.
extension ViewerModel {
    /// One press of a zoom key.
    private static let zoomStep = 1.5
    /// Two-finger scrolling with Ctrl held zooms by e over this way, in logical pixels.
    private static let scrollZoomExtent = 200.0
    /// Wheel detents per doubling of the zoom.
    private static let detentsPerDoubling = 4.0
    /// How far an arrow key moves a zoomed picture, as a part of the surface.
    private static let panStep = 0.2
    /// How far a wheel detent moves a zoomed picture, in logical pixels.
    private static let panDetent = 80.0
    /// A mouse click on this part of the width, left or right, turns the page.
    private static let pageEdge = 0.12

    /// Steps count from where the fingers have brought the picture.
    private mutating func countFromHold() {
        guard case .held(let hold) = state else { return }
        goal = geometry.nearestRest(to: hold.placement, about: hold.focal)
    }

    // MARK: Taps

    mutating func tap(
        at point: Point, _ source: Manipulation.Source, at moment: Moment,
        effects: inout [Effect]
    ) {
        // A tap beside the menu closes it.
        if menu != nil {
            menu = nil
            return
        }
        if panel.isShown {
            hideInformation(at: moment)
            return
        }
        if source == .mouse, let step = pageStep(at: point) {
            select(index + step, at: moment, effects: &effects)
        } else {
            chrome.toggle()
        }
    }

    /// Which way a click at a point turns the page, 1 or −1; nil between the edges, and where there
    /// is no picture on that side.
    private func pageStep(at point: Point) -> Int? {
        let range = doubleClickRange
        if point.x < range.lowerBound, index > 0 { return -1 }
        if point.x > range.upperBound, index + 1 < count { return 1 }
        return nil
    }

    /// Between the edges at which a click turns the page, in logical pixels from the left.
    var doubleClickRange: ClosedRange<Double> {
        let edge = viewport.size.width * Self.pageEdge
        return edge...viewport.size.width - edge
    }

    /// A tap that began on the bar or on the menu.
    mutating func tapChrome(at point: Point, _ moment: Moment, effects: inout [Effect]) {
        if let menu {
            tapMenu(menu, at: point, moment, effects: &effects)
        } else if chrome, closeButton.contains(point) {
            levelUp(at: moment, effects: &effects)
        }
    }

    /// One step up the ladder, from its top back to fit.
    mutating func stepUp(about point: Point, at moment: Moment) {
        let limits = limits(rotation: goal.rotation)
        let steps =
            settings.doubleTap == .toggle ? Array(limits.ladder.prefix(2)) : limits.ladder
        zoom(to: limits.step(above: goal.zoom, in: steps), about: point, at: moment)
    }

    mutating func stepDown(about point: Point, at moment: Moment) {
        let limits = limits(rotation: goal.rotation)
        zoom(to: limits.step(below: goal.zoom), about: point, at: moment)
    }

    // MARK: Keys

    package mutating func handle(_ key: KeyEvent, at moment: Moment, effects: inout [Effect]) {
        guard let command = KeyCommand(key) else { return }
        if handleInMenu(command, at: moment, effects: &effects) { return }
        perform(command, at: moment, effects: &effects)
    }

    mutating func perform(
        _ command: KeyCommand, at moment: Moment, effects: inout [Effect]
    ) {
        switch state {
        // What has been dismissed is not called back by a key.
        case .leaving, .homing, .gone: return
        case .resting, .held, .moving: break
        }
        // It goes on from where the fingers are seen.
        defer { if !isHeld { predicted = nil } }
        zoomAim = nil
        countFromHold()
        let limits = limits(rotation: goal.rotation)
        switch command {
        case .left: step(Vector(dx: -1, dy: 0), at: moment, effects: &effects)
        case .right: step(Vector(dx: 1, dy: 0), at: moment, effects: &effects)
        case .up, .down:
            let way = command == .up ? -1.0 : 1
            if scrollInformation(way, at: moment) { return }
            step(Vector(dx: 0, dy: way), at: moment, effects: &effects)
        case .next: select(index + 1, at: moment, effects: &effects)
        case .previous: select(index - 1, at: moment, effects: &effects)
        case .first: select(0, at: moment, effects: &effects)
        case .last: select(count - 1, at: moment, effects: &effects)
        case .zoomIn: zoom(by: Self.zoomStep, about: viewport.center, at: moment)
        case .zoomOut: zoom(by: 1 / Self.zoomStep, about: viewport.center, at: moment)
        case .fit: zoom(to: limits.fit, about: viewport.center, at: moment)
        case .oneToOne: zoom(to: limits.oneToOne, about: viewport.center, at: moment)
        case .fill: zoom(to: limits.fill, about: viewport.center, at: moment)
        case .rotateClockwise: turn(by: .pi / 2, at: moment)
        case .rotateAnticlockwise: turn(by: -.pi / 2, at: moment)
        case .checkerboard: settings.checkerboard.toggle()
        case .playPause: if animation != nil { effects.append(.playPause) }
        case .nextFrame: if animation != nil { effects.append(.nextFrame) }
        case .fullscreen: effects.append(.toggleFullscreen)
        case .chrome: chrome.toggle()
        case .menu: openMenu(at: viewport.center)
        case .information: toggleInformation(at: moment)
        case .leave where panel.isShown: hideInformation(at: moment)
        case .leave: levelUp(at: moment, effects: &effects)
        case .grid: leaveToHome(at: moment)
        case .quit: close(at: moment, effects: &effects)
        }
    }

    /// An arrow key: moves what is larger than the surface, and turns the page where nothing is.
    private mutating func step(_ way: Vector, at moment: Moment, effects: inout [Effect]) {
        guard !limits(rotation: goal.rotation).isFit(goal.zoom) else {
            if way.dx != 0 {
                select(index + (way.dx > 0 ? 1 : -1), at: moment, effects: &effects)
            }
            return
        }
        let size = viewport.size
        pan(
            by: Vector(
                dx: -way.dx * size.width * Self.panStep, dy: -way.dy * size.height * Self.panStep),
            at: moment)
    }

    private mutating func pan(by way: Vector, at moment: Moment) {
        let now = place(at: moment)
        let target = geometry.rest(
            zoom: goal.zoom, rotation: goal.rotation, near: goal.center + way)
        travel(from: now, to: target, pivot: viewport.center, at: moment)
    }

    /// Zooms by a factor of where the zoom is heading, so that quick presses add up.
    private mutating func zoom(by factor: Double, about point: Point, at moment: Moment) {
        zoom(to: goal.zoom * factor, about: point, at: moment)
    }

    /// Turns the picture about the middle of the surface; at fit it stays at fit.
    private mutating func turn(by angle: Double, at moment: Moment) {
        guard hasPicture else { return }
        let now = place(at: moment)
        let rotation = ((goal.rotation + angle) / (.pi / 2)).rounded() * (.pi / 2)
        let old = limits(rotation: goal.rotation)
        let new = limits(rotation: rotation)
        let zoom =
            old.isFit(goal.zoom) ? new.fit : min(max(goal.zoom, new.min), new.max)
        let center =
            viewport.center
            + (goal.center - viewport.center).rotated(by: angle) * (zoom / goal.zoom)
        travel(
            from: now, to: geometry.rest(zoom: zoom, rotation: rotation, near: center),
            pivot: viewport.center, at: moment)
    }

    // MARK: Wheel and scroll

    mutating func turnWheel(
        _ detents: Vector, at point: Point, zooms: Bool, _ moment: Moment,
        effects: inout [Effect]
    ) {
        guard menu == nil else {
            menu?.drag(by: -detents.dy / 120 * Self.panDetent)
            return
        }
        countFromHold()
        let atFit = limits(rotation: goal.rotation).isFit(goal.zoom)
        if zooms || settings.wheel == .zoom {
            zoomStep(
                by: exp2(-detents.dy / 120 / Self.detentsPerDoubling), about: point, at: moment)
        } else if atFit {
            let turned = wheel.turn(detents.dy + detents.dx, at: moment)
            if turned != 0 {
                select(
                    min(max(index + turned, 0), max(count - 1, 0)), at: moment,
                    effects: &effects)
            }
        } else {
            pan(by: detents * (-Self.panDetent / 120), at: moment)
        }
    }

    /// A step of a run, about what the first one was aimed at.
    private mutating func zoomStep(by factor: Double, about point: Point, at moment: Moment) {
        guard hasPicture else { return }
        let aim = aim(about: point, at: moment)
        zoom(to: goal.zoom * factor, by: aim, at: moment)
    }

    private mutating func aim(about point: Point, at moment: Moment) -> ZoomAim {
        let aim =
            zoomAim?.continued(at: moment)
            ?? ZoomAim(at: aimedPoint(point, at: moment), of: place(at: moment), moment)
        zoomAim = aim
        return aim
    }

    mutating func zoomByScroll(_ distance: Double, about point: Point, at moment: Moment) {
        guard hasPicture else { return }
        let factor = exp(-distance / Self.scrollZoomExtent)
        guard !isMoving(at: moment) else {
            zoomStep(by: factor, about: point, at: moment)
            return
        }
        let aim = aim(about: point, at: moment)
        let now = place(at: moment)
        let limits = limits(rotation: goal.rotation)
        let zoom = min(max(now.zoom * factor, limits.min), limits.max)
        rest(at: geometry.rest(zoom: zoom, rotation: goal.rotation, near: aim.center(at: zoom)))
    }
}

/// Collects parts of wheel detents until a whole one turns a page.
struct WheelSteps: Hashable, Sendable {
    private var remainder = 0.0
    private var last = Moment.zero

    /// A pause this long forgets a part of a detent, in milliseconds.
    private static let pause = 500.0

    /// How many whole detents there are with these `parts` of 120 more; positive is down.
    mutating func turn(_ parts: Double, at moment: Moment) -> Int {
        if parts * remainder < 0 || moment.seconds(since: last) * 1000 > Self.pause {
            remainder = 0
        }
        last = moment
        remainder += parts
        let whole = (remainder / 120).rounded(.towardZero)
        remainder -= whole * 120
        return Int(min(max(whole, -1000), 1000))
    }
}
