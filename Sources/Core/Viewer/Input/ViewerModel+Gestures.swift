import Commands
import Geometry
package import Gestures
package import Interface
package import Motion
import SceneModel

extension ViewerModel {
    /// Handles a recognised gesture that is not for a prompt.
    package mutating func handle(
        _ gesture: Gesture, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        if isCropping { return handleInCrop(gesture, at: moment, effects: &effects) }
        guard mayChange(by: gesture), !chrome.handleInPanels(gesture, at: moment),
            !handleOnChrome(gesture, at: moment, effects: &effects)
        else { return }
        if handleFromSamples(gesture, at: moment, effects: &effects) { return }
        if !gesture.isZoomStep { zoomPan.endSeries() }
        // The prediction stays valid until the gesture is handled, so that motions continue from
        // the drawn placement.
        defer { if !gesture.keepsPrediction { zoomPan.discardPrediction() } }
        switch gesture {
        case .caught:
            chrome.keepBarsForTap(at: moment)
            stop(at: moment)
        case .manipulationBegan(let fingers):
            chrome.expectNoTap()
            chrome.closeMenu()
            chrome.endEditing(at: moment)
            catchFade(at: moment)
            chooseFromPair(at: fingers.base, moment, effects: &effects)
            if fingers.fingers == 1 { displacePage(for: fingers.translation, at: moment) }
            if isReturningToCell { cancelReturn(at: moment) }
            begin(fingers, at: moment)
        case .manipulationChanged(let fingers): follow(fingers, at: moment)
        case .manipulationPredicted(let fingers): zoomPan.predict(fingers, on: geometry)
        case .manipulationReverted: revert(at: moment)
        case .tap(let point, let source): tap(at: point, source, at: moment, effects: &effects)
        case .doubleTap(let point):
            chooseFromPair(at: point, moment, effects: &effects)
            stepUp(about: point, at: moment)
        case .twoFingerTap(let point):
            perform(settings.gestures[.twoFingerTap], of: point, at: moment, effects: &effects)
        case .longPress(let point, let source):
            // The menu belongs to the right button of the mouse.
            let command = source == .mouse ? .menu : settings.gestures[.longPress]
            perform(command, of: point, at: moment, effects: &effects)
        case .pen(let control, let point):
            use(control, at: point, moment, effects: &effects)
        case .dragOut(let point, _): effects.append(.dragOut(indexes: [index], from: point))
        case .quickZoomBegan(let point):
            catchFade(at: moment)
            chooseFromPair(at: point, moment, effects: &effects)
            beginQuickZoom(at: point, moment)
        case .quickZoomChanged(let distance): zoomPan.follow(distance: distance, on: geometry)
        case .quickZoomPredicted(let distance): zoomPan.predict(distance: distance, on: geometry)
        case .manipulationRebased, .manipulationEnded, .quickZoomEnded, .resumed, .chrome: break
        case .wheel(let detents, let point, let zooms):
            turnWheel(detents, at: point, zooms: zooms, moment, effects: &effects)
        case .scrollZoom(let distance, let point):
            chooseFromPair(at: point, moment, effects: &effects)
            zoomByScroll(distance, about: point, at: moment)
        }
    }

    /// Performs the command of an eraser or of a button of a pen.
    private mutating func use(
        _ control: PenControl, at point: Point, _ moment: Moment, effects: inout [ViewerEffect]
    ) {
        if control == .eraser {
            let response = chrome.tapBeside(at: point, moment)
            if perform(response, at: moment, effects: &effects) { return }
        }
        let command = settings.gestures.command(of: control)
        perform(command, of: point, at: moment, effects: &effects)
    }

    /// Performs the command of a gesture at a point: the menu opens there, and the zoom is about the point.
    private mutating func perform(
        _ command: Command, of point: Point, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        switch command {
        case .menu:
            dissolvePair(at: point, moment, effects: &effects)
            openMenu(at: point)
        case .zoomOut:
            chooseFromPair(at: point, moment, effects: &effects)
            stepDown(about: point, at: moment)
        default:
            chooseFromPair(at: point, moment, effects: &effects)
            perform(command, at: moment, effects: &effects)
        }
    }

