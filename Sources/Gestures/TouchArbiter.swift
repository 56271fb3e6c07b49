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
/// | all contacts lift, and none has left the slop | the taps: single, double, two-finger |
/// | `wl_touch.cancel` | nobody; what was held settles as if let go at rest |
///
/// A tap on moving content lets the motion go on, and counts only as half of a double tap.
struct TouchArbiter: Sendable {
    private enum Phase: Sendable {
        case idle
        case undecided
        case holding
        case quickZooming
        /// A long press has fired: what else the fingers do means nothing.
        case spent
    }

    private let settings: GestureSettings
    private var phase = Phase.idle
    private var contacts = Contacts()
    private var rotates = false
    private var tap = TapRecognizer()
    private var twoFingerTap = TwoFingerTap()
    private var longPress = LongPress()
    private var panPinch = PanPinch()
    private var kinetics: Kinetics
    /// The pinch of which one finger is left.
    private var coasting: CoastingPinch?
    /// Whether the first contact has caught a motion, and nothing has left the slop since.
    private var isStillOnMotion = false
    /// Whether the one contact is a click at a place where clicks act at once.
    private var actsAtOnce = false
    /// When the last event but a frame came: frames bear no time of their own.
    private(set) var lastMoment = Moment.zero

    init(settings: GestureSettings) {
        self.settings = settings
        kinetics = Kinetics(settings: settings)
    }

    var isTouching: Bool { contacts.count > 0 }

    func isDown(_ id: Contact.ID) -> Bool { contacts.index(of: id) != nil }

    // MARK: Deadlines

    var deadline: Moment? { coastingEnd ?? longPress.deadline ?? tap.deadline(settings) }

    /// When the finger that is left of a pinch begins to pan.
    private var coastingEnd: Moment? {
        coasting?.start.advanced(byMilliseconds: settings.loneFingerDelay)
    }

    /// Fires what was due before `moment`, or at it if `inclusive`.
    ///
    /// A second down in the last moment still makes a double tap, but an up or a move in the last
    /// moment comes too late to prevent a long press, or to end a pinch with its first finger.
    mutating func expire(to moment: Moment, inclusive: Bool, into gestures: inout [TimedGesture]) {
        if let due = tap.deadline(settings), due < moment || (inclusive && due == moment) {
            tap.fire(at: due, into: &gestures)
        }
        if let end = coastingEnd, end <= moment, contacts.liftingCount == 0 {
            endCoasting(at: end, into: &gestures)
            rebase(at: end, into: &gestures)
        }
        guard let deadline = longPress.deadline, deadline <= moment, contacts.liftingCount == 0,
            let point = longPress.take()
        else { return }
        phase = .spent
        gestures.emit(.longPress(at: point), at: deadline)
    }

    // MARK: Events

    mutating func down(
        _ id: Contact.ID, at point: Point, _ moment: Moment, context: GestureArena.Context,
        into gestures: inout [TimedGesture]
    ) {
        if contacts.liftingCount > 0 { frame(context: context, into: &gestures) }
        lastMoment = moment
        if let index = contacts.index(of: id) {
            report(index, at: point, moment)
        } else {
            contacts.add(Contact(id: id, at: point, landed: moment))
        }
    }

    mutating func move(_ id: Contact.ID, to point: Point, _ moment: Moment) {
        guard let index = contacts.index(of: id) else { return }
        lastMoment = moment
        report(index, at: point, moment)
    }

    private mutating func report(_ index: Int, at point: Point, _ moment: Moment) {
        contacts[index].pending = point
        contacts[index].pendingMoment = moment
        contacts[index].isReported = true
    }

    /// A contact tells how long it is, in logical pixels: one that is no finger lifts with the next
    /// frame, and means nothing.
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

