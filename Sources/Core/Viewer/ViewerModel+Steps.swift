import Commands
import Geometry
import Gestures
import CMath
package import Input
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
    /// A mouse click this near to the left or right edge turns the page, as a fraction of the
    /// width.
    private static let pageEdge = 0.12

    /// Makes zoom steps start from the placement of the active manipulation.
    private mutating func stepFromManipulation() {
        guard case .held(let manipulation) = state else { return }
        goal = geometry.nearestRest(to: manipulation.placement, about: manipulation.focal)
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

    /// The page step of a click at a point, 1 or −1; nil between the edges, and where there is no
    /// picture on that side.
    private func pageStep(at point: Point) -> Int? {
        let range = doubleClickRange
        if point.x < range.lowerBound, index > 0 { return -1 }
        if point.x > range.upperBound, index + 1 < count { return 1 }
        return nil
    }

    /// The range of x between the areas in which a click turns the page, in logical pixels.
    var doubleClickRange: ClosedRange<Double> {
        let edge = viewport.size.width * Self.pageEdge
        return edge...viewport.size.width - edge
    }

    /// A tap that began on the bar or on the menu.
    mutating func tapChrome(at point: Point, _ moment: Moment, effects: inout [Effect]) {
        if let menu {
            tapMenu(menu, at: point, moment, effects: &effects)
        } else if chrome, closeButton.contains(point) {
            goUpOneLevel(at: moment, effects: &effects)
        }
    }

    /// Zooms to the next level of the ladder, and from the highest level back to fit.
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
        guard let command = CommandTable.command(for: key, in: .viewer) else { return }
        if handleInMenu(command, at: moment, effects: &effects) { return }
        perform(command, at: moment, effects: &effects)
    }

    mutating func perform(
        _ command: Command, at moment: Moment, effects: inout [Effect]
    ) {
        switch state {
        // A key does not bring a dismissed picture back.
        case .leaving, .returningToCell, .gone: return
        case .resting, .held, .moving: break
        }
        // The prediction stays valid until the command is performed, so that motions continue from
        // the drawn placement.
        defer { if !isHeld { predicted = nil } }
        zoomAim = nil
        stepFromManipulation()
        let limits = limits(rotation: goal.rotation)
        switch command {
        case .left: step(Vector(dx: -1, dy: 0), at: moment, effects: &effects)
        case .right: step(Vector(dx: 1, dy: 0), at: moment, effects: &effects)
        case .up, .down:
            let direction = command == .up ? -1.0 : 1
            if scrollInformation(direction, at: moment) { return }
            step(Vector(dx: 0, dy: direction), at: moment, effects: &effects)
        case .next: select(index + 1, at: moment, effects: &effects)
        case .previous: select(index - 1, at: moment, effects: &effects)
        case .first: select(0, at: moment, effects: &effects)
        case .last: select(count - 1, at: moment, effects: &effects)
        case .zoomIn: zoom(by: Self.zoomStep, about: viewport.center, at: moment)
        case .zoomOut: zoom(by: 1 / Self.zoomStep, about: viewport.center, at: moment)
        case .fit: zoom(to: limits.fit, about: viewport.center, at: moment)
        case .oneToOne: zoom(to: limits.oneToOne, about: viewport.center, at: moment)
        case .fill: zoom(to: limits.fill, about: viewport.center, at: moment)
        case .rotateClockwise: rotate(by: .pi / 2, at: moment)
        case .rotateAnticlockwise: rotate(by: -.pi / 2, at: moment)
        case .checkerboard: settings.checkerboard.toggle()
        case .playPause: if animation != nil { effects.append(.playPause) }
        case .nextFrame: if animation != nil { effects.append(.nextFrame) }
        case .fullscreen: effects.append(.toggleFullscreen)
        case .chrome: chrome.toggle()
        case .menu: openMenu(at: viewport.center)
        case .information: toggleInformation(at: moment)
        case .leave where panel.isShown: hideInformation(at: moment)
        case .leave: goUpOneLevel(at: moment, effects: &effects)
        case .grid: leaveToGrid(at: moment)
        case .quit: close(at: moment, effects: &effects)
        case .pageUp, .pageDown, .open, .select, .selectAll, .defaultColumns: break
        }
    }

    /// Handles an arrow key: pans a zoomed picture, or turns the page at fit.
    private mutating func step(_ direction: Vector, at moment: Moment, effects: inout [Effect]) {
        guard !limits(rotation: goal.rotation).isFit(goal.zoom) else {
            if direction.dx != 0 {
                select(index + (direction.dx > 0 ? 1 : -1), at: moment, effects: &effects)
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

    private mutating func pan(by translation: Vector, at moment: Moment) {
        let now = place(at: moment)
        let target = geometry.rest(
            zoom: goal.zoom, rotation: goal.rotation, near: goal.center + translation)
        travel(from: now, to: target, pivot: viewport.center, at: moment)
    }

    /// Zooms by a factor of the target zoom, so that quick presses accumulate.
    private mutating func zoom(by factor: Double, about point: Point, at moment: Moment) {
        zoom(to: goal.zoom * factor, about: point, at: moment)
    }

    /// Rotates the picture about the centre of the surface, in radians; a picture at fit stays at
    /// fit.
    private mutating func rotate(by angle: Double, at moment: Moment) {
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
        stepFromManipulation()
        let atFit = limits(rotation: goal.rotation).isFit(goal.zoom)
        if zooms || settings.wheel == .zoom {
            zoomStep(
                by: exp2(-detents.dy / 120 / Self.detentsPerDoubling), about: point, at: moment)
        } else if atFit {
            let steps = wheel.turn(detents.dy + detents.dx, at: moment)
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

/// Accumulates fractions of wheel detents until a whole detent turns a page.
struct WheelSteps: Hashable, Sendable {
    private var remainder = 0.0
    private var last = Moment.zero

    /// After a longer pause the accumulated fraction is discarded, in milliseconds.
    private static let pause = 500.0

    /// Adds a wheel movement in units of 1/120 detent, positive down; returns the number of whole
    /// detents.
    mutating func turn(_ units: Double, at moment: Moment) -> Int {
        if units * remainder < 0 || moment.seconds(since: last) * 1000 > Self.pause {
            remainder = 0
        }
        last = moment
        remainder += units
        let whole = (remainder / 120).rounded(.towardZero)
        remainder -= whole * 120
        return Int(min(max(whole, -1000), 1000))
    }
}
