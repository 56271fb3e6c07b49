package import Geometry
package import Input
package import Motion

/// The meaning of fingers while a person uses a screen reader: one finger reads, two act as one does
/// otherwise.
///
/// | fingers | meaning |
/// | --- | --- |
/// | one rests or moves | reads what lies below |
/// | one taps | reads what lies below, once no second tap can follow |
/// | one taps twice, anywhere | activates what was read last |
/// | a second one lands with the first | the point between the two touches the content |
/// | a second one lands later | nothing, until all have lifted: no page is turned by accident |
package struct TouchExplorer: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// A finger reads what lies at a point.
        case read(Point)
        /// What was read last is activated.
        case activate
        /// An event for the content.
        case pass(TouchEvent)
    }

    private enum Phase: Hashable {
        case idle
        /// One finger is down, and its meaning is not decided yet.
        case landed(since: Moment, at: Point, isSecond: Bool)
        /// A finger has tapped, and a second tap may follow; nil if the point was read already.
        case tapped(since: Moment, unread: Point?)
        /// A finger reads; the time when a finger landed that can still be a tap.
        case reading(landed: Moment?, from: Point)
        /// The first two fingers touch the content as the contact of the first one.
        case passing
        /// What fingers do has no effect until all have lifted.
        case ignoring
    }

    private struct Finger: Hashable {
        let id: Int
        var point: Point
    }

    private let settings: GestureConstants
    private var phase = Phase.idle
    /// The fingers that are down, in the order in which they landed.
    private var fingers: [Finger] = []
    /// The seat of the fingers that are down; those of other seats have no effect.
    private(set) var seat = 0

    /// Whether any finger is down.
    var isTouched: Bool { !fingers.isEmpty }

    /// A finger that rests this long reads, in milliseconds: fingers that land together land up to 90 ms
    /// apart.
    static let restDelay = 150.0
    /// A finger that lifts later has not tapped, in milliseconds.
    static let tapDuration = 300.0
    /// A hand has no more contacts than this.
    private static let mostFingers = 10

    package init(settings: GestureConstants = .init()) { self.settings = settings }

    // MARK: Events

    /// Handles a touch event of a seat; timers that expired before the event must have fired.
    package mutating func handle(
        _ event: TouchEvent, of seat: Int, at moment: Moment, into outcomes: inout [Outcome]
    ) {
        if fingers.isEmpty { self.seat = seat }
        guard seat == self.seat else { return }
        switch event {
        case .down(let id, let point):
            guard fingers.count < Self.mostFingers, !fingers.contains(where: { $0.id == id }) else {
                return
            }
            fingers.append(Finger(id: id, point: point))
            land(at: moment, &outcomes)
        case .move(let id, let point):
            guard let place = fingers.firstIndex(where: { $0.id == id }) else { return }
            fingers[place].point = point
            move(place, &outcomes)
        case .up(let id):
            guard let place = fingers.firstIndex(where: { $0.id == id }) else { return }
            lift(place, at: moment, &outcomes)
            fingers.remove(at: place)
            if fingers.isEmpty, phase == .ignoring { phase = .idle }
        case .frame: if phase == .passing { outcomes.append(.pass(.frame)) }
        case .cancel: cancel(into: &outcomes)
        case .shape: break
        }
    }

    /// Forgets all fingers; the content loses its contact.
    private mutating func cancel(into outcomes: inout [Outcome]) {
        if phase == .passing { outcomes.append(.pass(.cancel)) }
        fingers = []
        phase = .idle
    }

    private mutating func land(at moment: Moment, _ outcomes: inout [Outcome]) {
        let point = fingers[fingers.count - 1].point
        switch (phase, fingers.count) {
        case (.idle, 1): phase = .landed(since: moment, at: point, isSecond: false)
        case (.tapped, 1): phase = .landed(since: moment, at: point, isSecond: true)
        case (.landed, 2):
            phase = .passing
            outcomes.append(.pass(.down(id: fingers[0].id, at: middle)))
        // A third finger does nothing to the contact of the first two.
        case (.passing, _): break
        default: phase = .ignoring
        }
    }

    private mutating func move(_ place: Int, _ outcomes: inout [Outcome]) {
        switch phase {
        case .landed(_, let start, _):
            guard isBeyondSlop(place, from: start) else { return }
            phase = .reading(landed: nil, from: start)
            outcomes.append(.read(fingers[place].point))
        case .reading(let landed, let start):
            if landed != nil {
                guard isBeyondSlop(place, from: start) else { return }
                phase = .reading(landed: nil, from: start)
            }
            outcomes.append(.read(fingers[place].point))
        case .passing where place < 2:
            outcomes.append(.pass(.move(id: fingers[0].id, to: middle)))
        case .idle, .tapped, .passing, .ignoring: break
        }
    }

    private mutating func lift(_ place: Int, at moment: Moment, _ outcomes: inout [Outcome]) {
        switch phase {
        case .landed(_, let point, let isSecond):
            phase = isSecond ? .idle : .tapped(since: moment, unread: point)
            if isSecond { outcomes.append(.activate) }
        case .reading(let landed, _):
            let isTap = landed.map { moment.seconds(since: $0) * 1000 <= Self.tapDuration } ?? false
            phase = isTap ? .tapped(since: moment, unread: nil) : .idle
        case .passing where place < 2:
            outcomes += [.pass(.up(id: fingers[0].id)), .pass(.frame)]
            phase = .ignoring
        case .idle, .tapped, .passing, .ignoring: break
        }
    }

    private func isBeyondSlop(_ place: Int, from start: Point) -> Bool {
        (fingers[place].point - start).length > settings.slop
    }

    /// The point between the first two fingers.
    private var middle: Point { fingers[0].point.midpoint(to: fingers[1].point) }

    // MARK: Timers

    /// When the next timer fires if no event comes before.
    package var deadline: Moment? {
        switch phase {
        case .landed(let since, _, let isSecond):
            // The second tap of a slow hand activates, too.
            since.advanced(byMilliseconds: isSecond ? Self.tapDuration : Self.restDelay)
        case .tapped(let since, _): since.advanced(byMilliseconds: settings.doubleTapWindow)
        case .idle, .reading, .passing, .ignoring: nil
        }
    }

    /// Fires the timer that expired before `moment`, or at it if `inclusive`.
    package mutating func expire(
        to moment: Moment, inclusive: Bool, into outcomes: inout [Outcome]
    ) {
        guard let deadline, inclusive ? deadline <= moment : deadline < moment else { return }
        switch phase {
        case .landed(let since, let point, let isSecond):
            phase = .reading(landed: isSecond ? nil : since, from: point)
            if let finger = fingers.first { outcomes.append(.read(finger.point)) }
        case .tapped(_, let unread):
            phase = .idle
            if let unread { outcomes.append(.read(unread)) }
        case .idle, .reading, .passing, .ignoring: break
        }
    }
}