    /// What the events since the last frame said takes effect: moves, then downs, then ups.
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
        guard reports.areThere else { return }
        panPinch.follow(contacts, rotates: rotates, settings: settings)
        kinetics.add(contacts, turned: panPinch.turn, at: lastMoment, settings: settings)
        if reports.haveMoved { moved(into: &gestures) }
    }

    // MARK: Between the samples

    /// Says where the content is at `moment`, the time of a frame.
    func sample(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard contacts.landedCount > 0 else { return }
        switch phase {
        case .holding: gestures.emit(.manipulationSeen(manipulation(seenAt: moment)), at: moment)
        case .quickZooming:
            let seen = contacts.resampled(at: moment)
            let distance = QuickZoom.distance(of: seen[0], settings: settings)
            gestures.emit(.quickZoomSeen(distance: distance), at: moment)
        case .idle, .undecided, .spent: break
        }
    }

    /// Whether the content moves after `moment` although no finger tells anything more.
    func isPredicting(after moment: Moment) -> Bool {
        (phase == .holding || phase == .quickZooming)
            && (contacts.isPredicted(after: moment) || coasting?.isMoving == true)
    }

    /// A tap that waits for a second one is forgotten: something else was asked for.
    mutating func forgetTap() { tap.forget() }

    /// Forgets all contacts and all that they might have become.
    mutating func cancel(at moment: Moment, into gestures: inout [TimedGesture]) {
        sample(at: moment, into: &gestures)
        endCoasting(at: moment, into: &gestures)
        switch phase {
        case .holding:
            let release = Release(centroid: contacts.centroid, isCancelled: true)
            gestures.emit(.manipulationEnded(release), at: moment)
        case .quickZooming: gestures.emit(.quickZoomEnded, at: moment)
        case .undecided where isStillOnMotion: gestures.emit(.resumed, at: moment)
        case .idle, .undecided, .spent: break
        }
        isStillOnMotion = false
        contacts.removeAll()
        tap.forget()
        longPress.forget()
        phase = .idle
    }

    // MARK: Landing

    private mutating func land(context: GestureArena.Context, into gestures: inout [TimedGesture]) {
        let isFirst = contacts.landedCount == 0
        // Whoever follows goes on from where the fingers are seen that are there.
        sample(at: contacts[contacts.landedCount].landed, into: &gestures)
        endCoasting(at: contacts[contacts.landedCount].landed, into: &gestures)
        let index = contacts.landNext()
        let moment = contacts[index].landed
        contacts[index].tapCount = 1
        longPress.forget()
        if isFirst { landFirst(context: context, into: &gestures) }
        twoFingerTap.land(at: moment, isFirst: isFirst)
        kinetics.restart(landing: contacts, at: moment, settings: settings)
        panPinch.rebase(contacts)
        switch phase {
        case .idle, .undecided:
            phase = .undecided
            // The second tap of a double tap may be dragged: it waits for that, on a motion, too.
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
        case .spent: break
        }
    }

    private mutating func landFirst(
        context: GestureArena.Context, into gestures: inout [TimedGesture]
    ) {
        let (id, point, moment) = (contacts[0].id, contacts[0].start, contacts[0].landed)
        panPinch = PanPinch()
        rotates = context.rotates
        actsAtOnce = id == .mouse && !context.doubleClickRange.contains(point.x)
        if actsAtOnce { tap.fire(at: moment, into: &gestures) }
        contacts[0].tapCount = tap.land(at: point, moment, settings: settings, into: &gestures)
        isStillOnMotion = context.contentIsMoving && !actsAtOnce
        if isStillOnMotion || !context.contentIsMoving {
            gestures.emit(.caught(at: point), at: moment)
        }
        // A mouse has a button of its own for the menu, and may hold still before it drags.
        if contacts[0].tapCount == 1, id != .mouse, !context.contentIsMoving {
            longPress.land(at: point, moment, settings: settings)
        }
    }

    // MARK: Moving

    private mutating func moved(into gestures: inout [TimedGesture]) {
        coasting?.follow(contacts[0].position, at: lastMoment, slop: settings.slop)
        let hasCrossed = panPinch.hasCrossed(contacts, settings: settings)
        switch phase {
        case .undecided where hasCrossed: decide(into: &gestures)
        case .holding, .quickZooming: emitHold(into: &gestures)
        case .idle, .undecided, .spent: break
        }
        if hasCrossed { isStillOnMotion = false }
        for index in 0..<contacts.landedCount
        where (contacts[index].position - contacts[index].start).length > settings.slop {
            contacts[index].tapCount = 0
            isStillOnMotion = false
        }
    }

    /// Says what the fingers do with the content by their last samples.
    private func emitHold(into gestures: inout [TimedGesture]) {
        if phase == .quickZooming {
            let distance = QuickZoom.distance(of: contacts[0], settings: settings)
            gestures.emit(.quickZoomChanged(distance: distance), at: lastMoment)
        } else {
            gestures.emit(.manipulationChanged(manipulation), at: lastMoment)
        }
    }

    private mutating func decide(into gestures: inout [TimedGesture]) {
        if contacts[0].tapCount == 2, !twoFingerTap.hasCompany {
            phase = .quickZooming
            gestures.emit(.quickZoomBegan(at: contacts[0].start), at: lastMoment)
            emitHold(into: &gestures)
        } else {
            panPinch.takeOffSlop(contacts, settings: settings)
            begin(at: lastMoment, into: &gestures)
        }
    }

    private mutating func begin(at moment: Moment, into gestures: inout [TimedGesture]) {
        phase = .holding
        longPress.forget()
        gestures.emit(.manipulationBegan(manipulation), at: moment)
    }

    private func rebase(at moment: Moment, into gestures: inout [TimedGesture]) {
        gestures.emit(
            .manipulationRebased(manipulation, seen: manipulation(seenAt: moment)), at: moment)
    }

    private var manipulation: Manipulation {
        coasting?.manipulation(at: lastMoment, finger: contacts[0].position)
            ?? panPinch.manipulation(contacts, settings: settings)
    }

    private func manipulation(seenAt moment: Moment) -> Manipulation {
        let seen = contacts.resampled(at: moment)
        if let coasting { return coasting.manipulation(at: moment, finger: seen[0].position) }
        return panPinch.manipulation(seen, turned: seen.turn, settings: settings)
    }

    // MARK: Lifting

    private mutating func lift(context: GestureArena.Context, into gestures: inout [TimedGesture]) {
        let isLast = contacts.liftingCount == contacts.landedCount
        longPress.forget()
        switch phase {
        case .undecided: liftUndecided(context: context, isLast: isLast, into: &gestures)
        case .holding where isStillOnMotion:
            sample(at: lastMoment, into: &gestures)
            liftUndecided(context: context, isLast: isLast, into: &gestures)
        case .holding where isLast: letGo(into: &gestures)
        case .holding: sample(at: lastMoment, into: &gestures)
        case .quickZooming:
            sample(at: lastMoment, into: &gestures)
            gestures.emit(.quickZoomEnded, at: lastMoment)
        case .idle, .spent: break
        }
        guard !isLast else {
            contacts.removeAll()
            coasting = nil
            isStillOnMotion = false
            phase = .idle
            return
        }
        if phase == .holding, !isStillOnMotion { beginCoasting() }
        contacts.removeLifting()
        kinetics.restart(contacts, at: lastMoment, settings: settings)
        panPinch.rebase(contacts)
        if phase == .holding { rebase(at: lastMoment, into: &gestures) }
    }

    /// Some fingers of a pinch lift: it goes on as it was going if only one is left, unless what
    /// lifts was a palm.
    private mutating func beginCoasting() {
        let speeds = kinetics.depart(
            contacts, isTurning: panPinch.isTurning, at: lastMoment, settings: settings)
        guard contacts.landedCount - contacts.liftingCount == 1, !contacts.arePalms(lifting: true)
        else { return }
        let centroid = contacts.centroid
        for index in 0..<contacts.landedCount where !contacts[index].isLifting {
            coasting = CoastingPinch(
                settings.thrown(speeds), centroid: centroid, finger: contacts[index].position,
                at: lastMoment)
        }
    }

    /// The finger that is left of a pinch has another meaning from here on.
    private mutating func endCoasting(at moment: Moment, into gestures: inout [TimedGesture]) {
        guard let ended = coasting else { return }
        gestures.emit(
            .manipulationChanged(ended.manipulation(at: moment, finger: contacts[0].position)),
            at: moment)
        coasting = nil
        panPinch.rebase(contacts)
    }

    /// All fingers leave what they held: from their last samples, and with the speed they had there.
    private mutating func letGo(into gestures: inout [TimedGesture]) {
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
                contacts, isTurning: panPinch.isTurning, at: moment, settings: settings)
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

    /// Fingers lift that have not left the slop: a tap, or a part of one.
    private mutating func liftUndecided(
        context: GestureArena.Context, isLast: Bool, into gestures: inout [TimedGesture]
    ) {
        let hasCaught = isStillOnMotion
        if hasCaught, isLast { gestures.emit(.resumed, at: lastMoment) }
        guard !twoFingerTap.hasCompany else {
            if let point = twoFingerTap.lift(contacts, at: lastMoment, settings: settings) {
                gestures.emit(.twoFingerTap(at: point), at: lastMoment)
            }
            return
        }
        let contact = contacts[0]
        let source: Manipulation.Source = contact.id == .mouse ? .mouse : .touch
        let isShort =
            lastMoment.milliseconds - contact.landed.milliseconds <= settings.longPressDelay
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
