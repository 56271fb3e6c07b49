import Geometry
import CMath
import Motion

/// One finger on the screen, or the mouse with its left button down.
struct Contact: Sendable {
    enum ID: Hashable, Sendable {
        case touch(Int)
        case mouse
    }

    let id: ID
    let start: Point
    let landed: Moment
    /// Where it is as of the last frame.
    var position: Point
    /// Where it was the frame before.
    var previous: Point
    /// Where it is to be when the frame comes, and since when.
    var pending: Point
    var pendingMoment: Moment
    /// Whether it was reported since the last frame, even at the same place: without the reports of a
    /// resting finger, one pixel of flicker would be taken for its velocity.
    var isReported = false
    /// Its last samples, to tell where it is between and after them.
    var course: Course
    /// Whether it goes when the frame comes.
    var isLifting = false
    /// Whether it is no finger but the side of a hand: it is let go as if it had never meant anything.
    var isPalm = false
    /// 1 for a finger that may be tapping, 2 for the second tap of a double tap, 0 for no tap.
    var tapCount = 0

    init(id: ID, at start: Point, landed: Moment) {
        self.id = id
        self.start = start
        self.landed = landed
        (position, previous, pending) = (start, start, start)
        pendingMoment = landed
        course = Course(at: start, landed)
    }
}

/// The contacts that are down, in the order in which they landed; no more than hands have fingers.
///
/// The first `landedCount` have taken effect with a frame; those after them wait for it.
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

    /// Adds a contact that waits for the frame; one too many is not taken.
    mutating func add(_ contact: Contact) {
        guard count < Self.capacity else { return }
        storage[count] = contact
        count += 1
    }

    mutating func removeAll() {
        (count, landedCount) = (0, 0)
    }

    /// Lets the next waiting contact take effect, and returns its place.
    mutating func landNext() -> Int {
        landedCount += 1
        return landedCount - 1
    }

    /// Takes over where the landed contacts were reported; tells whether any was, and whether any has
    /// moved.
    mutating func commitReports() -> (areThere: Bool, haveMoved: Bool) {
        var (areThere, haveMoved) = (false, false)
        for index in 0..<landedCount {
            storage[index].previous = storage[index].position
            guard storage[index].isReported else { continue }
            storage[index].isReported = false
            areThere = true
            if storage[index].pending != storage[index].position { haveMoved = true }
            storage[index].position = storage[index].pending
            storage[index].course.add(storage[index].pending, at: storage[index].pendingMoment)
        }
        return (areThere, haveMoved)
    }

    var liftingCount: Int {
        var lifting = 0
        for index in 0..<count where storage[index].isLifting { lifting += 1 }
        return lifting
    }

    /// Takes a contact back that waits for the frame, as if it had never come.
    mutating func removeWaiting(at index: Int) {
        for later in index + 1..<max(count, index + 1) { storage[later - 1] = storage[later] }
        count -= 1
    }

    /// Whether all contacts, or all that are lifting, are palms.
    func arePalms(lifting: Bool) -> Bool {
        for index in 0..<count where !storage[index].isPalm {
            if !lifting || storage[index].isLifting { return false }
        }
        return count > 0
    }

    /// Whether all contacts that lift at `moment` have been there for `duration` milliseconds at most,
    /// without leaving the slop, beside one that drags.
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

/// Between the samples.
extension Contacts {
    /// The landed fingers where they are at `moment`; a mouse is where its pointer is seen.
    ///
    /// `turn` is then what they have turned since the last samples.
    func resampled(at moment: Moment) -> Contacts {
        var contacts = self
        for index in 0..<landedCount where storage[index].id != .mouse {
            contacts.storage[index].previous = storage[index].position
            contacts.storage[index].position = storage[index].course.position(at: moment)
        }
        return contacts
    }

    /// How far ahead of its last sample the finger that is seen farthest ahead is, in milliseconds.
    func prediction(at moment: Moment) -> Double {
        var longest = 0.0
        for index in 0..<landedCount where storage[index].id != .mouse {
            longest = max(longest, storage[index].course.prediction(at: moment))
        }
        return longest
    }

    /// Whether any finger is still being looked ahead for after `moment`.
    func isPredicted(after moment: Moment) -> Bool {
        for index in 0..<landedCount
        where storage[index].id != .mouse && storage[index].course.end > moment {
            return true
        }
        return false
    }
}

/// The shape that the landed contacts make together.
extension Contacts {
    /// Their midpoint; the origin where there is none.
    var centroid: Point {
        var (x, y) = (0.0, 0.0)
        for index in 0..<landedCount {
            x += storage[index].position.x
            y += storage[index].position.y
        }
        return Point(x: x / divisor, y: y / divisor)
    }

    /// Twice their root-mean-square distance from the midpoint: the distance of two fingers, and
    /// for more of them a size that does not change when the hand turns.
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

    /// By how much they have turned about their midpoint since the frame before, in radians
    /// clockwise in (−π, π]: the least-squares rotation, arg Σ conj(a₀)·a.
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
