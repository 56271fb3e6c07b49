import Geometry
import Motion

/// Decides what the contacts on the screen mean; one recogniser at a time owns them.
///
/// The first line that fits wins, and what has won keeps the contacts until all of them are up:
///
/// | what happens | who owns the contacts |
/// | --- | --- |
/// | the one finger of a second tap leaves the slop | quick zoom |
/// | a contact lands while the content moves | pan and pinch, without slop |
/// | fingers leave the slop, spread or turn | pan and pinch |
/// | another contact lands during a quick zoom | pan and pinch, without slop |
/// | one finger of a pinch is left | pinch, for 100 ms or until the finger lifts; then pan |
/// | one finger stays for 500 ms on content at rest, and is no second tap | long press, and then nobody |
/// | that finger leaves the slop, where content can be dragged out | drag-out, and then nobody |
/// | a mouse leaves the slop, after 300 ms or with Ctrl, where content can be dragged out | drag-out, and then nobody |
/// | all contacts lift, and none has left the slop | the taps: single, double, two-finger, with the eraser |
/// | `wl_touch.cancel` | nobody; what was held settles as if let go at rest |
///
/// A tap on moving content lets the motion go on, and counts only as half of a double tap.
struct TouchArbiter: Sendable {
    enum Phase: Sendable {
        case idle
        case undecided
        case holding
        case quickZooming
        /// A long press has fired: its finger may still drag the content out.
        case pressed
        /// The fingers have no further effect until they lift.
        case spent
    }

    var settings: GestureConstants
    var phase = Phase.idle
    var contacts = Contacts()
    var rotates = false
    var tap = TapRecognizer()
    var twoFingerTap = TwoFingerTap()
    var longPress = LongPress()
    var panPinch = PanPinch()
    var kinetics: Kinetics
    /// The pinch with one remaining finger.
    var coasting: CoastingPinch?
    /// Whether the first contact has caught a motion, and no finger has left the slop since.
    var hasCaughtMotion = false
    /// Whether a tap of the contact acts at once: outside `Context.doubleClickRange` or
    /// `Context.doubleTapRange`.
    var actsAtOnce = false
    /// When the mouse that is down drags the content out, and whether a finger that is down may.
    var mouseDragOut = (rule: DragOut.never, control: false)
    var touchDragsOut = false
    /// When the last event other than a frame came: frames have no time of their own.
    var lastMoment = Moment.zero

    init(settings: GestureConstants) {
        self.settings = settings
        kinetics = Kinetics(settings: settings)
    }

    var isTouching: Bool { contacts.count > 0 }

    /// The time of the events that wait for their frame; nil if none do.
    var openFrame: Moment? { contacts.areWaiting ? lastMoment : nil }

    func isDown(_ id: Contact.ID) -> Bool { contacts.index(of: id) != nil }

    // MARK: Deadlines

    var deadline: Moment? { coastingEnd ?? longPress.deadline ?? tap.deadline(settings) }

    /// When the remaining finger of a pinch begins to pan.
    var coastingEnd: Moment? {
        coasting?.start.advanced(byMilliseconds: settings.loneFingerDelay)
    }

    /// Fires timers that expire before `moment`, or at `moment` if `inclusive`.
    ///
    /// A second down exactly at the deadline still makes a double tap. An up or a move exactly at
    /// the deadline comes too late to prevent a long press, or to end a pinch together with its
    /// first finger.
    mutating func expire(to moment: Moment, inclusive: Bool, into gestures: inout [TimedGesture]) {
        if let due = tap.deadline(settings), due < moment || (inclusive && due == moment) {
            tap.fire(at: due, into: &gestures)
        }
        if let end = coastingEnd, end <= moment, contacts.liftingCount == 0 {
            endCoasting(at: end, into: &gestures)
            rebase(at: end, into: &gestures)
        }
        guard let deadline = longPress.deadline, deadline <= moment, contacts.liftingCount == 0,
            let point = longPress.fire()
        else { return }
        phase = touchDragsOut ? .pressed : .spent
        gestures.emit(.longPress(at: point, source: contacts[0].id.source), at: deadline)
    }

    // MARK: Events

    mutating func down(
        _ id: Contact.ID, at point: Point, _ moment: Moment, context: GestureArena.Context,
        into gestures: inout [TimedGesture]
    ) {
        if contacts.liftingCount > 0 { frame(context: context, into: &gestures) }
        if isDown(id) { return move(id, to: point, moment) }
        lastMoment = moment
        contacts.add(Contact(id: id, at: point, landed: moment))
    }

    mutating func move(_ id: Contact.ID, to point: Point, _ moment: Moment) {
        guard let index = contacts.index(of: id) else { return }
        lastMoment = moment
        contacts[index].pending = point + contacts[index].shift
        contacts[index].pendingMoment = moment
        contacts[index].isReported = true
    }