    /// Handles a gesture whose result is computed from the samples alone, without the prediction;
    /// returns false for other gestures.
    private mutating func handleFromSamples(
        _ gesture: Gesture, at moment: Moment, effects: inout [ViewerEffect]
    ) -> Bool {
        switch gesture {
        case .manipulationRebased(let fingers, let predicted):
            withPredictionCorrection(at: moment) { viewer in
                viewer.zoomPan.discardPrediction()
                viewer.rebase(fingers, at: moment)
                viewer.zoomPan.predict(predicted, on: viewer.geometry)
            }
        case .manipulationEnded(let release):
            withPredictionCorrection(at: moment) { viewer in
                viewer.zoomPan.discardPrediction()
                viewer.letGo(release, at: moment, effects: &effects)
            }
        case .quickZoomEnded:
            withPredictionCorrection(at: moment) { viewer in
                viewer.zoomPan.discardPrediction()
                viewer.endQuickZoom(at: moment)
            }
        case .resumed:
            withPredictionCorrection(at: moment) { viewer in
                viewer.zoomPan.discardPrediction()
                viewer.resume(at: moment)
            }
        default: return false
        }
        return true
    }

    /// Whether a gesture has an effect in the current state.
    ///
    /// A dismissed picture can be caught, but taps, keys and the wheel do not bring it back.
    private func mayChange(by gesture: Gesture) -> Bool {
        switch (zoomPan.state, gesture) {
        case (.gone, _): false
        case (.leaving, .caught), (.leaving, .manipulationBegan): true
        case (.returningToCell, .caught), (.returningToCell, .manipulationBegan): true
        case (.leaving, _), (.returningToCell, _): false
        case (.resting, _), (.held, _), (.moving, _), (.drifting, _): true
        }
    }

    // MARK: Catching

    /// Stops all motion, because a finger has landed; a picture that was leaving stops together
    /// with its backdrop and crop.
    private mutating func stop(at moment: Moment) {
        if !zoomPan.isShown {
            backdrop.set(backdropOpacity(at: moment))
            cell.stop(at: moment)
        }
        zoomPan.stop(
            at: moment, pagerMoves: !pager.offset.isAtRest(at: moment), on: geometry)
        pager.hold(at: pager.offset.displacement(at: moment))
    }

    /// Continues the motion that a touch has stopped, unless another motion has begun meanwhile.
    private mutating func resume(at moment: Moment) {
        let interruption = zoomPan.consumeInterruption()
        switch zoomPan.state {
        case .held, .resting: break
        case .moving, .drifting, .leaving, .returningToCell, .gone: return
        }
        let now = zoomPan.computedPlacement(at: moment)
        switch (interruption, cell.source) {
        case (.returnToCell?, let source?):
            startReturn(to: source, from: now, about: now.center, velocity: .zero, at: moment)
        case (.leaving(let velocity)?, _):
            leaveSurface(
                from: now, velocity: velocity, about: now.center, since: moment, at: moment)
        case (.motion(isFling: true)?, _): resumeMotion(from: now, isFling: true, at: moment)
        case (.motion?, _), (.returnToCell?, nil), (nil, _):
            resumeMotion(from: now, isFling: false, at: moment)
        }
    }

    /// Continues a motion to its goal.
    private mutating func resumeMotion(
        from now: Placement, isFling: Bool, at moment: Moment
    ) {
        pager.settle(from: pagerOffset(at: moment), velocity: 0, at: moment)
        let goal = zoomPan.goal
        let range = geometry.restRange(zoom: now.zoom, rotation: now.rotation)
        if isFling, range.overscroll(of: now.center) == .zero {
            // A fling decelerates exponentially, so its velocity is the remaining distance times
            // the rate.
            let velocity = (goal.center - now.center) * Deceleration.normal
            zoomPan.move(
                by: PlacementMotion(
                    flinging: now, velocity: velocity, within: range, at: moment))
        } else {
            zoomPan.move(
                by: PlacementMotion(from: now, to: goal, pivot: viewport.center, at: moment))
        }
    }

    // MARK: Manipulation

    private mutating func begin(_ fingers: Manipulation, at moment: Moment) {
        let now = zoomPan.computedPlacement(at: moment)
        let pagerOffset = pagerOffset(at: moment)
        let kind = kind(of: fingers, at: now, pagerOffset: pagerOffset)
        let isWaiting =
            kind == .pan && fingers.translation == .zero
            && (zoomPan.interruption != nil || limits(rotation: now.rotation).isFit(now.zoom))
        startManipulation(
            fingers,
            .init(
                kind: kind, start: now, origin: now, pagerOffset: pagerOffset,
                isArmed: kind == .pinch && mayPinchAway(from: now), isUndecided: isWaiting,
                began: moment),
            at: moment)
    }

