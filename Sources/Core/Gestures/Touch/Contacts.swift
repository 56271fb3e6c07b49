import Geometry
import CMath
import Input
import Motion

/// One finger on the screen, the mouse with its left button down, or a pen.
struct Contact: Sendable {
    enum ID: Hashable, Sendable {
        case touch(Int)
        case mouse
        case pen(PenEnd)

        var source: Manipulation.Source {
            switch self {
            case .touch: .touch
            case .mouse: .mouse
            case .pen: .pen
            }
        }

        /// Whether a person sees the pointer there before the contact lands.
        var isPointer: Bool { source != .touch }

        /// Whether a contact that rests has a meaning: a mouse has another button for the menu and may
        /// rest before it drags.
        var mayPressLong: Bool { self != .mouse && self != .pen(.eraser) }
    }

    let id: ID
    let start: Point
    let landed: Moment
    /// The position as of the last frame, in logical pixels.
    var position: Point
    /// The position one frame earlier.
    var previous: Point
    /// The position that takes effect with the next frame, and the time of its report.
    var pending: Point
    var pendingMoment: Moment
    /// Whether a position was reported since the last frame, even an unchanged one.
    ///
    /// Reports of a resting finger are samples too: without them, one pixel of jitter would count
    /// as a velocity.
    var isReported = false
    /// Whether the next report is in other coordinates, because the output has turned.
    var expectsNewCoordinates = false
    /// The offset from reported positions to `position`, in logical pixels: the only finger on the content
    /// goes on after a turn of the output as if its coordinates had not changed.
    private(set) var shift = Vector.zero
    /// The last samples, for interpolation and prediction.
    var course: Course
    /// Whether the contact lifts with the next frame.
    var isLifting = false
    /// Whether the contact is the side of a hand; it lifts without completing any gesture.
    var isPalm = false
    /// Which tap the contact may become: 1 for a first tap, 2 for the second of a double tap, 0 for
    /// none.
    var tapCount = 0

    init(id: ID, at start: Point, landed: Moment) {
        self.id = id
        self.start = start
        self.landed = landed
        (position, previous, pending) = (start, start, start)
        pendingMoment = landed
        course = Course(at: start, landed)
    }

    /// Takes the reported position for the current one, or, unless the contact is `alone`, goes there.
    fileprivate mutating func setCoordinates(alone: Bool) {
        if alone { shift = shift + (position - pending) }
        place(at: alone ? position : pending, pendingMoment)
        expectsNewCoordinates = false
    }

    /// Goes to where the finger is, without a movement.
    fileprivate mutating func dropShift(at moment: Moment) {
        guard shift != .zero else { return }
        let point = position - shift
        shift = .zero
        place(at: point, moment)
    }

    private mutating func place(at point: Point, _ moment: Moment) {
        (position, previous, pending) = (point, point, point)
        course = Course(at: point, moment)
    }
}

/// The contacts that are down, in the order of landing; at most ten.
///
/// The first `landedCount` have taken effect with a frame; the others take effect with the next
/// one.
struct Contacts: Sendable {
    static let capacity = 10

    private var storage: [10 of Contact]
    private(set) var count = 0
    private(set) var landedCount = 0

    init() {
        storage = .init(repeating: Contact(id: .mouse, at: .zero, landed: .zero))
    }

    subscript(index: Int) -> Contact {
        get { storage[index] }
        set { storage[index] = newValue }
    }

    func index(of id: Contact.ID) -> Int? {
        for index in 0..<count where storage[index].id == id { return index }
        return nil
    }

    /// Adds a contact that takes effect with the next frame; ignored if there are `capacity`
    /// contacts.
    mutating func add(_ contact: Contact) {
        guard count < Self.capacity else { return }
        storage[count] = contact
        count += 1
    }

    mutating func removeAll() {
        (count, landedCount) = (0, 0)
    }

    /// Makes the next waiting contact take effect; returns its index.
    mutating func landNext() -> Int {
        landedCount += 1
        return landedCount - 1
    }

    /// Applies the reported positions of the landed contacts.
    ///
    /// Returns whether there were reports, whether any contact has moved, and whether any has new
    /// coordinates since the output has turned, which is no movement.
    mutating func commitReports()
        -> (hasReports: Bool, hasMovement: Bool, hasNewCoordinates: Bool)
    {
        var (hasReports, hasMovement, hasNewCoordinates) = (false, false, false)
        for index in 0..<landedCount {
            storage[index].previous = storage[index].position
            guard storage[index].isReported else { continue }
            storage[index].isReported = false
            hasReports = true
            if storage[index].expectsNewCoordinates {
                hasNewCoordinates = true
                storage[index].setCoordinates(alone: landedCount == 1)
                continue
            }
            if storage[index].pending != storage[index].position { hasMovement = true }
            storage[index].position = storage[index].pending
            storage[index].course.add(storage[index].pending, at: storage[index].pendingMoment)
        }
        return (hasReports, hasMovement, hasNewCoordinates)
    }

    /// The output has turned: the next report of each landed contact is no movement, and none of them is
    /// a tap.
    mutating func expectNewCoordinates() {
        for index in 0..<landedCount {
            storage[index].expectsNewCoordinates = true
            storage[index].tapCount = 0
        }
    }

