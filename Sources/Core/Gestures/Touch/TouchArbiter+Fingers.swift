import Geometry
import Input
import Motion

/// Transitions when fingers land, move and lift.
extension TouchArbiter {
    // MARK: Landing

    mutating func land(context: GestureArena.Context, into gestures: inout [TimedGesture]) {
        let isFirst = contacts.landedCount == 0
        // The new manipulation continues from the predicted positions of the fingers that are down.
        sample(at: contacts[contacts.landedCount].landed, into: &gestures)
        endCoasting(at: contacts[contacts.landedCount].landed, into: &gestures)
        contacts.dropShifts(at: contacts[contacts.landedCount].landed)
        let index = contacts.landNext()
        let moment = contacts[index].landed
        contacts[index].tapCount = 1
        longPress.forget()
        if isFirst { landFirst(context: context, into: &gestures) }
        twoFingerTap.land(at: moment, isFirst: isFirst)
        kinetics.restart(landing: contacts, at: moment, settings: settings)
        // A third finger that brushes the screen does not discard the rotation of the other two.
        panPinch.rebase(contacts, keepsRotation: phase == .undecided)
        switch phase {
        case .idle, .undecided:
            phase = .undecided
            // The second tap of a double tap may become a quick zoom, so it stays undecided on
            // moving content too.
            let isSecondTap = isFirst && contacts[0].tapCount == 2
            if context.contentIsMoving, !isSecondTap, !actsAtOnce {
                begin(at: moment, into: &gestures)
            }
        case .holding:
            rebase(at: moment, into: &gestures)
        case .quickZooming:
            gestures.emit(.quickZoomEnded, at: moment)
            begin(at: moment, into: &gestures)
            rebase(at: moment, into: &gestures)
        // A second finger means something else than a drag.
        case .pressed: phase = .spent
        case .spent: break
        }
    }

    private mutating func landFirst(
        context: GestureArena.Context, into gestures: inout [TimedGesture]
    ) {
        let (id, point, moment) = (contacts[0].id, contacts[0].start, contacts[0].landed)
        panPinch = PanPinch()
        rotates = context.rotates
        mouseDragOut = (context.mouseDragOut, context.modifiers.contains(.control))
        touchDragsOut = context.touchDragsOut
        let range = id == .mouse ? context.doubleClickRange : context.doubleTapRange
        actsAtOnce = !range.contains(point.x)
        if actsAtOnce { tap.fire(at: moment, into: &gestures) }
        if id == .pen(.eraser) { tap.fire(at: moment, into: &gestures) }
        contacts[0].tapCount = tap.land(at: point, moment, settings: settings, into: &gestures)
        hasCaughtMotion = context.contentIsMoving && !actsAtOnce
        if hasCaughtMotion || !context.contentIsMoving {
            gestures.emit(.caught(at: point), at: moment)
        }
        if contacts[0].tapCount == 1, id.mayPressLong, !context.contentIsMoving {
            longPress.land(at: point, moment, settings: settings)
        }
    }

    // MARK: Moving

    mutating func moved(into gestures: inout [TimedGesture]) {
        coasting?.follow(contacts[0].position, at: lastMoment, slop: settings.slop)
        let hasCrossed = panPinch.hasCrossed(contacts, settings: settings)
        switch phase {
        case .undecided where hasCrossed: decide(into: &gestures)
        case .holding, .quickZooming: gestures.emit(change, at: lastMoment)
        case .pressed where hasCrossed: dragOut(contacts[0].id.source, into: &gestures)
        case .idle, .undecided, .pressed, .spent: break
        }
        if hasCrossed { hasCaughtMotion = false }
        for index in 0..<contacts.landedCount
        where (contacts[index].position - contacts[index].start).length > settings.slop {
            contacts[index].tapCount = 0
            hasCaughtMotion = false
        }
    }

    /// The manipulation or the quick zoom, as of the fingers' last samples.
    private var change: Gesture {
        phase == .quickZooming
            ? .quickZoomChanged(distance: QuickZoom.distance(of: contacts[0], settings: settings))
            : .manipulationChanged(manipulation)
    }

    private mutating func decide(into gestures: inout [TimedGesture]) {
        if contacts[0].tapCount == 2, !twoFingerTap.hasSecondFinger {
            phase = .quickZooming
            gestures.emit(.quickZoomBegan(at: contacts[0].start), at: lastMoment)
            gestures.emit(change, at: lastMoment)
        } else if leavesByMouse {
            dragOut(.mouse, into: &gestures)
        } else {
            panPinch.subtractSlop(contacts, settings: settings)
            begin(at: lastMoment, into: &gestures)
        }
    }

    /// Whether the contact is a mouse that drags the content out of the window.
    private var leavesByMouse: Bool {
        guard contacts[0].id == .mouse, contacts.landedCount == 1 else { return false }
        let rest = lastMoment.milliseconds - contacts[0].landed.milliseconds
        return mouseDragOut.rule.applies(toRestOf: rest, control: mouseDragOut.control, settings)
    }

    private mutating func dragOut(
        _ source: Manipulation.Source, into gestures: inout [TimedGesture]
    ) {
        phase = .spent
        longPress.forget()
        gestures.emit(.dragOut(at: contacts[0].start, source: source), at: lastMoment)
    }

    private mutating func begin(at moment: Moment, into gestures: inout [TimedGesture]) {
        phase = .holding
        longPress.forget()
        gestures.emit(.manipulationBegan(manipulation), at: moment)
    }

    func rebase(at moment: Moment, into gestures: inout [TimedGesture]) {
        gestures.emit(
            .manipulationRebased(manipulation, predicted: manipulation(predictedAt: moment)),
            at: moment)
    }