    /// The kind of a new manipulation.
    private func kind(of fingers: Manipulation, at now: Placement, pagerOffset: Double)
        -> ActiveManipulation.Kind
    {
        guard fingers.fingers == 1 else { return hasPicture ? .pinch : .swipe }
        // Also zooms below fit: a picture that was caught on its way back from a dismissal drag.
        guard limits(rotation: now.rotation).isFit(now.zoom) else { return .pan }
        if pagerOffset != 0 { return .swipe }
        let translation = fingers.translation
        // After a catch the manipulation begins before any translation: the picture follows the
        // finger until the translation decides the kind.
        if translation == .zero { return .pan }
        if abs(translation.dx) > abs(translation.dy) { return .swipe }
        let mayScroll = fingers.source != .scroll || settings.scrollDismisses
        return allowedSettings.dismiss != .off && mayScroll ? .dismiss : .pan
    }

    private func mayPinchAway(from start: Placement) -> Bool {
        allowedSettings.dismiss != .off && limits(rotation: start.rotation).isFit(start.zoom)
    }

    private mutating func rebase(_ fingers: Manipulation, at moment: Moment) {
        guard let old = zoomPan.held else { return }
        let kind: ActiveManipulation.Kind =
            fingers.fingers == 1 && fingers.source != .touchpad ? .pan : .pinch
        // The fingers of a pinch land one after another, and the first one may have moved before.
        let joins =
            kind == .pinch && old.kind != .pinch
            && moment.seconds(since: old.began) * 1000 < ActiveManipulation.landingDelay
        startManipulation(
            fingers,
            .init(
                kind: kind, start: old.placement, origin: old.origin, pagerOffset: old.pagerOffset,
                isArmed: old.isArmed || joins && mayPinchAway(from: old.origin), began: old.began),
            at: moment)
    }

    /// Restarts the manipulation with the kind that the translation has decided.
    private mutating func decide(
        _ old: ActiveManipulation, _ fingers: Manipulation, at moment: Moment
    ) {
        let kind = kind(of: fingers, at: old.placement, pagerOffset: old.pagerOffset)
        startManipulation(
            fingers,
            .init(
                kind: kind, start: old.placement, origin: old.origin, pagerOffset: old.pagerOffset,
                isArmed: old.isArmed, base: old.fingers, began: old.began),
            at: moment)
    }

    private mutating func startManipulation(
        _ fingers: Manipulation, _ beginning: ActiveManipulation.Beginning, at moment: Moment
    ) {
        var beginning = beginning
        let opacity = backdropOpacity(at: moment)
        if !beginning.isUndecided { cell.uncrop(at: moment) }
        if beginning.kind == .dismiss {
            let range = geometry.restRange(
                zoom: beginning.start.zoom, rotation: beginning.start.rotation)
            let isAbove = range.overscroll(of: beginning.start.center).dy < 0
            beginning.resistsUpwards = allowedSettings.swipeUp == .information
            beginning.progress =
                isAbove && !beginning.resistsUpwards ? opacity - 1 : 1 - opacity
        } else if !beginning.isUndecided {
            fade(to: 1, at: moment)
        }
        zoomPan.hold(ActiveManipulation(beginning, fingers, on: geometry))
    }

    private mutating func follow(_ fingers: Manipulation, at moment: Moment) {
        guard let manipulation = zoomPan.held else { return }
        if manipulation.isUndecided,
            fingers.translation.length > ActiveManipulation.decidingDistance
        {
            decide(manipulation, fingers, at: moment)
        } else {
            zoomPan.follow(fingers, on: geometry)
        }
    }

    private mutating func revert(at moment: Moment) {
        guard let manipulation = zoomPan.held else { return }
        fade(to: 1, at: moment)
        let target = geometry.nearestRest(to: manipulation.origin, about: manipulation.focal)
        travel(from: manipulation.placement, to: target, pivot: manipulation.focal, at: moment)
    }

    private mutating func beginQuickZoom(at point: Point, _ moment: Moment) {
        guard hasPicture else { return }
        let now = zoomPan.computedPlacement(at: moment)
        let fingers = Manipulation(source: .touch, fingers: 1, base: point, centroid: point)
        startManipulation(
            fingers,
            .init(
                kind: .quickZoom(focal: point), start: now, origin: now,
                pagerOffset: pagerOffset(at: moment)),
            at: moment)
    }
}