    /// A contact reports its major axis, in logical pixels: a palm lifts with the next frame,
    /// without effect.
    mutating func shape(_ id: Contact.ID, major: Double) {
        guard major > settings.palmSize, let index = contacts.index(of: id) else { return }
        guard index < contacts.landedCount else {
            contacts.removeWaiting(at: index)
            return
        }
        contacts[index].isPalm = true
        contacts[index].isLifting = true
        contacts[index].tapCount = 0
        longPress.forget()
    }

    mutating func up(_ id: Contact.ID, _ moment: Moment) {
        guard let index = contacts.index(of: id) else { return }
        lastMoment = moment
        contacts[index].isLifting = true
    }

    /// Whether the next frame lands contacts, or lifts some.
    var changesContacts: Bool {
        contacts.landedCount < contacts.count || contacts.liftingCount > 0
    }

    /// Applies the events since the last frame: moves, then downs, then ups.
    mutating func frame(context: GestureArena.Context, into gestures: inout [TimedGesture]) {
        commitReports(into: &gestures)
        let hasNew = contacts.landedCount < contacts.count
        while contacts.landedCount < contacts.count {
            land(context: context, into: &gestures)
        }
        if hasNew { commitReports(into: &gestures) }
        if contacts.liftingCount > 0 { lift(context: context, into: &gestures) }
    }

    private mutating func commitReports(into gestures: inout [TimedGesture]) {
        let reports = contacts.commitReports()
        // Fingers hold the content still until all of them have new coordinates.
        guard reports.hasReports, !contacts.haveMixedCoordinates else { return }
        if reports.hasNewCoordinates { continueElsewhere(into: &gestures) }
        panPinch.follow(contacts, rotates: rotates, settings: settings)
        kinetics.add(contacts, rotated: panPinch.turn, at: lastMoment, settings: settings)
        if reports.hasMovement { moved(into: &gestures) }
    }

    // MARK: Turns of the output

    /// The output has turned: fingers that are down have other coordinates from their next reports on.
    mutating func outputTurned(at moment: Moment, into gestures: inout [TimedGesture]) {
        if coasting != nil {
            endCoasting(at: moment, into: &gestures)
            rebase(at: moment, into: &gestures)
        }
        longPress.forget()
        contacts.expectNewCoordinates()
    }

    /// All fingers have new coordinates: the held content stays in place.
    private mutating func continueElsewhere(into gestures: inout [TimedGesture]) {
        kinetics.restart(contacts, at: lastMoment, settings: settings)
        // One finger goes on as before. More fingers have another centroid, about which they scale and turn.
        let areSeveral = contacts.landedCount > 1
        if areSeveral { panPinch.rebase(contacts) }
        switch phase {
        case .holding where areSeveral: rebase(at: lastMoment, into: &gestures)
        case .quickZooming:
            gestures.emit(.quickZoomEnded, at: lastMoment)
            phase = .spent
        case .pressed: phase = .spent
        case .idle, .undecided, .holding, .spent: break
        }
    }

    // MARK: Prediction

    /// Emits the manipulation or the quick zoom as predicted for `moment`, the time of a frame.
    func sample(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard contacts.landedCount > 0, !contacts.haveMixedCoordinates else { return }
        switch phase {
        case .holding:
            gestures.emit(.manipulationPredicted(manipulation(predictedAt: moment)), at: moment)
        case .quickZooming:
            let predicted = contacts.resampled(at: moment)
            let distance = QuickZoom.distance(of: predicted[0], settings: settings)
            gestures.emit(.quickZoomPredicted(distance: distance), at: moment)
        case .idle, .undecided, .pressed, .spent: break
        }
    }

    /// Whether the prediction still changes after `moment` if no event comes.
    func isPredicting(after moment: Moment) -> Bool {
        (phase == .holding || phase == .quickZooming)
            && (contacts.isPredicted(after: moment) || coasting?.isMoving == true)
    }

    /// Discards a tap that waits for a second one, because another action was requested.
    mutating func forgetTap() { tap.forget() }

    /// Cancels all contacts and their gestures.
    mutating func cancel(at moment: Moment, into gestures: inout [TimedGesture]) {
        sample(at: moment, into: &gestures)
        endCoasting(at: moment, into: &gestures)
        switch phase {
        case .holding:
            let release = Release(centroid: contacts.centroid, isCancelled: true)
            gestures.emit(.manipulationEnded(release), at: moment)
        case .quickZooming: gestures.emit(.quickZoomEnded, at: moment)
        case .undecided where hasCaughtMotion: gestures.emit(.resumed, at: moment)
        case .idle, .undecided, .pressed, .spent: break
        }
        hasCaughtMotion = false
        contacts.removeAll()
        tap.forget()
        longPress.forget()
        phase = .idle
    }
}