    private var manipulation: Manipulation {
        coasting?.manipulation(at: lastMoment, finger: contacts[0].position)
            ?? panPinch.manipulation(contacts, settings: settings)
    }

    func manipulation(predictedAt moment: Moment) -> Manipulation {
        let predicted = contacts.resampled(at: moment)
        if let coasting { return coasting.manipulation(at: moment, finger: predicted[0].position) }
        return panPinch.manipulation(predicted, rotated: predicted.turn, settings: settings)
    }

    // MARK: Lifting

    mutating func lift(context: GestureArena.Context, into gestures: inout [TimedGesture]) {
        let isLast = contacts.liftingCount == contacts.landedCount
        longPress.forget()
        switch phase {
        case .undecided: liftUndecided(context: context, isLast: isLast, into: &gestures)
        case .holding where hasCaughtMotion:
            sample(at: lastMoment, into: &gestures)
            liftUndecided(context: context, isLast: isLast, into: &gestures)
        case .holding where isLast: releaseContent(into: &gestures)
        case .holding: sample(at: lastMoment, into: &gestures)
        case .quickZooming:
            sample(at: lastMoment, into: &gestures)
            gestures.emit(.quickZoomEnded, at: lastMoment)
        case .idle, .pressed, .spent: break
        }
        guard !isLast else {
            contacts.removeAll()
            coasting = nil
            hasCaughtMotion = false
            phase = .idle
            return
        }
        if phase == .holding, !hasCaughtMotion { beginCoasting() }
        contacts.removeLifting()
        kinetics.restart(contacts, at: lastMoment, settings: settings)
        panPinch.rebase(contacts, keepsRotation: phase == .undecided)
        if phase == .holding { rebase(at: lastMoment, into: &gestures) }
    }

    /// Some fingers of a pinch lift: the pinch coasts if exactly one finger remains.
    ///
    /// The pinch does not coast if what lifts was a palm, or brushed the screen beside a finger
    /// that dragged.
    private mutating func beginCoasting() {
        let speeds = kinetics.depart(
            contacts, isRotating: panPinch.isRotating, at: lastMoment, settings: settings)
        guard contacts.landedCount - contacts.liftingCount == 1, !contacts.arePalms(lifting: true),
            !contacts.haveBrushed(at: lastMoment, within: settings.brushDuration)
        else { return }
        let centroid = contacts.centroid
        for index in 0..<contacts.landedCount where !contacts[index].isLifting {
            coasting = CoastingPinch(
                settings.thrown(speeds), centroid: centroid, finger: contacts[index].position,
                at: lastMoment)
        }
    }

    /// Ends coasting: the remaining finger begins another gesture.
    mutating func endCoasting(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard let ended = coasting else { return }
        gestures.emit(
            .manipulationChanged(ended.manipulation(at: moment, finger: contacts[0].position)),
            at: moment)
        coasting = nil
        panPinch.rebase(contacts)
    }

    /// All fingers lift: releases the content at their last samples, with the speeds there.
    private mutating func releaseContent(into gestures: inout [TimedGesture]) {
        let moment = lastMoment
        sample(at: moment, into: &gestures)
        var (speeds, centroid) = (Kinetics.Speeds(), contacts.centroid)
        if let coasting {
            let last = coasting.manipulation(at: moment, finger: contacts[0].position)
            gestures.emit(.manipulationChanged(last), at: moment)
            centroid = last.centroid
            speeds = coasting.speeds(at: moment, panVelocity: kinetics.velocity(at: moment))
        } else if contacts.landedCount > 1 {
            speeds = kinetics.depart(
                contacts, isRotating: panPinch.isRotating, at: moment, settings: settings)
        } else {
            speeds.velocity = kinetics.velocity(at: moment)
        }
        speeds = settings.thrown(speeds)
        var release = Release(
            centroid: centroid, velocity: speeds.velocity, zoomRate: speeds.zoomRate,
            rotationRate: speeds.rotationRate)
        if contacts.arePalms(lifting: false) {
            release = Release(centroid: centroid, isCancelled: true)
        }
        if coasting == nil { release.age = max(contacts.prediction(at: moment), 0) }
        gestures.emit(.manipulationEnded(release), at: moment)
    }

    /// Fingers lift that have not left the slop: a tap, or one part of a tap.
    private mutating func liftUndecided(
        context: GestureArena.Context, isLast: Bool, into gestures: inout [TimedGesture]
    ) {
        let hasCaught = hasCaughtMotion
        if hasCaught, isLast { gestures.emit(.resumed, at: lastMoment) }
        guard !twoFingerTap.hasSecondFinger else {
            if let point = twoFingerTap.lift(contacts, at: lastMoment, settings: settings) {
                gestures.emit(.twoFingerTap(at: point), at: lastMoment)
            }
            return
        }
        let contact = contacts[0]
        let source = contact.id.source
        let isShort =
            lastMoment.milliseconds - contact.landed.milliseconds <= settings.longPressDelay
        guard contact.id != .pen(.eraser) else {
            if isShort, !hasCaught, contact.tapCount == 1 {
                gestures.emit(.pen(.eraser, at: contact.start), at: lastMoment)
            }
            return
        }
        if contact.tapCount == 2 {
            if isShort { gestures.emit(.doubleTap(at: contact.start), at: lastMoment) }
        } else if contact.tapCount == 1 {
            guard !hasCaught else {
                if isShort, context.doubleTapMatters {
                    tap.completeOnMotion(at: contact.start, lastMoment, source: source)
                }
                return
            }
            tap.complete(
                at: contact.start, lastMoment, source: source,
                waits: context.doubleTapMatters && !actsAtOnce, into: &gestures)
        }
    }
}