    /// Another finger joins: all landed contacts go to where their fingers are.
    mutating func dropShifts(at moment: Moment) {
        for index in 0..<landedCount { storage[index].dropShift(at: moment) }
    }

    /// Whether some landed contacts have coordinates from before a turn of the output and others from
    /// after it: their centroid, span and rotation are meaningless then.
    var haveMixedCoordinates: Bool {
        var old = 0
        for index in 0..<landedCount where storage[index].expectsNewCoordinates { old += 1 }
        return old > 0 && old < landedCount
    }

    /// Whether a landing, a report or a lift waits for its frame.
    var areWaiting: Bool {
        if landedCount < count { return true }
        for index in 0..<count where storage[index].isReported || storage[index].isLifting {
            return true
        }
        return false
    }

    var liftingCount: Int {
        var lifting = 0
        for index in 0..<count where storage[index].isLifting { lifting += 1 }
        return lifting
    }

    /// Removes a contact that has not taken effect yet.
    mutating func removeWaiting(at index: Int) {
        for later in index + 1..<max(count, index + 1) { storage[later - 1] = storage[later] }
        count -= 1
    }

    /// Whether all contacts, or with `lifting` all lifting ones, are palms.
    func arePalms(lifting: Bool) -> Bool {
        for index in 0..<count where !storage[index].isPalm {
            if !lifting || storage[index].isLifting { return false }
        }
        return count > 0
    }

    /// Whether all contacts that lift at `moment` have only brushed the screen.
    ///
    /// A brush lasts for at most `duration` milliseconds and stays within the slop, while the first
    /// contact drags.
    func haveBrushed(at moment: Moment, within duration: Double) -> Bool {
        guard count > 0, storage[0].tapCount == 0, !storage[0].isLifting else { return false }
        for index in 0..<count where storage[index].isLifting {
            let stayed = moment.milliseconds - storage[index].landed.milliseconds
            if storage[index].tapCount == 0 || stayed > duration { return false }
        }
        return true
    }

    mutating func removeLifting() {
        var kept = 0
        for index in 0..<count where !storage[index].isLifting {
            storage[kept] = storage[index]
            kept += 1
        }
        (count, landedCount) = (kept, min(kept, landedCount))
    }
}

/// Interpolation and prediction.
extension Contacts {
    /// The contacts, with the landed fingers at their resampled positions at `moment`.
    ///
    /// The mouse keeps its position, which is that of the visible pointer. `turn` of the result is
    /// the rotation since the last samples.
    func resampled(at moment: Moment) -> Contacts {
        var contacts = self
        for index in 0..<landedCount where storage[index].id != .mouse {
            contacts.storage[index].previous = storage[index].position
            contacts.storage[index].position = storage[index].course.position(at: moment)
        }
        return contacts
    }

    /// The longest prediction of any finger past its last sample, in milliseconds; at least 0.
    func prediction(at moment: Moment) -> Double {
        var longest = 0.0
        for index in 0..<landedCount where storage[index].id != .mouse {
            longest = max(longest, storage[index].course.prediction(at: moment))
        }
        return longest
    }

    /// Whether the position of any finger is still predicted after `moment`.
    func isPredicted(after moment: Moment) -> Bool {
        for index in 0..<landedCount
        where storage[index].id != .mouse && storage[index].course.end > moment {
            return true
        }
        return false
    }
}

/// Centroid, span and rotation of the landed contacts.
extension Contacts {
    /// The mean of the positions; the origin without contacts.
    var centroid: Point {
        var (x, y) = (0.0, 0.0)
        for index in 0..<landedCount {
            x += storage[index].position.x
            y += storage[index].position.y
        }
        return Point(x: x / divisor, y: y / divisor)
    }

    /// Twice the root-mean-square distance from the centroid, in logical pixels.
    ///
    /// For two fingers this is their distance; for more fingers it does not change when the hand
    /// rotates.
    var span: Double {
        guard landedCount > 1 else { return 0 }
        let center = centroid
        var sum = 0.0
        for index in 0..<landedCount {
            let offset = storage[index].position - center
            sum += offset.dx * offset.dx + offset.dy * offset.dy
        }
        return 2 * (sum / Double(landedCount)).squareRoot()
    }

    /// The rotation about the centroid since the previous frame, in radians clockwise in (−π, π].
    ///
    /// This is the least-squares rotation, arg Σ conj(a₀)·a, of the positions relative to the
    /// centroids.
    var turn: Double {
        guard landedCount > 1 else { return 0 }
        let (before, now) = (previousCentroid, centroid)
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<landedCount {
            let a = storage[index].previous - before
            let b = storage[index].position - now
            real += a.dx * b.dx + a.dy * b.dy
            imaginary += a.dx * b.dy - a.dy * b.dx
        }
        return atan2(imaginary, real)
    }

    private var previousCentroid: Point {
        var (x, y) = (0.0, 0.0)
        for index in 0..<landedCount {
            x += storage[index].previous.x
            y += storage[index].previous.y
        }
        return Point(x: x / divisor, y: y / divisor)
    }

    private var divisor: Double { Double(max(landedCount, 1)) }
}
